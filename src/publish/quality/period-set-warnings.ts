import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import {
  countDigits,
  findSwaps,
  MIN_SWAP_RATIO,
  type PeriodFigures,
  type PeriodWarning,
} from './period-warnings.ts';
import { findRepeatedFigures, type MeasureSet, type NamedPair } from './repeated-figures.ts';
import { nameRecord, type ReadPast, type SeriesPair, type SeriesRecord } from './series-record.ts';
import { listComparedMeasures } from './unusual-changes.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

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
  const sets = listComparedMeasures(dataset).map(({ name, isAdditive }): MeasureSet => {
    const figures = pairs.flatMap((pair) => {
      const [before, after] = [pair.previous.record[name], pair.current.record[name]];
      return typeof before === 'number' && typeof after === 'number'
        ? [{ pair, before, after }]
        : [];
    });
    return { name, isAdditive, figures };
  });
  const repeated = await findRepeatedFigures(dataset, pairs, sets, readPast);
  const warnings = [
    ...repeated,
    ...sets.flatMap((set) => [
      ...findSingleValue(set),
      ...findMissingFigures(set, pairs),
      ...(repeated.length > 0
        ? []
        : [...findLostDecimals(set), ...findShiftedRows(set), ...findSwappedSeries(set)]),
    ]),
    ...findEqualMeasures(sets, pairs),
  ];
  const keys = [getKeyValues(getStorageTable(dataset), first.current.record).join('\0')];
  return warnings.map((warning) => ({ keys, warning }));
}

const formatSeries = ({ current }: NamedPair) => current.values.join(' ') || current.label;

/** Figures that were written with more digits before, as a spreadsheet shows fewer than it has. */
function findLostDecimals({ name, figures }: MeasureSet): Warning[] {
  const [first] = figures;
  if (!first || figures.length < WARNING_THRESHOLDS.minSeries) return [];
  const before = figures.map((figure) => countDecimals(figure.before));
  const most = Math.max(...before);
  const left = Math.max(...figures.map(({ after }) => countDecimals(after)));
  const isTelling = before.filter((count) => count === most).length >= figures.length / 2;
  if (left >= most || left === -Infinity || !isTelling) return [];
  const { current, previous } = first.pair;
  const series = `in all ${figures.length} series of ${current.label}`;
  const text =
    left < 0
      ? `${name} is a multiple of ${10 ** -left} ${series}, unlike ${previous.label}`
      : `${name} has ${left} decimals ${series}, and ${most} in ${previous.label}`;
  return [{ rule: 'decimals-lost', field: name, value: first.after, text }];
}

/** Negative for a whole number that ends with zeros; 0 may have been written with any number of digits. */
function countDecimals(value: number): number {
  if (value === 0) return -Infinity;
  const [, decimals = '', zeros = ''] = /(?:\.(\d+)|(0+))$/.exec(String(value)) ?? [];
  return decimals.length - zeros.length;
}

/** Two measures that have one figure in each series, and had not before. */
function findEqualMeasures(
  sets: readonly MeasureSet[],
  pairs: readonly NamedPair[],
): readonly Warning[] {
  const { minRepeated, repeatedDigits } = WARNING_THRESHOLDS;
  if (pairs.length < minRepeated) return [];
  const isEqual = (record: AnyRecord, one: string, other: string) =>
    typeof record[one] === 'number' && record[one] === record[other];
  return sets.flatMap(({ name, figures }, index): Warning[] => {
    const digits = countDigits(figures.map(({ after }) => after));
    const other = sets.slice(index + 1).find((set) => {
      if (!pairs.every(({ current }) => isEqual(current.record, name, set.name))) return false;
      const equal = pairs.filter(({ previous }) => isEqual(previous.record, name, set.name));
      return equal.length < pairs.length / 2;
    });
    const [first] = pairs;
    if (!first || !other || digits < repeatedDigits) return [];
    const text = `${name} and ${other.name} are the same in all ${pairs.length} series of ${first.current.label}, unlike ${first.previous.label}`;
    return [{ rule: 'columns-equal', field: name, value: first.current.label, text }];
  });
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
function findMissingFigures({ name }: MeasureSet, pairs: readonly NamedPair[]): Warning[] {
  const had = pairs.filter(({ previous }) => typeof previous.record[name] === 'number');
  const blank = had.filter(({ current }) => current.record[name] === null);
  const isLate = pairs.some(({ previous }) => previous.isChanged);
  const isAll = pairs.every(({ current }) => current.record[name] === null);
  const isHalf = had.length >= WARNING_THRESHOLDS.minSeries && 2 * blank.length >= had.length;
  const [first] = blank;
  if (!first || isLate || !(isAll || isHalf)) return [];
  const { current, previous } = first;
  const records = isAll ? 'all records' : `${blank.length} of ${had.length} records`;
  const text = `${name} is blank in ${records} of ${current.label}, unlike ${previous.label}`;
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
function findSwappedSeries({ name, figures, isAdditive }: MeasureSet): Warning[] {
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
      sum: isAdditive ? figures.reduce((sum, figure) => sum + figure[side], 0) : 0,
      list: [],
    };
  };
  const swaps = findSwaps(
    toFigures('before', first.pair.previous),
    toFigures('after', first.pair.current),
    // The more series moved, the more pairs of them fit by chance.
    Math.max(MIN_SWAP_RATIO, SWAP_RATIO_PER_SERIES * moved.length),
  );
  return swaps.map((warning) => ({ ...warning, field: name, text: `${name}: ${warning.text}` }));
}

const MAX_SWAPPED = 50;
const SWAP_RATIO_PER_SERIES = 1.5;
