import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import {
  countDigits,
  findSwaps,
  type PeriodFigures,
  type PeriodWarning,
} from './period-warnings.ts';
import { nameRecord, type ReadPast, type SeriesPair, type SeriesRecord } from './series-record.ts';
import { listComparedMeasures } from './unusual-changes.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

type NamedRecord = SeriesRecord & ReturnType<typeof nameRecord>;
type NamedPair = Readonly<Record<'previous' | 'current', NamedRecord>>;

/** The figures of one measure in the newest period, with those of the same series in the period before. */
interface MeasureSet {
  readonly name: string;
  readonly figures: readonly {
    readonly pair: NamedPair;
    readonly before: number;
    readonly after: number;
  }[];
}

/** Warns about all series of the newest period together: values that repeat, are all the same, or changed places. */
export async function findSetWarnings(
  dataset: Dataset,
  found: readonly SeriesPair[],
  readPast: ReadPast,
): Promise<PeriodWarning[]> {
  const addName = (record: SeriesRecord) => ({ ...record, ...nameRecord(dataset, record) });
  const pairs = found.map(({ previous, current }): NamedPair => {
    return { previous: addName(previous), current: addName(current) };
  });
  const [first] = pairs;
  if (!first || !dataset.declared) return [];
  const sets = listComparedMeasures(dataset).map(({ name }): MeasureSet => {
    const figures = pairs.flatMap((pair) => {
      const [before, after] = [pair.previous.record[name], pair.current.record[name]];
      return typeof before === 'number' && typeof after === 'number'
        ? [{ pair, before, after }]
        : [];
    });
    return { name, figures };
  });
  const repeated = await findRepeatedPeriod(dataset, pairs, sets, readPast);
  const warnings = [
    ...(repeated ? [repeated] : []),
    ...sets.flatMap((set) => [
      ...findSingleValue(set),
      ...findMissingFigures(set, pairs),
      ...(repeated ? [] : [...findShiftedRows(set), ...findSwappedSeries(set)]),
    ]),
  ];
  const keys = [getKeyValues(getStorageTable(dataset), first.current.record).join('\0')];
  return warnings.map((warning) => ({ keys, warning }));
}

const formatSeries = ({ current }: NamedPair) => current.values.join(' ') || current.label;

/** One series that stays is no news, nor are days that a source fills in by habit. */
async function findRepeatedPeriod(
  { period }: Dataset,
  pairs: readonly NamedPair[],
  sets: readonly MeasureSet[],
  readPast: ReadPast,
): Promise<Warning | undefined> {
  const [first] = pairs;
  const figures = sets.flatMap((set) => set.figures.map((each) => ({ ...each, name: set.name })));
  const { staleShare, repeatedDigits, minRepeated } = WARNING_THRESHOLDS;
  const same = figures.filter(({ before, after }) => before === after);
  const isMost = same.length >= staleShare * figures.length && same.length >= minRepeated;
  if (
    !first ||
    pairs.length === 1 ||
    !isMost ||
    countDigits(same.map(({ after }) => after)) < repeatedDigits
  )
    return undefined;
  const weekday = ((first.current.place % 7) + 11) % 7;
  const isWeekend = weekday === 0 || weekday === 6;
  if (
    period?.kind.hasHolidays &&
    (isWeekend || !(await movedUntilNow(same.slice(0, SAMPLED_SERIES), readPast)))
  )
    return undefined;
  const { label } = first.current;
  const text = `${same.length} of ${figures.length} figures of ${label} are those of ${first.previous.label}`;
  return { rule: 'figures-repeated', field: period?.field ?? '', value: label, text };
}

const SAMPLED_SERIES = 20;

