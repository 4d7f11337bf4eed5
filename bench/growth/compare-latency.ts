import { buildColdTarget, COLD_KINDS, type ColdKind } from '../cold/requests.ts';
import type { ResultRow } from '../result-table.ts';
import { AUTHORIZATION_HEADERS } from '../server-processes.ts';
import { median, percentile } from '../statistics.ts';
import { days, listIsins, listSymbols, type MarketSize } from './fill-market.ts';

/** A server with a market. */
export interface ServedMarket extends MarketSize {
  readonly address: string;
}

const BLOCKS = 7;
/** Requests to each market in one block. */
const REQUESTS = 2_000;
/** Requests before the other market's turn, so that other load affects both. */
const BATCH_SIZE = 50;
const AIM = 1.3;
const HEADERS = { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' };

/** The 99th percentile of uncached responses, of two markets. */
export async function compareLatency(
  engine: string,
  small: ServedMarket,
  large: ServedMarket,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const kind of Object.keys(COLD_KINDS) as ColdKind[]) {
    const blocks = await measureBlocks(
      [small, large].map((market) => createRequester(market, kind)),
    );
    const getMedian = (getValue: (block: Block) => number) => median(blocks.map(getValue));
    const format = (market: 'small' | 'large') => {
      const p50 = getMedian((block) => percentile(block[market], 0.5));
      const p99 = getMedian((block) => percentile(block[market], 0.99));
      return `${p99.toFixed(2)} ms (median ${p50.toFixed(2)} ms)`;
    };
    const size = countQuotes(large).toLocaleString('en');
    rows.push({
      label: `${COLD_KINDS[kind]}, uncached, on ${engine}, 99th percentile of ${size} quotes`,
      measured: format('large'),
      baseline: `${format('small')}, of ${countQuotes(small).toLocaleString('en')}`,
      ratio: getMedian((block) => percentile(block.large, 0.99) / percentile(block.small, 0.99)),
      aim: `≤ ${AIM}`,
    });
  }
  return rows;
}

const countQuotes = ({ securities }: MarketSize) => securities * days.length;

/** The milliseconds of each request of a block, by market. */
interface Block {
  readonly small: readonly number[];
  readonly large: readonly number[];
}

/** The first block warms the file cache and is not counted. */
async function measureBlocks(requesters: readonly (() => Promise<number>)[]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let block = 0; block <= BLOCKS; block++) {
    const times: [number[], number[]] = [[], []];
    for (let count = 0; count < REQUESTS; count += BATCH_SIZE) {
      for (const [market, sendRequest] of requesters.entries()) {
        for (let index = 0; index < BATCH_SIZE; index++) times[market]?.push(await sendRequest());
      }
    }
    if (block > 0) blocks.push({ small: times[0], large: times[1] });
  }
  return blocks;
}

/** Sends a different request each time and returns its milliseconds. */
function createRequester(served: ServedMarket, kind: ColdKind): () => Promise<number> {
  const { address, securities } = served;
  const market = { symbols: listSymbols(securities), isins: listIsins(securities), days };
  let iteration = 0;
  return async () => {
    const url = address + buildColdTarget(market, kind, iteration++);
    const started = performance.now();
    const response = await fetch(url, { headers: HEADERS });
    const { length } = await response.bytes();
    // At the least fifty records.
    if (response.status !== 200 || length < 5_000) {
      throw new Error(`${url}: status ${response.status}, ${length} bytes`);
    }
    return performance.now() - started;
  };
}
