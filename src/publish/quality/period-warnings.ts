import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import { findCaseVariant } from './case-variants.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** A warning about a period, and the one that it was compared with. */
interface PeriodWarning {
  readonly ordinal: number;
  readonly previousOrdinal: number | undefined;
  readonly warning: Warning;
}

/** The figures of a period: its size, and its components by name, those of lists included. */
interface PeriodFigures {
  readonly label: string;
  readonly ordinal: number;
  readonly size: number;
  readonly parts: ReadonlyMap<string, number>;
  readonly list: readonly KeyedValue[];
}

/** Warns of figures that do not follow from those of the period before; records in any order. */
export function findPeriodWarnings(
  dataset: Dataset,
  records: readonly AnyRecord[],
): PeriodWarning[] {
  const periods = records
    .map((record) => toPeriodFigures(dataset, record))
    .sort((a, b) => a.ordinal - b.ordinal);
  return periods.flatMap((current, index) => {
    const previous = periods[index - 1];
    const { ordinal } = current;
    if (previous && ordinal - previous.ordinal > WARNING_THRESHOLDS.scalePeriods) return [];
    const moves = previous ? findMoves(dataset, previous, current) : [];
    return [...moves, ...findKeyChanges(dataset, previous, current)].map((warning) => ({
      ordinal,
      previousOrdinal: previous?.ordinal,
      warning,
    }));
  });
}

/** Whether the figures of a series have a size: shares of a whole have none. */
export function hasScale(dataset: Dataset): boolean {
  return getScaleFields(dataset).length > 0;
}

/** Warns of published periods before the newest whose figures all changed. */
export function findOverwrittenPeriods(
  dataset: Dataset,
  published: readonly AnyRecord[],
  records: readonly AnyRecord[],
): PeriodWarning[] {
  const before = published.map((record) => toPeriodFigures(dataset, record));
  const newest = Math.max(...before.map(({ ordinal }) => ordinal));
  const after = records.map((record) => toPeriodFigures(dataset, record));
  const current = new Map(after.map((figures) => [figures.ordinal, figures]));
  return before.flatMap(({ label, ordinal, parts }) => {
    const changed = current.get(ordinal)?.parts;
    if (!changed || ordinal === newest) return [];
    const { overwrittenShare, revisedShare } = WARNING_THRESHOLDS;
    const isRevised = ([name, value]: readonly [string, number]) =>
      Math.abs((changed.get(name) ?? 0) - value) > revisedShare * Math.abs(value);
    const count = [...parts].filter(isRevised).length;
    if (count < Math.max(3, overwrittenShare * parts.size)) return [];
    const text = `${count} of ${parts.size} figures of ${label}, which is published, change: is it another period?`;
    const field = dataset.period?.field ?? '';
    const warning = { rule: 'period-overwritten', field, value: label, text } as const;
    return [{ ordinal, previousOrdinal: undefined, warning }];
  });
}

/** The digits of figures without leading and trailing zeros: how telling it is that they repeat. */
export function countDigits(figures: readonly number[]): number {
  const digits = figures.map((figure) => String(figure).replace(/\D/g, ''));
  return digits.map((text) => text.replace(/^0+|0+$/g, '')).join('').length;
}

function toPeriodFigures(dataset: Dataset, record: AnyRecord): PeriodFigures {
  const { period, fields, chart } = dataset;
  const label = String(record[period?.field ?? '']);
  const list: KeyedValue[] = [];
  const parts = new Map<string, number>();
  for (const name of Object.keys(fields)) {
    const value = record[name];
    if (typeof value === 'number' && name !== chart?.total) parts.set(name, value);
    if (Array.isArray(value)) list.push(...(value as KeyedValue[]));
  }
  for (const { key, value } of list) parts.set(key, value);
  const size = getScaleFields(dataset).reduce((sum, field) => sum + Number(record[field]), 0);
  return { label, ordinal: period?.kind.toOrdinal(label) ?? Number.NaN, size, parts, list };
}

/** The total of a series, else the figures that add up to its size. */
function getScaleFields({ chart, fields, period }: Dataset): string[] {
  if (!period) return [];
  if (chart?.total) return [chart.total];
  return Object.keys(fields).filter((name) =>
    ['amount', 'count'].includes(fields[name]?.kind ?? ''),
  );
}

function findMoves(dataset: Dataset, previous: PeriodFigures, current: PeriodFigures): Warning[] {
  const { chart, period } = dataset;
  const gap = current.ordinal - previous.ordinal;
  const figures = [...current.parts.values()];
  const isRepeated =
    gap === 1 &&
    current.size === previous.size &&
    figures.length === previous.parts.size &&
    [...current.parts].every(([name, value]) => previous.parts.get(name) === value) &&
    countDigits(chart?.total ? [...figures, current.size] : figures) >=
      WARNING_THRESHOLDS.repeatedDigits;
  if (isRepeated) {
    const text = `every figure of ${current.label} is that of ${previous.label}`;
    const field = period?.field ?? '';
    return [{ rule: 'figures-repeated', field, value: current.label, text }];
  }
  const scaleFields = getScaleFields(dataset);
  const name = scaleFields.join(' + ');
  const bound = WARNING_THRESHOLDS.scaleFactor * gap;
  if (previous.size > 0 && current.size > 0 && isJump(previous.size, current.size, bound)) {
    const text = describeJump(name, previous, current, [previous.size, current.size], bound);
    return [{ rule: 'scale-jump', field: scaleFields[0] ?? '', value: current.size, text }];
  }
  if (current.list.length > WARNING_THRESHOLDS.maxKeys) return [];
  const swaps = findSwaps(previous, current);
  return swaps.length > 0 ? swaps : findPartJumps(previous, current);
}

