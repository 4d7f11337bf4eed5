import fc from 'fast-check';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Field, Fields } from '../../src/catalogue/model/field.ts';
import { formatDay } from '../../src/shared/calendar.ts';
import { findControlCharacter } from '../../src/shared/control-characters.ts';
import { readFixture } from './fixtures.ts';

const FIRST_DAY = -25_567;
const LAST_DAY = 50_000;

export const anyDay = fc.integer({ min: FIRST_DAY, max: LAST_DAY }).map(formatDay);

const anyNumber = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value)),
);

const anyText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() === text && !findControlCharacter(text));

/** Parts of declarations. */
const JSON_VALUES = [
  ...readFixture(datasets).flatMap((declaration) => Object.values(declaration)),
  { cadence: 'daily', delayDays: 1, toleranceDays: 2 },
];

/** Any record that the dataset accepts. */
export function anyRecord(dataset: Dataset): fc.Arbitrary<AnyRecord> {
  const record = anyObject(dataset.fields);
  return dataset.shape === 'fund' ? record.map(fillRowValues) : record;
}

function anyObject(fields: Fields): fc.Arbitrary<AnyRecord> {
  const values = Object.entries(fields).map(([name, field]) => [name, anyValue(field)]);
  return fc.record(Object.fromEntries(values));
}

function anyValue({ isNullable, ...field }: Field): fc.Arbitrary<unknown> {
  if (isNullable) return fc.option(anyValue(field));
  switch (field.kind) {
    case 'count': {
      const { minimum, maximum } = field.schema as { minimum?: number; maximum?: number };
      if (maximum !== undefined)
        return fc
          .integer({ min: minimum ?? 0, max: maximum })
          .filter((value) => field.isValid(value));
      return field.isValid(3) ? fc.maxSafeInteger() : fc.constantFrom(1, 2, 4);
    }
    case 'flag':
      return fc.boolean();
    case 'numbers':
      return fc.array(anyNumber, { maxLength: 4 });
    case 'day':
      return anyDay;
    case 'instant':
      return anyDay.map((day) => `${day}T23:59:59.5+05:00`);
    case 'text':
      return field.isIdentifier ? anyText.filter((text) => !text.includes(',')) : anyText;
    case 'choice':
      return fc.constantFrom(...(field.schema.enum as string[]));
    case 'period': {
      const { periodsPerYear = 1, formatLabel } = field.periodKind ?? {};
      return fc
        .integer({ min: 12, max: 10_000 * periodsPerYear - 1 })
        .map((place) => formatLabel?.(place));
    }
    case 'list': {
      const key = field.itemFields?.key ? 'key' : 'date';
      const selector = (item: AnyRecord) => item[key] ?? item.label;
      return fc.uniqueArray(anyObject(field.itemFields ?? {}), { selector, maxLength: 4 });
    }
    case 'json':
      return fc.constantFrom(...JSON_VALUES.filter((value) => field.isValid(value)));
    default:
      return anyNumber.filter((value) => field.isValid(value));
  }
}

/** Gives each row of a fund as many values as there are periods. */
function fillRowValues(fund: AnyRecord): AnyRecord {
  const periods = fund.periods as readonly unknown[];
  const rows = fund.rows as readonly { label: string; values: readonly number[] }[];
  const values = (given: readonly number[]) => periods.map((_, index) => given[index] ?? index);
  return { ...fund, rows: rows.map((row) => ({ ...row, values: values(row.values) })) };
}