/** Whether figures moved in the period before, and did not stay the same in any recent one. */
async function movedUntilNow(
  figures: readonly { readonly pair: NamedPair; readonly name: string }[],
  readPast: ReadPast,
): Promise<boolean> {
  const { pastPeriods, minRepeated } = WARNING_THRESHOLDS;
  const moves = new Map<number, { moved: number; stayed: number }>();
  for (const { pair, name } of figures) {
    const past = await readPast(pair.previous.values, pair.previous.place, pastPeriods);
    const values = [...past.map((record: AnyRecord) => record[name]), pair.previous.record[name]];
    for (let back = 1; back < values.length; back++) {
      const counts = moves.getOrInsertComputed(back, () => ({ moved: 0, stayed: 0 }));
      if (values.at(-back) === values.at(-back - 1)) counts.stayed++;
      else counts.moved++;
    }
  }
  const [last, ...earlier] = moves.values();
  if (!last || last.moved < minRepeated) return false;
  return earlier.every(({ moved, stayed }) => moved > 0 || stayed < figures.length);
}

/** Of the newest period: one value in all series, of at least five, that had several before. */
function findSingleValue({ name, figures }: MeasureSet): Warning[] {
  const { minSeries } = WARNING_THRESHOLDS;
  const [first] = figures;
  const distinct = new Set(figures.map(({ before }) => before)).size;
  const isSingle =
    figures.length >= minSeries && figures.every(({ after }) => after === first?.after);
  if (!first || !isSingle || distinct < Math.min(minSeries, figures.length)) return [];
  const text = `${name} is ${first.after} in all ${figures.length} series of ${first.pair.current.label}`;
  return [{ rule: 'one-value', field: name, value: first.after, text }];
}

/** A period before that is changed as well may have got its figures later: they come with a delay. */
function findMissingFigures({ name, figures }: MeasureSet, pairs: readonly NamedPair[]): Warning[] {
  const hadFigure = pairs.find(({ previous }) => typeof previous.record[name] === 'number');
  const isLate = pairs.some(({ previous }) => previous.isChanged);
  const isMissing = pairs.every(({ current }) => current.record[name] === null);
  if (figures.length > 0 || !hadFigure || isLate || !isMissing) return [];
  const { current, previous } = hadFigure;
  const text = `${name} is blank in all records of ${current.label}, unlike ${previous.label}`;
  return [{ rule: 'measure-missing', field: name, value: null, text }];
}

/** Figures that are those of the series before or after them in the file, in the order of their values. */
function findShiftedRows({ name, figures }: MeasureSet): Warning[] {
  const { minSeries, shiftedShare } = WARNING_THRESHOLDS;
  const [first] = figures;
  if (!first || figures.length < minSeries) return [];
  const isNear = (one = Number.NaN, other = Number.NaN) =>
    Math.abs(one - other) <= NEAR * Math.max(Math.abs(one), Math.abs(other));
  const countNear = (offset: number) =>
    figures.filter(({ after }, index) => isNear(after, figures[index + offset]?.before)).length;
  const shifted = Math.max(countNear(1), countNear(-1));
  if (shifted < shiftedShare * (figures.length - 1) || countNear(0) > figures.length / 2) return [];
  const text = `${shifted} of ${figures.length} figures of ${name} in ${first.pair.current.label} are near those of the next series in ${first.pair.previous.label}: rows may be shifted`;
  return [{ rule: 'figures-shifted', field: name, value: first.after, text }];
}

const NEAR = 0.02;

/** Two series that may have changed places. */
function findSwappedSeries({ name, figures }: MeasureSet): Warning[] {
  const { swapFactor } = WARNING_THRESHOLDS;
  const moved = figures.filter(
    ({ before, after }) =>
      before > 0 && after > 0 && (after >= swapFactor * before || before >= swapFactor * after),
  );
  const [first] = moved;
  if (!first || moved.length > MAX_SWAPPED || moved.length > figures.length / 2 + 1) return [];
  const toFigures = (side: 'before' | 'after', record: NamedPair['current']): PeriodFigures => {
    const parts = new Map(moved.map((each) => [formatSeries(each.pair), each[side]]));
    return {
      key: '',
      series: [],
      label: record.label,
      ordinal: record.place,
      size: 0,
      parts,
      sum: 0,
      list: [],
    };
  };
  const swaps = findSwaps(
    toFigures('before', first.pair.previous),
    toFigures('after', first.pair.current),
  );
  return swaps.map((warning) => ({ ...warning, field: name, text: `${name}: ${warning.text}` }));
}

const MAX_SWAPPED = 50;