function isJump(before: number, after: number, bound: number): boolean {
  return after >= bound * before || before >= bound * after;
}

function describeJump(
  name: string,
  { label: previousLabel }: PeriodFigures,
  { label }: PeriodFigures,
  [before, after]: readonly [number, number],
  bound: number,
): string {
  const factor = (after / before).toPrecision(3).replace(/\.0+$/, '');
  return `${name} ${formatRounded(after)} in ${label} was ${formatRounded(before)} in ${previousLabel}; a factor of ${factor}, bound ${bound}`;
}

/** Warns of components that matter, and are far from what they were. */
function findPartJumps(previous: PeriodFigures, current: PeriodFigures): Warning[] {
  const bound = WARNING_THRESHOLDS.partFactor * (current.ordinal - previous.ordinal);
  return [...current.parts].flatMap(([name, after]) => {
    const before = previous.parts.get(name);
    if (before === undefined || before === after || !isJump(before, after, bound)) return [];
    const share = Math.max(before / sumParts(previous), after / sumParts(current));
    if (share < WARNING_THRESHOLDS.partShare) return [];
    const text = describeJump(name, previous, current, [before, after], bound);
    return [{ rule: 'scale-jump', field: name, value: after, text }];
  });
}

function sumParts({ parts }: PeriodFigures): number {
  return [...parts.values()].reduce((sum, value) => sum + value, 0);
}

/** Warns of pairs of components that are close to each other's figures, and far from their own. */
function findSwaps(previous: PeriodFigures, current: PeriodFigures): Warning[] {
  const minimum = WARNING_THRESHOLDS.swapMinShare * sumParts(previous);
  const isTelling = (name: string) =>
    (previous.parts.get(name) ?? 0) > minimum && (current.parts.get(name) ?? 0) > minimum;
  const names = [...current.parts.keys()].filter(isTelling);
  const distance = (name: string, other: string) =>
    Math.abs(Math.log((current.parts.get(name) ?? 0) / (previous.parts.get(other) ?? 0)));
  return names.flatMap((a, index) =>
    names.slice(index + 1).flatMap((b) => {
      const straight = distance(a, a) + distance(b, b);
      const crossed = distance(a, b) + distance(b, a);
      const isFar = straight >= 2 * Math.log(WARNING_THRESHOLDS.swapFactor);
      if (!isFar || crossed > straight / 3) return [];
      const show = ({ label, parts }: PeriodFigures) =>
        `${formatRounded(parts.get(a) ?? 0)} and ${formatRounded(parts.get(b) ?? 0)} in ${label}`;
      const text = `${a} and ${b} are ${show(current)}, and were ${show(previous)}: they may be swapped`;
      return [{ rule: 'columns-swapped', field: a, value: current.parts.get(a), text } as const];
    }),
  );
}

function findKeyChanges(
  dataset: Dataset,
  previous: PeriodFigures | undefined,
  { label, list }: PeriodFigures,
): Warning[] {
  const field = Object.keys(dataset.fields).find((name) => dataset.fields[name]?.kind === 'list');
  if (field === undefined) return [];
  const isFixed = dataset.checks.some(({ others }) => others.includes(field));
  const example = isFixed ? (dataset.example[field] as readonly KeyedValue[]) : list;
  const before = previous?.list ?? example;
  const variant = findCaseVariant(
    list.map(({ key }) => key),
    before.map(({ key }) => key),
  );
  if (variant) return [{ ...variant, field }];
  const isLong = Math.max(list.length, before.length) > WARNING_THRESHOLDS.maxKeys;
  if (isLong && !isFixed) return [];
  const reference = previous ? previous.label : 'the example';
  const describe = (items: readonly KeyedValue[], others: readonly KeyedValue[], text: string) => {
    const sum = items.reduce((total, { value }) => total + value, 0);
    const minimum = isFixed ? Number.NEGATIVE_INFINITY : WARNING_THRESHOLDS.partShare * sum;
    return items
      .filter(({ key, value }) => value >= minimum && !others.some((other) => other.key === key))
      .map(
        ({ key }) => ({ rule: 'unknown-key', field, value: key, text: `${key} ${text}` }) as const,
      );
  };
  return [
    ...describe(list, before, `of ${label} is not in ${field} of ${reference}`),
    ...describe(before, list, `of ${reference} is not in ${field} of ${label}`),
  ];
}
