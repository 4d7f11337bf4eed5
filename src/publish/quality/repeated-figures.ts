import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { countDigits } from './period-warnings.ts';
import type { nameRecord, ReadPast, SeriesRecord } from './series-record.ts';
import type { ComparedMeasure } from './unusual-changes.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

type NamedRecord = SeriesRecord & ReturnType<typeof nameRecord>;
export type NamedPair = Readonly<Record<'previous' | 'current', NamedRecord>>;

/** A figure of the newest period, with that of the same series in the period before. */
interface Figure {
  readonly pair: NamedPair;
  readonly before: number;
  readonly after: number;
}

/** The figures of one measure. */
export interface MeasureSet extends Pick<ComparedMeasure, 'name' | 'isAdditive'> {
  readonly figures: readonly Figure[];
}

type NamedFigure = Figure & Pick<MeasureSet, 'name'>;

const addNames = ({ name, figures }: MeasureSet): NamedFigure[] =>
  figures.map((figure) => ({ ...figure, name }));

/** Warns about a newest period whose figures, or those of a measure, are those of an earlier one. */
export async function findRepeatedFigures(
  dataset: Dataset,
  pairs: readonly NamedPair[],
  sets: readonly MeasureSet[],
  readPast: ReadPast,
): Promise<readonly Warning[]> {
  const history = await readHistory(pairs, readPast);
  const all =
    findRepeatedPeriod(dataset, pairs, sets, history) ??
    findEarlierPeriod(dataset, pairs, sets, history);
  if (all) return [all];
  return sets.length > 1 ? sets.flatMap((set) => findRepeatedMeasure(dataset, set, history)) : [];
}

/** The records of some series before the newest period, oldest first. */
type SampledHistory = ReadonlyMap<NamedPair, readonly AnyRecord[]>;

const SAMPLED_SERIES = 20;

async function readHistory(pairs: readonly NamedPair[], readPast: ReadPast) {
  const history = new Map<NamedPair, readonly AnyRecord[]>();
  for (const pair of pairs.slice(0, SAMPLED_SERIES)) {
    const { values, place } = pair.current;
    history.set(pair, await readPast(values, place, WARNING_THRESHOLDS.pastPeriods + 1));
  }
  return history;
}

/** The figures that stay, if they are nearly all, and too many to stay by chance. */
function listRepeated(figures: readonly NamedFigure[]): readonly NamedFigure[] {
  const { staleShare, repeatedDigits, minRepeated } = WARNING_THRESHOLDS;
  const same = figures.filter(({ before, after }) => before === after);
  const isMost = same.length >= staleShare * figures.length && same.length >= minRepeated;
  return isMost && countDigits(same.map(({ after }) => after)) >= repeatedDigits ? same : [];
}

/** One series that stays is no news, nor are days that a source fills in by habit. */
function findRepeatedPeriod(
  { period }: Dataset,
  pairs: readonly NamedPair[],
  sets: readonly MeasureSet[],
  history: SampledHistory,
): Warning | undefined {
  const [first] = pairs;
  const figures = sets.flatMap(addNames);
  const same = listRepeated(figures);
  if (!first || pairs.length === 1 || same.length === 0) return undefined;
  if (isWeekend(period, first) || (period?.kind.hasHolidays && !movedUntilNow(same, history)))
    return undefined;
  const { label } = first.current;
  const text = `${same.length} of ${figures.length} figures of ${label} are those of ${first.previous.label}`;
  return { rule: 'figures-repeated', field: period?.field ?? '', value: label, text };
}

const isWeekend = (period: Dataset['period'], { current }: NamedPair) =>
  period?.kind.hasHolidays === true && [0, 6].includes(((current.place % 7) + 11) % 7);

/** Whether figures moved in the period before, and did not stay the same in any recent one. */
function movedUntilNow(figures: readonly NamedFigure[], history: SampledHistory): boolean {
  const moves = new Map<number, { moved: number; stayed: number }>();
  const sampled = figures.filter(({ pair }) => history.has(pair));
  for (const { pair, name } of sampled) {
    const values = history.get(pair)?.map((record) => record[name]) ?? [];
    for (let back = 1; back < values.length; back++) {
      const counts = moves.getOrInsertComputed(back, () => ({ moved: 0, stayed: 0 }));
      if (values.at(-back) === values.at(-back - 1)) counts.stayed++;
      else counts.moved++;
    }
  }
  const [last, ...earlier] = moves.values();
  if (!last || last.moved < WARNING_THRESHOLDS.minRepeated) return false;
  return earlier.every(({ moved, stayed }) => moved > 0 || stayed < sampled.length);
}

/** A measure that stays in all series while others move, and never did so before. */
function findRepeatedMeasure(
  { period }: Dataset,
  set: MeasureSet,
  history: SampledHistory,
): Warning[] {
  const same = listRepeated(addNames(set));
  const [first] = same;
  if (!first || isWeekend(period, first.pair) || !movedUntilNow(same, history)) return [];
  const { current, previous } = first.pair;
  const text = `${same.length} of ${set.figures.length} figures of ${set.name} in ${current.label} are those of ${previous.label}, and others are not`;
  return [{ rule: 'figures-repeated', field: set.name, value: current.label, text }];
}

/** All figures are those of an earlier period than the last, and no two periods before are alike. */
function findEarlierPeriod(
  { period }: Dataset,
  pairs: readonly NamedPair[],
  sets: readonly MeasureSet[],
  history: SampledHistory,
): Warning | undefined {
  const [first] = pairs;
  const field = period?.field ?? '';
  if (!first) return undefined;
  const list = (record: AnyRecord) => sets.map(({ name }) => record[name]);
  const now = [...history.keys()].map(({ current: { record } }) => list(record));
  const figures = now.flat().filter((value) => typeof value === 'number');
  if (countDigits(figures) < WARNING_THRESHOLDS.repeatedDigits) return undefined;
  const periods = new Map<string, unknown[][]>();
  for (const [index, records] of [...history.values()].entries())
    for (const record of records)
      periods.getOrInsertComputed(String(record[field]), () => [])[index] = list(record);
  const texts = periods.entries().map(([label, lists]) => [JSON.stringify(lists), label] as const);
  const labels = new Map(texts);
  const label = labels.get(JSON.stringify(now));
  if (label === undefined || label === first.previous.label || labels.size < periods.size)
    return undefined;
  const text = `all ${figures.length} compared figures of ${first.current.label} are those of ${label}`;
  return { rule: 'figures-repeated', field, value: first.current.label, text };
}
