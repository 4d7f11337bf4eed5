/**
 * What should add up. An identity is a warning with a tolerance, never a refusal: published
 * statistics are rounded, and some parts are left out of their totals.
 */
export interface Identity {
  readonly rule: string;
  readonly holds: (record: Readonly<Record<string, unknown>>) => boolean;
}

/** The parts add up to the total, within what rounding each figure to one decimal allows. */
export const partsMakeTotal = (total: string, parts: readonly string[]): Identity => ({
  rule: `${parts.join(' + ')} = ${total}`,
  holds: (record) => {
    const sum = parts.reduce((running, part) => running + Number(record[part]), 0);
    return Math.abs(sum - Number(record[total])) <= 0.05 * (parts.length + 1);
  },
});

/** The list's values add up to one. */
export const sharesMakeOne = (list: string): Identity => ({
  rule: `${list} = 1`,
  holds: (record) => Math.abs(sumOf(record[list]) - 1) <= 1e-9,
});

/** The list's values stay within the total: regions without a key of their own make the rest. */
export const listWithinTotal = (list: string, total: string): Identity => ({
  rule: `${list} ≤ ${total}`,
  holds: (record) => sumOf(record[list]) <= Number(record[total]),
});

function sumOf(list: unknown): number {
  return (list as readonly { value: number }[]).reduce((sum, { value }) => sum + value, 0);
}
