import { describe, expect, test } from 'bun:test';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
import { findViolation } from '../../src/catalogue/model/consistency-check.ts';
import type { Field } from '../../src/catalogue/model/field.ts';
import { identifier, keyedList, share } from '../../src/catalogue/model/field-builders.ts';
import { buildRecordSchema } from '../../src/schema/envelope-schema.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { validateRecord } from '../../src/schema/validate-record.ts';
import { readFixture } from '../support/fixtures.ts';

const ajv = new Ajv({ strict: true });
addFormats(ajv);

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
  'the dataset %s',
  (_, dataset) => {
    const matchesSchema = ajv.compile(buildRecordSchema(dataset));
    const fixture = readFixture(dataset);
    const names = Object.keys(dataset.fields);

    test('every field has a description, and every number a unit', () => {
      const numeric = ['price', 'percent', 'years', 'amount', 'count', 'share', 'numbers'];
      for (const [name, { kind, description, unit, itemFields }] of Object.entries(
        dataset.fields,
      )) {
        expect([name, description.length > 2]).toEqual([name, true]);
        if (numeric.includes(kind)) expect([name, unit]).not.toEqual([name, undefined]);
        for (const inner of Object.values(itemFields ?? {}))
          expect(inner.description.length).toBeGreaterThan(2);
      }
    });

    test('the example and the fixture are valid, match the schema and satisfy the checks', () => {
      for (const record of [dataset.example, ...fixture]) {
        expect(validateRecord(dataset, record)).toEqual([]);
        expect(matchesSchema(record)).toBe(true);
        expect(dataset.checks.map((check) => findViolation(check, record) ?? '').join('')).toBe('');
      }
    });

    test('keys are serialized in the declared order', () => {
      for (const record of fixture) {
        const reversed = Object.fromEntries(Object.entries(record).toReversed());
        expect(serializeRecord(dataset, reversed)).toBe(serializeRecord(dataset, record));
        expect(Object.keys(JSON.parse(serializeRecord(dataset, reversed)))).toEqual(names);
      }
    });

    test('every field rejects values that are not finite, not exact or missing', () => {
      const [good = {}] = fixture;
      const numbers = [Number.NaN, Infinity, -Infinity, 2 ** 53];
      const invalid = [null, undefined, '', ...numbers, {}, [null], true];
      for (const name of names) {
        const { kind, isNullable, schema } = dataset.fields[name] as Field;
        const isText =
          kind === 'text' ||
          (kind === 'json' && schema.type === 'string' && !schema.pattern && !schema.enum);
        const valid = [...(isNullable ? [null] : []), ...(schema.type === 'boolean' ? [true] : [])];
        const isAccepted = (value: unknown) =>
          validateRecord(dataset, { ...good, [name]: value }).length === 0;
        expect(invalid.filter(isAccepted)).toEqual(valid);
        expect(isAccepted('1')).toBe(isText);
      }
    });

    test('every record that validation accepts matches the published schema', () => {
      const [good = {}] = fixture;
      const field = fc.constantFrom(...names);
      const value = fc.oneof(
        fc.jsonValue(),
        fc.double(),
        fc.date().map((date) => date.toJSON()),
      );
      fc.assert(
        fc.property(field, value, (name, mutation) => {
          const record = { ...good, [name]: mutation };
          if (validateRecord(dataset, record).length > 0) return;
          expect(matchesSchema(record)).toBe(true);
          expect(JSON.parse(serializeRecord(dataset, record))).toEqual(
            JSON.parse(JSON.stringify(record)),
          );
        }),
      );
    });
  },
);

describe('record validation', () => {
  const [dataset] = catalogue as [(typeof catalogue)[number]];

  test.each([[null], [7], ['x'], [[]]])('rejects %j, which is no object', (value) => {
    expect(validateRecord(dataset, value)).toEqual([{ field: '', value, rule: 'an object' }]);
  });

  test('names an undeclared field', () => {
    expect(validateRecord(dataset, { ...dataset.example, colour: 'red' })).toMatchObject([
      { field: 'colour', value: 'red' },
    ]);
  });

  test('the serializer writes the shortest decimal that parses back', () => {
    const numbers = { bidPrice: 0.1 + 0.2, askPrice: 1e-7, lastPrice: -0, volume: 2 ** 53 - 1 };
    const text = serializeRecord(dataset, { ...dataset.example, ...numbers });
    expect(text).toContain('"bidPrice":0.30000000000000004,"askPrice":1e-7,"lastPrice":0,');
    expect(text).toContain('"volume":9007199254740991');
  });
});

test('a list of keys and values has each key once', () => {
  const { isValid } = keyedList('Values', 'A key', share('A share'));
  const [a, b] = ['a', 'b'].map((key) => ({ key, value: 1 }));
  expect([isValid([]), isValid([a, b]), isValid([a, b, a])]).toEqual([true, true, false]);
});

describe('an identifier field', () => {
  const { isValid, schema } = identifier('Names a thing');

  test.each([
    ['200 letters', 'a'.repeat(200), true],
    ['201 letters', 'a'.repeat(201), false],
    ['200 characters of two units each', '𝔸'.repeat(200), true],
    ['201 of them', '𝔸'.repeat(201), false],
    ['nothing', '', false],
  ])('validates %s as its schema does', (_, value, isAccepted) => {
    expect(isValid(value)).toBe(isAccepted);
    expect(ajv.compile(schema)(value)).toBe(isAccepted);
  });
});
