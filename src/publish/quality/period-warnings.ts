import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import { findCaseVariant } from './case-variants.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** A warning about records, by key: the suspicious one, and the one it was compared with. */
export interface PeriodWarning {
  readonly keys: readonly string[];
  readonly warning: Warning;
}

/** The figures of a period: its size, and its components by name, including those of lists. */
export interface PeriodFigures {
  readonly key: string;
  /** The values of its dimensions. */
  readonly series: readonly string[];
  readonly label: string;
  readonly ordinal: number;
  readonly size: number;
  readonly parts: ReadonlyMap<string, number>;
  /** The sum of the components. */
  readonly sum: number;
  readonly list: readonly KeyedValue[];
}

/** Warns about records given newest period first, and keeps only one record per series. */
export class SeriesWarnings {
  readonly #later = new Map<string, PeriodFigures>();

  constructor(
    private readonly dataset: Dataset,
    /** There are no warnings about further series. */
    private readonly maxSeries: number,
  ) {}

  add(record: AnyRecord): PeriodWarning[] {
    const figures = toPeriodFigures(this.dataset, record);
    const series = figures.series.join('\0');
    const later = this.#later.get(series);
    if (later || this.#later.size < this.maxSeries) this.#later.set(series, figures);
    return later ? comparePeriods(this.dataset, figures, later) : [];
  }

  /** Warns about the first record of each series. */
  finish(): PeriodWarning[] {
    return [...this.#later.values()].flatMap((first) =>
      comparePeriods(this.dataset, undefined, first),
    );
  }
}

/** Warns about figures that do not follow from those of the previous period of the same series. */
export function comparePeriods(
  dataset: Dataset,
  previous: PeriodFigures | undefined,
  current: PeriodFigures,
): PeriodWarning[] {
  const { key, ordinal, series } = current;
  const toWarnings = (warnings: readonly Warning[], keys: readonly string[]) =>
    warnings.map((warning) => {
      const text = [series.join(' '), warning.text].filter((part) => part !== '').join(': ');
      return { keys, warning: { ...warning, text } };
    });
  if (isAllZero(current)) {
    // If there are many dimension values, some have nothing to report for years.
    if (dataset.declared && (!previous || isAllZero(previous))) return [];
    const { label } = current;
    const field = dataset.period?.field ?? '';
    const text = `every figure of ${label} is 0`;
    return toWarnings([{ rule: 'all-zero', field, value: label, text }], [key]);
  }
  if (previous && countGap(dataset, ordinal - previous.ordinal) > WARNING_THRESHOLDS.scalePeriods)
    return [];
  const moves = previous ? findMoves(dataset, previous, current) : [];
  const warnings = [...moves, ...findKeyChanges(dataset, previous, current)];
  return toWarnings(warnings, previous ? [key, previous.key] : [key]);
}

/** How many periods lie between two; weekends and holidays do not count. */
export function countGap({ period }: Pick<Dataset, 'period'>, distance: number): number {
  return period?.kind.hasHolidays ? Math.ceil(distance / 7) : distance;
}

const isAllZero = ({ size, parts }: PeriodFigures) =>
  parts.size > 0 && [size || 0, ...parts.values()].every((figure) => figure === 0);

/** Whether the figures of a series have a size, which shares do not. */
export function hasScale(dataset: Dataset): boolean {
  return getScaleFields(dataset).length > 0;
}

/** The digits of figures without leading and trailing zeros, which measure how telling a repetition is. */
export function countDigits(figures: readonly number[]): number {
  const digits = figures.map((figure) => String(figure).replace(/\D/g, ''));
  return digits.map((text) => text.replace(/^0+|(?<!0)0+$/g, '')).join('').length;
}

export function toPeriodFigures(dataset: Dataset, record: AnyRecord): PeriodFigures {
  const { period, fields, declaration } = dataset;
  const label = String(record[period?.field ?? '']);
  const series = (declaration?.dimensions ?? []).map(({ field }) => String(record[field]));
  const total = getTotal(dataset);
  const isCompared = createComparison(dataset);
  const list: KeyedValue[] = [];
  const parts = new Map<string, number>();
  for (const name of Object.keys(fields)) {
    const value = record[name];
    if (typeof value === 'number' && name !== total && isCompared(name)) parts.set(name, value);
    if (Array.isArray(value)) list.push(...(value as KeyedValue[]));
  }
  for (const { key, value } of list) parts.set(key, value);
  const size = getScaleFields(dataset).reduce(
    (sum, field) => sum + ((record[field] ?? Number.NaN) as number),
    0,
  );
  const sum = [...parts.values()].reduce((total, value) => total + value, 0);
  const ordinal = period?.kind.toOrdinal(label) ?? Number.NaN;
  const key = getKeyValues(getStorageTable(dataset), record).join('\0');
  return { key, series, label, ordinal, size, parts, sum, list };
}

/** The measure that is the sum of others. */
function getTotal({ chart, checks, declared }: Dataset): string | undefined {
  return declared ? checks[0]?.field : (chart?.total ?? undefined);
}

/** Whether figures of a field are compared; daily flows may have any size. */
export function createComparison({
  declared,
  declaration,
  period,
}: Dataset): (field: string) => boolean {
  if (!declared || !period?.kind.hasHolidays) return () => true;
  return (name) => declaration?.measures.find(({ field }) => field === name)?.kind !== 'flow';
}

/** Whether the figures of a record can be summed; declared datasets may have several units. */
function hasOneUnit({ declared, declaration }: Dataset): boolean {
  if (!declared || !declaration) return true;
  return (
    new Set(declaration.measures.map(({ unit, currency, scale }) => `${unit} ${currency} ${scale}`))
      .size === 1
  );
}

/** The total of a series, else the figures whose sum is its size. */
function getScaleFields(dataset: Dataset): string[] {
  const { fields, period } = dataset;
  const isCompared = createComparison(dataset);
  if (!period || !hasOneUnit(dataset)) return [];
  const total = getTotal(dataset);
  const names = total === undefined ? Object.keys(fields) : [total];
  return names.filter(
    (name) => ['amount', 'count'].includes(fields[name]?.kind ?? '') && isCompared(name),
  );
}

function findMoves(dataset: Dataset, previous: PeriodFigures, current: PeriodFigures): Warning[] {
  const gap = countGap(dataset, current.ordinal - previous.ordinal);
  const isDaily = dataset.period?.kind.hasHolidays;
  if (gap === 1 && !isDaily && isRepeated(dataset, previous, current)) {
    const text = `every figure of ${current.label} is that of ${previous.label}`;
    const field = dataset.period?.field ?? '';
    return [{ rule: 'figures-repeated', field, value: current.label, text }];
  }
  const findJump = (names: readonly string[], before: number, after: number, factor: number) => {
    const bound = factor * gap;
    if (before === after || (after < bound * before && before < bound * after)) return [];
    if (Math.min(before, after) < 0) return [];
    const ratio = (after / before).toPrecision(3).replace(/\.0+$/, '');
    const move = before === 0 ? 'beyond any factor' : `a factor of ${ratio}`;
    const text = `${names.join(' + ')} ${formatRounded(after)} in ${current.label} was ${formatRounded(before)} in ${previous.label}; ${move}, bound ${bound}`;
    return [{ rule: 'scale-jump', field: names[0] ?? '', value: after, text } as const];
  };
  const { scaleFactor, partFactor, partShare, maxKeys } = WARNING_THRESHOLDS;
  const hasSizes = previous.size > 0 && current.size > 0;
  const jumps = hasSizes
    ? findJump(getScaleFields(dataset), previous.size, current.size, scaleFactor)
    : [];
  if (jumps.length > 0 || current.list.length > maxKeys) return jumps;
  const swaps = findSwaps(previous, current);
  if (swaps.length > 0) return swaps;
  return [...current.parts].flatMap(([name, after]) => {
    const before = previous.parts.get(name) ?? after;
    const share = Math.max(before / previous.sum, after / current.sum);
    const isSmall = hasOneUnit(dataset) && share < partShare;
    return isSmall ? [] : findJump([name], before, after, partFactor);
  });
}

function isRepeated(dataset: Dataset, previous: PeriodFigures, { parts, size }: PeriodFigures) {
  const figures = [...parts.values(), ...(getTotal(dataset) ? [size] : [])];
  return (
    Object.is(size, previous.size) &&
    parts.size === previous.parts.size &&
    [...parts].every(([name, value]) => previous.parts.get(name) === value) &&
    countDigits(figures) >= WARNING_THRESHOLDS.repeatedDigits
  );
}

/** Warns about pairs of components that are close to each other's previous figures, and far from their own. */
export function findSwaps(
  previous: PeriodFigures,
  current: PeriodFigures,
  minRatio = MIN_SWAP_RATIO,
): Warning[] {
  const isTelling = (name: string) =>
    [previous, current].every(
      ({ parts, sum }) => (parts.get(name) ?? 0) > Math.max(0, MIN_SWAP_SHARE * sum),
    );
  const names = [...current.parts.keys()].filter(isTelling);
  const distance = (name: string, other: string) =>
    Math.abs(Math.log((current.parts.get(name) ?? 0) / (previous.parts.get(other) ?? 0)));
  const pairs = names.flatMap((a, index) => names.slice(index + 1).map((b) => [a, b] as const));
  return pairs.flatMap(([a, b]) => {
    const straight = distance(a, a) + distance(b, b);
    const crossed = distance(a, b) + distance(b, a);
    const isFar = straight >= 2 * Math.log(WARNING_THRESHOLDS.swapFactor);
    if (!isFar || crossed * minRatio > straight) return [];
    const show = ({ label, parts }: PeriodFigures) =>
      `${formatRounded(parts.get(a) ?? 0)} and ${formatRounded(parts.get(b) ?? 0)} in ${label}`;
    const text = `${a} and ${b} are ${show(current)}, and were ${show(previous)}: they may be swapped`;
    return [{ rule: 'columns-swapped', field: a, value: current.parts.get(a), text }];
  });
}

/** How much further figures are from their own names than from the exchanged ones. */
export const MIN_SWAP_RATIO = 3;
/** Small figures with one decimal change places by chance. */
const MIN_SWAP_SHARE = 0.01;

function findKeyChanges(
  { fields, checks, example }: Dataset,
  previous: PeriodFigures | undefined,
  { label, list }: PeriodFigures,
): Warning[] {
  const field = Object.keys(fields).find((name) => fields[name]?.kind === 'list');
  if (field === undefined) return [];
  // The keys of regions are fixed; those of operators change.
  const isFixed = checks.some(({ others }) => others.includes(field));
  const known = isFixed ? (example[field] as readonly KeyedValue[]) : list;
  const before = previous?.list ?? known;
  const toKeys = (items: readonly KeyedValue[]) => items.map(({ key }) => key);
  const variant = findCaseVariant(toKeys(list), toKeys(before));
  if (variant) return [{ ...variant, field }];
  const { maxKeys, partShare } = WARNING_THRESHOLDS;
  if (Math.max(list.length, before.length) > maxKeys && !isFixed) return [];
  const findOnly = (items: readonly KeyedValue[], others: readonly KeyedValue[]) => {
    const minimum = isFixed ? 0 : partShare * items.reduce((total, { value }) => total + value, 0);
    const only = items.filter(
      ({ key, value }) => value >= minimum && !toKeys(others).includes(key),
    );
    return toKeys(only);
  };
  const changed = [...findOnly(list, before), ...findOnly(before, list)];
  if (changed.length === 0) return [];
  const text = `${field} of ${label} and of ${previous?.label ?? 'the example'} do not both have ${changed.join(', ')}`;
  return [{ rule: 'unknown-key', field, value: changed[0], text }];
}
