/**
 * A rule that the figures of a record should satisfy. A violation is a warning, never an error:
 * published statistics are rounded, and some components are left out of their totals. It is plain
 * data, so that readers of the catalogue can check it too.
 */
export interface ConsistencyCheck<Name extends string = string> {
  /** The stable name of the violation, shared by all checks of a kind. */
  readonly name: CheckName;
  readonly rule: string;
  /** The field that a warning names: the total, if there is one. */
  readonly field: Name;
  /** The other fields that are compared. */
  readonly others: readonly Name[];
}

export const CHECK_NAMES = [
  'parts-off-total',
  'shares-off-one',
  'list-above-total',
  'rows-off-100',
  'bid-above-ask',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** The figures of a record that violates the check, in one line; undefined if it is satisfied. */
export function findViolation(check: ConsistencyCheck, record: UnknownRecord): string | undefined {
  return VIOLATION_FINDERS[check.name](check, record);
}

/** The components add up to the total, within the error of rounding each figure to one decimal. */
export const partsSumToTotal = <const Name extends string>(
  total: Name,
  parts: readonly Name[],
): ConsistencyCheck<Name> => ({
  name: 'parts-off-total',
  rule: `${parts.join(' + ')} = ${total}`,
  field: total,
  others: parts,
});

/** The values of the list add up to one. */
export const sharesSumToOne = <const Name extends string>(list: Name): ConsistencyCheck<Name> => ({
  name: 'shares-off-one',
  rule: `${list} = 1`,
  field: list,
  others: [],
});

/** The sum of the list is at most the total: some regions have no key in the list. */
export const listAtMostTotal = <const Name extends string>(
  list: Name,
  total: Name,
): ConsistencyCheck<Name> => ({
  name: 'list-above-total',
  rule: `${list} ≤ ${total}`,
  field: total,
  others: [list],
});

/** The values of each period add up to 100, within the error of rounding to one decimal. */
export const rowsSumToHundred = <const Name extends string>(
  rows: Name,
  periods: Name,
): ConsistencyCheck<Name> => ({
  name: 'rows-off-100',
  rule: `the ${rows} of each period = 100`,
  field: rows,
  others: [periods],
});

/** The bid is at most the ask. */
export const bidAtMostAsk = <const Name extends string>(
  bid: Name,
  ask: Name,
): ConsistencyCheck<Name> => ({
  name: 'bid-above-ask',
  rule: `${bid} ≤ ${ask}`,
  field: bid,
  others: [ask],
});

/** A number for people, without the digits that are only floating-point error. */
export function formatRounded(value: number): string {
  return String(Math.round(value * 1e10) / 1e10);
}

type UnknownRecord = Readonly<Record<string, unknown>>;

const VIOLATION_FINDERS: Readonly<Record<CheckName, typeof findViolation>> = {
  'parts-off-total'({ field, others }, record) {
    const sum = others.reduce((running, part) => running + Number(record[part]), 0);
    const stated = Number(record[field]);
    const tolerance = roundingTolerance(others.length + 1);
    if (isWithinTolerance(sum, stated, tolerance)) return undefined;
    const sides = `${others.join(' + ')} = ${formatRounded(sum)}, ${field} says ${formatRounded(stated)}`;
    return `${sides}; ${formatDeviation(sum, stated, tolerance)}`;
  },
  'shares-off-one'({ field }, record) {
    const sum = sumListValues(record[field]);
    if (isWithinTolerance(sum, 1, 0)) return undefined;
    return `${field} add up to ${formatRounded(sum)}, not to 1; ${formatDeviation(sum, 1, FLOAT_TOLERANCE)}`;
  },
  'list-above-total'({ field, others: [list = ''] }, record) {
    const [sum, stated] = [sumListValues(record[list]), Number(record[field])];
    if (sum <= stated + FLOAT_TOLERANCE) return undefined;
    const above = `above it by ${formatRounded(sum - stated)}, tolerance 0`;
    return `${list} add up to ${formatRounded(sum)}, ${field} says ${formatRounded(stated)}; ${above}`;
  },
  'rows-off-100'({ field, others: [periodsField = ''] }, record) {
    const rows = record[field] as readonly { values: readonly number[] }[];
    const periods = record[periodsField] as readonly { label: string }[];
    const tolerance = roundingTolerance(rows.length + 1);
    const violations = periods
      .map(({ label }, index) => ({
        label,
        sum: rows.reduce((running, { values }) => running + (values[index] ?? 0), 0),
      }))
      .filter(({ sum }) => !isWithinTolerance(sum, 100, tolerance));
    const [first] = violations;
    if (!first) return undefined;
    const sum = `the ${field} of "${first.label}" add up to ${formatRounded(first.sum)}, not to 100`;
    const gross = first.sum > 100 ? `; where ${field} are gross, they may exceed it` : '';
    const count = violations.length > 1 ? `; ${violations.length} periods are off in all` : '';
    return `${sum}; ${formatDeviation(first.sum, 100, tolerance)}${gross}${count}`;
  },
  'bid-above-ask'({ field: bid, others: [ask = ''] }, record) {
    // A price of 0 means that there is no order.
    if (record[ask] === 0 || Number(record[bid]) <= Number(record[ask])) return undefined;
    return `${bid} ${record[bid]} is above ${ask} ${record[ask]}`;
  },
};

// Floating-point error is no violation: 0.7 + 0.2 + 0.1 is not exactly 1.
const FLOAT_TOLERANCE = 1e-9;

function isWithinTolerance(sum: number, stated: number, tolerance: number): boolean {
  return Math.abs(sum - stated) <= tolerance + FLOAT_TOLERANCE;
}

function formatDeviation(sum: number, stated: number, tolerance: number): string {
  return `off by ${formatRounded(Math.abs(sum - stated))}, tolerance ${formatRounded(tolerance)}`;
}

/** The largest sum of errors when each figure is rounded to one decimal. */
function roundingTolerance(figureCount: number): number {
  return 0.05 * figureCount;
}

function sumListValues(list: unknown): number {
  return (list as readonly { value: number }[]).reduce((sum, { value }) => sum + value, 0);
}
