import type { Asked } from './load.ts';
import { load } from './load.ts';
import { median } from './table.ts';

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
export async function sideBySide(first: Asked, second: Asked): Promise<Compared> {
  await measured(first);
  await measured(second);
  const rates: { first: number; second: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) {
      const of = await measured(first);
      rates.push({ first: of, second: await measured(second) });
    } else {
      const of = await measured(second);
      rates.push({ second: of, first: await measured(first) });
    }
  }
  return {
    first: Math.round(median(rates.map((rate) => rate.first))),
    second: Math.round(median(rates.map((rate) => rate.second))),
    ratio: median(rates.map((rate) => rate.first / rate.second)),
  };
}

async function measured(asked: Asked): Promise<number> {
  await Bun.sleep(PAUSE_MS);
  return load.run(asked, SECONDS);
}
