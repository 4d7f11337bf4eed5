import type { Asked } from './load-generator.ts';
import { load } from './load-generator.ts';
import { median } from './result-table.ts';

const ROUNDS = 14;
const PAUSE_MS = 300;
const SECONDS = 1;

/** Replies a second of two, measured in turn; the ratio is the median of those of each round. */
export interface Compared {
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

/**
 * Measures two side by side and in turn, so that what else the machine does meets both; who goes
 * first changes, because whoever follows inherits a busy machine.
 */
export async function sideBySide(first: Asking, second: Asking): Promise<Compared> {
  return inTurn(
    (round) => measured(first, round),
    (round) => measured(second, round),
  );
}

/** What is asked, or what is asked in each round where it is never to be the same. */
type Asking = Asked | ((round: number) => Asked);

/** The same for any two ways to measure a rate; round 0 is not counted. */
export async function inTurn(first: Measure, second: Measure): Promise<Compared> {
  await first(0);
  await second(0);
  const rates: { first: number; second: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    if (round % 2 === 1) {
      const of = await first(round);
      rates.push({ first: of, second: await second(round) });
    } else {
      const of = await second(round);
      rates.push({ second: of, first: await first(round) });
    }
  }
  return {
    first: Math.round(median(rates.map((rate) => rate.first))),
    second: Math.round(median(rates.map((rate) => rate.second))),
    ratio: median(rates.map((rate) => rate.first / rate.second)),
  };
}

type Measure = (round: number) => Promise<number>;

async function measured(asking: Asking, round: number): Promise<number> {
  await Bun.sleep(PAUSE_MS);
  return load.run(typeof asking === 'function' ? asking(round) : asking, SECONDS);
}
