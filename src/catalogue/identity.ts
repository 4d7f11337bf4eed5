/**
 * What should add up. An identity is a warning with a tolerance, never a refusal: published
 * statistics are rounded, and some parts are left out of their totals.
 */
export interface Identity {
  /** What is wrong where it does not hold: a stable name, shared by all identities of a kind. */
  readonly name: IdentityName;
  readonly rule: string;
  /** The field that a warning names: the total, where there is one. */
  readonly field: string;
  readonly holds: (record: AnyRecord) => boolean;
  /** The figures of a record that breaks it, in one line for a person. */
  readonly tells: (record: AnyRecord) => string;
}

export type IdentityName =
  | 'parts-off-total'
  | 'shares-off-one'
  | 'list-above-total'
  | 'rows-off-100'
  | 'bid-above-ask';

type AnyRecord = Readonly<Record<string, unknown>>;

/** The parts add up to the total, within what rounding each figure to one decimal allows. */
export const partsMakeTotal = (total: string, parts: readonly string[]): Identity => {
  const tolerance = roundingOf(parts.length + 1);
  const sum = (record: AnyRecord) =>
    parts.reduce((running, part) => running + Number(record[part]), 0);
  const stated = (record: AnyRecord) => Number(record[total]);
  return {
    name: 'parts-off-total',
    rule: `${parts.join(' + ')} = ${total}`,
    field: total,
    holds: (record) => isNear(sum(record), stated(record), tolerance),
    tells: (record) =>
      `${parts.join(' + ')} = ${figure(sum(record))}, ${total} says ${figure(stated(record))}; ` +
      offBy(sum(record), stated(record), tolerance),
  };
};

/** The list's values add up to one. */
export const sharesMakeOne = (list: string): Identity => ({
  name: 'shares-off-one',
  rule: `${list} = 1`,
  field: list,
  holds: (record) => isNear(sumOf(record[list]), 1, 0),
  tells: (record) => {
    const sum = sumOf(record[list]);
    return `${list} add up to ${figure(sum)}, not to 1; ${offBy(sum, 1, FLOAT_NOISE)}`;
  },
});

/** The list's values stay within the total: regions without a key of their own make the rest. */
export const listWithinTotal = (list: string, total: string): Identity => ({
  name: 'list-above-total',
  rule: `${list} ≤ ${total}`,
  field: total,
  holds: (record) => sumOf(record[list]) <= Number(record[total]) + FLOAT_NOISE,
  tells: (record) => {
    const [sum, stated] = [sumOf(record[list]), Number(record[total])];
    const above = `above it by ${figure(sum - stated)}, tolerance 0`;
    return `${list} add up to ${figure(sum)}, ${total} says ${figure(stated)}; ${above}`;
  },
});

/** Each period's values add up to 100, within what rounding each row to one decimal allows. */
export const rowsMakeHundred = (rows: string, periods: string): Identity => ({
  name: 'rows-off-100',
  rule: `the ${rows} of each period = 100`,
  field: rows,
  holds: (record) => periodsOff(record[rows], record[periods]).length === 0,
  tells: (record) => {
    const off = periodsOff(record[rows], record[periods]);
    const [first] = off;
    if (!first) return '';
    const sum = `the ${rows} of "${first.label}" add up to ${figure(first.sum)}, not to 100`;
    const gross = first.sum > 100 ? `; where ${rows} are gross, they may exceed it` : '';
    const more = off.length > 1 ? `; ${off.length} periods are off in all` : '';
    return `${sum}; ${offBy(first.sum, 100, first.tolerance)}${gross}${more}`;
  },
});

/** A number for a person, without the last digits, which only tell how doubles add up. */
export function figure(value: number): string {
  return String(Math.round(value * 1e10) / 1e10);
}

// What doubles cannot tell apart is held against nobody: 0.7 + 0.2 + 0.1 is not quite 1 either.
const FLOAT_NOISE = 1e-9;

function isNear(sum: number, stated: number, tolerance: number): boolean {
  return Math.abs(sum - stated) <= tolerance + FLOAT_NOISE;
}

function offBy(sum: number, stated: number, tolerance: number): string {
  return `off by ${figure(Math.abs(sum - stated))}, tolerance ${figure(tolerance)}`;
}

/** What rounding each of so many figures to one decimal can add up to. */
function roundingOf(figures: number): number {
  return 0.05 * figures;
}

function periodsOff(rowList: unknown, periodList: unknown) {
  const rows = rowList as readonly { values: readonly number[] }[];
  const tolerance = roundingOf(rows.length + 1);
  return (periodList as readonly { label: string }[]).flatMap(({ label }, period) => {
    const sum = rows.reduce((running, { values }) => running + (values[period] ?? 0), 0);
    return isNear(sum, 100, tolerance) ? [] : [{ label, sum, tolerance }];
  });
}

function sumOf(list: unknown): number {
  return (list as readonly { value: number }[]).reduce((sum, { value }) => sum + value, 0);
}
