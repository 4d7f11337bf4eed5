import type { RequestLoad } from './load-generator.ts';
import { loadGenerator } from './load-generator.ts';
import { median } from './statistics.ts';

const PAUSE_MS = 300;
const DEFAULT_OPTIONS = { rounds: 10, seconds: 1 };

interface ComparisonOptions {
  /** The rounds of each side, and their length. */
  readonly rounds: number;
  readonly seconds: number;
}

/** Rates per second, measured alternately; the ratio is the median over the rounds. */
export interface RateComparison {
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

/**
 * Measures two servers alternately, so that other load on the machine affects both. The order
 * changes, because the second one finds a busier machine.
 */
export async function compareRequestRates(
  first: LoadSource,
  second: LoadSource,
  { rounds, seconds }: ComparisonOptions = DEFAULT_OPTIONS,
): Promise<RateComparison> {
  return compareRates(
    (round) => measureRate(first, round, seconds),
    (round) => measureRate(second, round, seconds),
    rounds,
  );
}

/** The requests, or those of each round if they must differ. */
export type LoadSource = RequestLoad | ((round: number) => RequestLoad);

/** The same for any two rates; round 0 is not counted. */
export async function compareRates(
  first: MeasureRate,
  second: MeasureRate,
  roundCount = DEFAULT_OPTIONS.rounds,
): Promise<RateComparison> {
  await first(0);
  await second(0);
  const rates: { first: number; second: number }[] = [];
  for (let round = 1; round <= roundCount; round++) {
    if (round % 2 === 1) {
      const rate = await first(round);
      rates.push({ first: rate, second: await second(round) });
    } else {
      const rate = await second(round);
      rates.push({ second: rate, first: await first(round) });
    }
  }
  return {
    first: Math.round(median(rates.map((rate) => rate.first))),
    second: Math.round(median(rates.map((rate) => rate.second))),
    ratio: median(rates.map((rate) => rate.first / rate.second)),
  };
}

type MeasureRate = (round: number) => Promise<number>;

async function measureRate(source: LoadSource, round: number, seconds: number): Promise<number> {
  await Bun.sleep(PAUSE_MS);
  return loadGenerator.run(typeof source === 'function' ? source(round) : source, seconds);
}
