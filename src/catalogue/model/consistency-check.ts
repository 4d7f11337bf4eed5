/**
 * What should add up. An identity is a warning with a tolerance, never a refusal: published
 * statistics are rounded, and some parts are left out of their totals. It is plain data, so that
 * whoever reads the catalogue can check it too.
 */
export interface ConsistencyCheck<Name extends string = string> {
  /** What is wrong where it does not hold: a stable name, shared by all identities of a kind. */
  readonly name: CheckName;
  readonly rule: string;
  /** The field that a warning names: the total, where there is one. */
  readonly field: Name;
  /** The other fields that it looks at. */
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

/** Whether a record of the dataset keeps the identity. */
export function isSatisfied(identity: ConsistencyCheck, record: UnknownRecord): boolean {
  return CHECK_EVALUATORS[identity.name].holds(identity, record);
}

/** The figures of a record that breaks the identity, in one line for a person. */
export function explainViolation(identity: ConsistencyCheck, record: UnknownRecord): string {
  return CHECK_EVALUATORS[identity.name].tells(identity, record);
}

/** The parts add up to the total, within what rounding each figure to one decimal allows. */
export const partsSumToTotal = <const Name extends string>(
  total: Name,
  parts: readonly Name[],
): ConsistencyCheck<Name> => ({
  name: 'parts-off-total',
  rule: `${parts.join(' + ')} = ${total}`,
  field: total,
  others: parts,
});

/** The list's values add up to one. */
export const sharesSumToOne = <const Name extends string>(list: Name): ConsistencyCheck<Name> => ({
  name: 'shares-off-one',
  rule: `${list} = 1`,
  field: list,
  others: [],
});

/** The list's values stay within the total: regions without a key of their own make the rest. */
export const listAtMostTotal = <const Name extends string>(
  list: Name,
  total: Name,
): ConsistencyCheck<Name> => ({
  name: 'list-above-total',
  rule: `${list} ≤ ${total}`,
  field: total,
  others: [list],
});

/** Each period's values add up to 100, within what rounding each row to one decimal allows. */
export const rowsSumToHundred = <const Name extends string>(
  rows: Name,
  periods: Name,
): ConsistencyCheck<Name> => ({
  name: 'rows-off-100',
  rule: `the ${rows} of each period = 100`,
  field: rows,
  others: [periods],
});

/** Nobody bids more than is asked for. */
export const bidAtMostAsk = <const Name extends string>(
  bid: Name,
  ask: Name,
): ConsistencyCheck<Name> => ({
  name: 'bid-above-ask',
  rule: `${bid} ≤ ${ask}`,
  field: bid,
  others: [ask],
});

/** A number for a person, without the last digits, which only tell how doubles add up. */
export function formatRounded(value: number): string {
  return String(Math.round(value * 1e10) / 1e10);
}

type UnknownRecord = Readonly<Record<string, unknown>>;

interface CheckEvaluator {
  readonly holds: (identity: ConsistencyCheck, record: UnknownRecord) => boolean;
  readonly tells: (identity: ConsistencyCheck, record: UnknownRecord) => string;
}

const CHECK_EVALUATORS: Readonly<Record<CheckName, CheckEvaluator>> = {
  'parts-off-total': {
    holds({ field, others }, record) {
      const tolerance = roundingTolerance(others.length + 1);
      return isWithinTolerance(sumFields(record, others), Number(record[field]), tolerance);
    },
    tells({ field, others }, record) {
      const [sum, stated] = [sumFields(record, others), Number(record[field])];
      const sides = `${others.join(' + ')} = ${formatRounded(sum)}, ${field} says ${formatRounded(stated)}`;
      return `${sides}; ${formatDeviation(sum, stated, roundingTolerance(others.length + 1))}`;
    },
  },
  'shares-off-one': {
    holds: ({ field }, record) => isWithinTolerance(sumListValues(record[field]), 1, 0),
    tells({ field }, record) {
      const sum = sumListValues(record[field]);
      return `${field} add up to ${formatRounded(sum)}, not to 1; ${formatDeviation(sum, 1, FLOAT_TOLERANCE)}`;
    },
  },
  'list-above-total': {
    holds: ({ field, others: [list = ''] }, record) =>
      sumListValues(record[list]) <= Number(record[field]) + FLOAT_TOLERANCE,
    tells({ field, others: [list = ''] }, record) {
      const [sum, stated] = [sumListValues(record[list]), Number(record[field])];
      const above = `above it by ${formatRounded(sum - stated)}, tolerance 0`;
      return `${list} add up to ${formatRounded(sum)}, ${field} says ${formatRounded(stated)}; ${above}`;
    },
  },
  'rows-off-100': {
    holds: ({ field, others: [periods = ''] }, record) =>
      findUnbalancedPeriods(record[field], record[periods]).length === 0,
    tells({ field, others: [periods = ''] }, record) {
      const off = findUnbalancedPeriods(record[field], record[periods]);
      const [first] = off;
      if (!first) return '';
      const sum = `the ${field} of "${first.label}" add up to ${formatRounded(first.sum)}, not to 100`;
      const gross = first.sum > 100 ? `; where ${field} are gross, they may exceed it` : '';
      const more = off.length > 1 ? `; ${off.length} periods are off in all` : '';
      return `${sum}; ${formatDeviation(first.sum, 100, first.tolerance)}${gross}${more}`;
    },
  },
  'bid-above-ask': {
    // On the board a price of 0 means that there is no order.
    holds: ({ field: bid, others: [ask = ''] }, record) =>
      record[ask] === 0 || Number(record[bid]) <= Number(record[ask]),
    tells: ({ field: bid, others: [ask = ''] }, record) =>
      `${bid} ${record[bid]} is above ${ask} ${record[ask]}`,
  },
};

// What doubles cannot tell apart is held against nobody: 0.7 + 0.2 + 0.1 is not quite 1 either.
const FLOAT_TOLERANCE = 1e-9;

function isWithinTolerance(sum: number, stated: number, tolerance: number): boolean {
  return Math.abs(sum - stated) <= tolerance + FLOAT_TOLERANCE;
}

function formatDeviation(sum: number, stated: number, tolerance: number): string {
  return `off by ${formatRounded(Math.abs(sum - stated))}, tolerance ${formatRounded(tolerance)}`;
}

/** What rounding each of so many figures to one decimal can add up to. */
function roundingTolerance(figures: number): number {
  return 0.05 * figures;
}

function sumFields(record: UnknownRecord, fields: readonly string[]): number {
  return fields.reduce((running, field) => running + Number(record[field]), 0);
}

function findUnbalancedPeriods(rowList: unknown, periodList: unknown) {
  const rows = rowList as readonly { values: readonly number[] }[];
  const tolerance = roundingTolerance(rows.length + 1);
  return (periodList as readonly { label: string }[]).flatMap(({ label }, period) => {
    const sum = rows.reduce((running, { values }) => running + (values[period] ?? 0), 0);
    return isWithinTolerance(sum, 100, tolerance) ? [] : [{ label, sum, tolerance }];
  });
}

function sumListValues(list: unknown): number {
  return (list as readonly { value: number }[]).reduce((sum, { value }) => sum + value, 0);
}
