import { median, type Row } from '../result-table.ts';
import { AUTHORIZED } from '../server-processes.ts';
import { days, symbolOf } from './fill-market.ts';

/** A server over a market. */
export interface Market {
  readonly address: string;
  readonly securities: number;
}

const BLOCKS = 7;
/** In one block, of each market. */
const REQUESTS = 2_000;
/** So many of one market, then as many of the other: what else the machine does meets both. */
const AT_ONCE = 50;
const AIM = 1.3;
const HEADERS = { ...AUTHORIZED, 'Accept-Encoding': 'identity' };

type Target = (iteration: number, securities: number) => string;

/** Steps that share no factor with what they step through meet everything before they repeat. */
const TARGETS: Readonly<Record<string, Target>> = {
  '100-record history of one security': (iteration, securities) => {
    const day = days[100 + ((iteration * 1_009) % (days.length - 100))];
    return `symbol=${symbolOf((iteration * 7_919) % securities)}&to=${day}`;
  },
  '100-record snapshot of one day': (iteration) =>
    `date=${days[(iteration * 1_009) % days.length]}`,
};

/** The slowest of a hundred answers that were never asked for, of two markets. */
export async function compared(engine: string, small: Market, large: Market): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, target] of Object.entries(TARGETS)) {
    const asking = [small, large].map((market) => asker(market, target));
    // The first block is not counted: it brings what is read into the machine's memory.
    const blocks: (readonly Spread[])[] = [];
    for (let block = 0; block <= BLOCKS; block++) {
      const times = await inTurn(asking);
      if (block > 0) blocks.push(times.map(spreadOf));
    }
    const middle = (of: (block: readonly Spread[]) => number) => median(blocks.map(of));
    const tell = (at: number) => {
      const [p50, p99] = [middle((b) => b[at]?.p50 ?? 0), middle((b) => b[at]?.p99 ?? 0)];
      return `${p99.toFixed(2)} ms (median ${p50.toFixed(2)} ms)`;
    };
    rows.push({
      what: `${what}, never asked before, on ${engine}, 99th percentile of 10,000,000 quotes`,
      measured: tell(1),
      against: `${tell(0)}, of 1,000,000`,
      ratio: middle(([one, ten]) => (ten?.p99 ?? 0) / (one?.p99 ?? 0)),
      aim: `≤ ${AIM}`,
    });
  }
  return rows;
}

/** Milliseconds of each request of a block, by market. */
async function inTurn(asking: readonly (() => Promise<number>)[]): Promise<number[][]> {
  const times: number[][] = asking.map(() => []);
  for (let done = 0; done < REQUESTS; done += AT_ONCE) {
    for (const [index, ask] of asking.entries()) {
      for (let one = 0; one < AT_ONCE; one++) times[index]?.push(await ask());
    }
  }
  return times;
}

/** Asks for another answer each time; gives the milliseconds that it took. */
function asker({ address, securities }: Market, target: Target): () => Promise<number> {
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

interface Spread {
  readonly p50: number;
  readonly p99: number;
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
