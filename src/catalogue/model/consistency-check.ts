/**
 * A rule that the figures of a record should satisfy. A violation is a warning, never an error, because
 * published statistics are rounded and some totals include unlisted components. It is plain data, so that
 * readers of the catalogue can check it too.
 */
export interface ConsistencyCheck {
  /** The stable name of the violation, shared by all checks of a kind. */
  readonly name: CheckName;
  readonly rule: string;
  /** The field that a warning names: the total, if there is one. */
  readonly field: string;
  /** The other fields that are compared. */
  readonly others: readonly string[];
  /** The tolerance of a sum; absent for figures rounded to one decimal. */
  readonly tolerance?: number;
}

export type CheckName = keyof typeof CHECK_KINDS;

/** Declares a check; its rule follows from its name and fields. */
export function defineCheck(
  name: CheckName,
  field: string,
  others: readonly string[],
): ConsistencyCheck {
  return { name, rule: CHECK_KINDS[name].formatRule(field, others), field, others };
}

/** The figures of a record that violates the check, in one line; undefined if it is satisfied. */
export function findViolation(check: ConsistencyCheck, record: UnknownRecord): string | undefined {
  return CHECK_KINDS[check.name].findViolation(check, record);
}

/** A number for people, without digits that are mere floating-point error. */
export function formatRounded(value: number): string {
  return String(Math.round(value * 1e10) / 1e10);
}

type UnknownRecord = Readonly<Record<string, unknown>>;

interface CheckKind {
  readonly formatRule: (field: string, others: readonly string[]) => string;
  readonly findViolation: (
    check: Pick<ConsistencyCheck, 'field' | 'others' | 'tolerance'>,
    record: UnknownRecord,
  ) => string | undefined;
}

/** The kinds of checks, by the stable names of their violations. */
export const CHECK_KINDS = {
  // Within the error of rounding each figure to one decimal.
  'parts-off-total': {
    formatRule: (total, parts) => `${parts.join(' + ')} = ${total}`,
    findViolation({ field, others, tolerance = roundingTolerance(others.length + 1) }, record) {
      if ([field, ...others].some((name) => record[name] === null)) return undefined;
      const sum = others.reduce((running, part) => running + Number(record[part]), 0);
      const stated = Number(record[field]);
      if (isWithinTolerance(sum, stated, tolerance)) return undefined;
      const sides = `${others.join(' + ')} = ${formatRounded(sum)}, ${field} says ${formatRounded(stated)}`;
      return `${sides}; ${formatDeviation(sum, stated, tolerance)}`;
    },
  },
  'shares-off-one': {
    formatRule: (list) => `${list} = 1`,
    findViolation({ field }, record) {
      const sum = sumListValues(record[field]);
      if (isWithinTolerance(sum, 1, 0)) return undefined;
      return `${field} add up to ${formatRounded(sum)}, not to 1; ${formatDeviation(sum, 1, FLOAT_TOLERANCE)}`;
    },
  },
  // Some regions are not in the list.
  'list-above-total': {
    formatRule: (total, [list]) => `${list} ≤ ${total}`,
    findViolation({ field, others: [list = ''] }, record) {
      const [sum, stated] = [sumListValues(record[list]), Number(record[field])];
      if (sum <= stated + FLOAT_TOLERANCE) return undefined;
      const above = `above it by ${formatRounded(sum - stated)}, tolerance 0`;
      return `${list} add up to ${formatRounded(sum)}, ${field} says ${formatRounded(stated)}; ${above}`;
    },
  },
  // Within the error of rounding each row to one decimal.
  'rows-off-100': {
    formatRule: (rows) => `the ${rows} of each period = 100`,
    findViolation({ field, others: [periodsField = ''] }, record) {
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
      const gross = first.sum > 100 ? `; if ${field} are gross, they may exceed it` : '';
      const count = violations.length > 1 ? `; ${violations.length} periods are off in all` : '';
      return `${sum}; ${formatDeviation(first.sum, 100, tolerance)}${gross}${count}`;
    },
  },
  'figure-above-other': {
    formatRule: (figure, [other]) => `${figure} ≤ ${other}`,
    findViolation({ field, others: [other = ''] }, record) {
      const [figure, limit] = [record[field], record[other]];
      if (typeof figure !== 'number' || typeof limit !== 'number' || figure <= limit)
        return undefined;
      return `${field} ${figure} is above ${other} ${limit}`;
    },
  },
  'bid-above-ask': {
    formatRule: (bid, [ask]) => `${bid} ≤ ${ask}`,
    findViolation({ field: bid, others: [ask = ''] }, record) {
      // A price of 0 means no order.
      if (record[ask] === 0 || Number(record[bid]) <= Number(record[ask])) return undefined;
      return `${bid} ${record[bid]} is above ${ask} ${record[ask]}`;
    },
  },
} as const satisfies Record<string, CheckKind>;

// Floating-point error is not a violation: 0.7 + 0.2 + 0.1 is not exactly 1.
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
