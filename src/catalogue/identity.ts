/**
 * What should add up. An identity is a warning with a tolerance, never a refusal: published
 * statistics are rounded, and some parts are left out of their totals. It is plain data, so that
 * whoever reads the catalogue can check it too.
 */
export interface Identity<Name extends string = string> {
  /** What is wrong where it does not hold: a stable name, shared by all identities of a kind. */
  readonly name: IdentityName;
  readonly rule: string;
  /** The field that a warning names: the total, where there is one. */
  readonly field: Name;
  /** The other fields that it looks at. */
  readonly others: readonly Name[];
}

export const IDENTITY_NAMES = [
  'parts-off-total',
  'shares-off-one',
  'list-above-total',
  'rows-off-100',
  'bid-above-ask',
] as const;
export type IdentityName = (typeof IDENTITY_NAMES)[number];

/** Whether a record of the dataset keeps the identity. */
export function holds(identity: Identity, record: AnyRecord): boolean {
  return VERDICTS[identity.name].holds(identity, record);
}

/** The figures of a record that breaks the identity, in one line for a person. */
export function tells(identity: Identity, record: AnyRecord): string {
  return VERDICTS[identity.name].tells(identity, record);
}

/** The parts add up to the total, within what rounding each figure to one decimal allows. */
export const partsMakeTotal = <const Name extends string>(
  total: Name,
  parts: readonly Name[],
): Identity<Name> => ({
  name: 'parts-off-total',
  rule: `${parts.join(' + ')} = ${total}`,
  field: total,
  others: parts,
});

/** The list's values add up to one. */
export const sharesMakeOne = <const Name extends string>(list: Name): Identity<Name> => ({
  name: 'shares-off-one',
  rule: `${list} = 1`,
  field: list,
  others: [],
});

/** The list's values stay within the total: regions without a key of their own make the rest. */
export const listWithinTotal = <const Name extends string>(
  list: Name,
  total: Name,
): Identity<Name> => ({
  name: 'list-above-total',
  rule: `${list} ≤ ${total}`,
  field: total,
  others: [list],
});

/** Each period's values add up to 100, within what rounding each row to one decimal allows. */
export const rowsMakeHundred = <const Name extends string>(
  rows: Name,
  periods: Name,
): Identity<Name> => ({
  name: 'rows-off-100',
  rule: `the ${rows} of each period = 100`,
  field: rows,
  others: [periods],
});

/** Nobody bids more than is asked for. */
export const bidWithinAsk = <const Name extends string>(bid: Name, ask: Name): Identity<Name> => ({
  name: 'bid-above-ask',
  rule: `${bid} ≤ ${ask}`,
  field: bid,
  others: [ask],
});

/** A number for a person, without the last digits, which only tell how doubles add up. */
export function figure(value: number): string {
  return String(Math.round(value * 1e10) / 1e10);
}

type AnyRecord = Readonly<Record<string, unknown>>;

interface Verdict {
  readonly holds: (identity: Identity, record: AnyRecord) => boolean;
  readonly tells: (identity: Identity, record: AnyRecord) => string;
}

const VERDICTS: Readonly<Record<IdentityName, Verdict>> = {
  'parts-off-total': {
    holds({ field, others }, record) {
      const tolerance = roundingOf(others.length + 1);
      return isNear(sumOfFields(record, others), Number(record[field]), tolerance);
    },
    tells({ field, others }, record) {
      const [sum, stated] = [sumOfFields(record, others), Number(record[field])];
      const sides = `${others.join(' + ')} = ${figure(sum)}, ${field} says ${figure(stated)}`;
      return `${sides}; ${offBy(sum, stated, roundingOf(others.length + 1))}`;
    },
  },
  'shares-off-one': {
    holds: ({ field }, record) => isNear(sumOf(record[field]), 1, 0),
    tells({ field }, record) {
      const sum = sumOf(record[field]);
      return `${field} add up to ${figure(sum)}, not to 1; ${offBy(sum, 1, FLOAT_NOISE)}`;
    },
  },
  'list-above-total': {
    holds: ({ field, others: [list = ''] }, record) =>
      sumOf(record[list]) <= Number(record[field]) + FLOAT_NOISE,
    tells({ field, others: [list = ''] }, record) {
      const [sum, stated] = [sumOf(record[list]), Number(record[field])];
      const above = `above it by ${figure(sum - stated)}, tolerance 0`;
      return `${list} add up to ${figure(sum)}, ${field} says ${figure(stated)}; ${above}`;
    },
  },
  'rows-off-100': {
    holds: ({ field, others: [periods = ''] }, record) =>
      periodsOff(record[field], record[periods]).length === 0,
    tells({ field, others: [periods = ''] }, record) {
      const off = periodsOff(record[field], record[periods]);
      const [first] = off;
      if (!first) return '';
      const sum = `the ${field} of "${first.label}" add up to ${figure(first.sum)}, not to 100`;
      const gross = first.sum > 100 ? `; where ${field} are gross, they may exceed it` : '';
      const more = off.length > 1 ? `; ${off.length} periods are off in all` : '';
      return `${sum}; ${offBy(first.sum, 100, first.tolerance)}${gross}${more}`;
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

function sumOfFields(record: AnyRecord, fields: readonly string[]): number {
  return fields.reduce((running, field) => running + Number(record[field]), 0);
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
