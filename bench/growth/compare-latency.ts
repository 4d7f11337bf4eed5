import { median, type ResultRow } from '../result-table.ts';
import { AUTHORIZATION_HEADERS } from '../server-processes.ts';
import { days, formatSymbol } from './fill-market.ts';

/** A server with a market of so many securities. */
export interface Market {
  readonly address: string;
  readonly securities: number;
}

const BLOCKS = 7;
/** Requests to each market in one block. */
const REQUESTS = 2_000;
/** Requests before the other market's turn, so that other load affects both. */
const BATCH_SIZE = 50;
const AIM = 1.3;
const HEADERS = { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' };

type Target = (iteration: number, securities: number) => string;

/** Steps without a common factor reach every symbol and day before they repeat. */
const TARGETS: Readonly<Record<string, Target>> = {
  '100-record history of one security': (iteration, securities) => {
    const day = days[100 + ((iteration * 1_009) % (days.length - 100))];
    return `symbol=${formatSymbol((iteration * 7_919) % securities)}&to=${day}`;
  },
  '100-record snapshot of one day': (iteration) =>
    `date=${days[(iteration * 1_009) % days.length]}`,
};

/** The 99th percentile of uncached responses, of two markets. */
export async function compareLatency(
  engine: string,
  small: Market,
  large: Market,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const [name, target] of Object.entries(TARGETS)) {
    const requesters = [small, large].map((market) => createRequester(market, target));
    // The first block warms the file cache and is not counted.
    const blocks: (readonly Percentiles[])[] = [];
    for (let block = 0; block <= BLOCKS; block++) {
      const times = await measureBlock(requesters);
      if (block > 0) blocks.push(times.map(computePercentiles));
    }
    const getMedian = (getValue: (block: readonly Percentiles[]) => number) =>
      median(blocks.map(getValue));
    const format = (market: number) => {
      const p50 = getMedian((block) => block[market]?.p50 ?? 0);
      const p99 = getMedian((block) => block[market]?.p99 ?? 0);
      return `${p99.toFixed(2)} ms (median ${p50.toFixed(2)} ms)`;
    };
    rows.push({
      label: `${name}, uncached, on ${engine}, 99th percentile of 10,000,000 quotes`,
      measured: format(1),
      baseline: `${format(0)}, of 1,000,000`,
      ratio: getMedian(([first, second]) => (second?.p99 ?? 0) / (first?.p99 ?? 0)),
      aim: `≤ ${AIM}`,
    });
  }
  return rows;
}

/** The milliseconds of each request of a block, by market. */
async function measureBlock(requesters: readonly (() => Promise<number>)[]): Promise<number[][]> {
  const times: number[][] = requesters.map(() => []);
  for (let count = 0; count < REQUESTS; count += BATCH_SIZE) {
    for (const [market, sendRequest] of requesters.entries()) {
      for (let index = 0; index < BATCH_SIZE; index++) times[market]?.push(await sendRequest());
    }
  }
  return times;
}

/** Sends a different request each time and returns its milliseconds. */
function createRequester({ address, securities }: Market, target: Target): () => Promise<number> {
  let iteration = 0;
  return async () => {
    const url = `${address}/2.0/bnb/quote?${target(iteration++, securities)}`;
    const started = performance.now();
    const response = await fetch(url, { headers: HEADERS });
    const { length } = await response.bytes();
    if (response.status !== 200 || length < 20_000) {
      throw new Error(`${url}: status ${response.status}, ${length} bytes`);
    }
    return performance.now() - started;
  };
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

function computePercentiles(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: percentile(0.5), p99: percentile(0.99) };
}
