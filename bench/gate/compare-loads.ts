import { createQuotesFile } from '../generate-quotes-file.ts';
import {
  CORRECTIONS,
  loadCorrections,
  loadQuotes,
  measureCommandStart,
  removeDatabase,
  writeCorrectionsFile,
  writeNextDayFile,
} from '../loads.ts';
import { median } from '../statistics.ts';
import { getDatabasePath, getDatabaseUrl } from './databases.ts';
import type { GateComparison, GateSide, Measurements, Sides } from './sides.ts';

const MILLION = 1_000_000;
const LOAD_ROUNDS = 3;
const DAY_ROUNDS = 7;

/** Loads by the commands of both sides; the databases stay for what is measured after. */
export function createLoadMeasurements(sides: Sides): Measurements {
  // Other corrections and days if a measurement is repeated.
  let corrections = 0;
  let day = 0;
  return {
    'loading 1,000,000 quotes from CSV': async () => {
      const file = await createQuotesFile(MILLION);
      return compareSeconds(sides, LOAD_ROUNDS, async (side) => {
        removeDatabase(getDatabasePath(side));
        return (await loadQuotes(getDatabaseUrl(side), file, side.root)).seconds;
      });
    },
    "loading a day's 500 quotes into 1,000,000": () =>
      compareSeconds(
        sides,
        DAY_ROUNDS,
        async (side, file) => {
          const start = await measureCommandStart(side.root);
          return (await loadQuotes(getDatabaseUrl(side), file, side.root)).seconds - start;
        },
        () => writeNextDayFile(day++),
      ),
    [`correcting ${CORRECTIONS.toLocaleString('en')} of 1,000,000 quotes`]: () =>
      compareSeconds(
        sides,
        LOAD_ROUNDS,
        async (side, file) =>
          (await loadCorrections(getDatabaseUrl(side), file, side.root)).seconds,
        () => writeCorrectionsFile(corrections++),
      ),
  };
}

/** Measures both sides in turn with the same file; the ratio is the median over the rounds. */
async function compareSeconds(
  { current, release }: Sides,
  rounds: number,
  measure: (side: GateSide, file: string) => Promise<number>,
  writeFile: () => Promise<string> = async () => '',
): Promise<GateComparison> {
  const times: { current: number; release: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const file = await writeFile();
    const time = { current: 0, release: 0 };
    const order = round % 2 === 0 ? [current, release] : [release, current];
    for (const side of order) time[side.name] = await measure(side, file);
    times.push(time);
  }
  const format = (name: GateSide['name']) =>
    `${median(times.map((time) => time[name])).toFixed(2)} s`;
  return {
    current: format('current'),
    release: format('release'),
    ratio: median(times.map((time) => time.release / time.current)),
  };
}
