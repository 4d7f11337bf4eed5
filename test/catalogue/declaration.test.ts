import { describe, expect, test } from 'bun:test';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import * as series from '../../src/catalogue/datasets/series/index.ts';
import { findDeclarationProblems } from '../../src/catalogue/declaration-problems.ts';
import { findViolation } from '../../src/catalogue/model/consistency-check.ts';
import { createDataset, createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { DECLARATION_SCHEMA, SHIPPED_SCHEMA } from '../../src/catalogue/model/declaration.ts';
import type { Fields } from '../../src/catalogue/model/field.ts';
import { INSTANT_PATTERN_SOURCE } from '../../src/catalogue/model/iso-date-time.ts';
import { TRANSFORM_PARAMETERS } from '../../src/catalogue/model/transform-parameters.ts';
import { VINTAGE_SCHEMAS } from '../../src/operations/vintages/vintages-operation.ts';
import { findFigureWarnings } from '../../src/publish/quality/plausible-figures.ts';

const ajv = new Ajv2020({ allowUnionTypes: true });
const isValid = (schema: object, value: unknown) => ajv.validate(schema as AnySchema, value);

/** Members of every object, parameters, and what responses add to records. */
const TAKEN = [
  ...['constructor', 'toString', 'dataset', 'theme', 'raw'],
  ...['from', 'to', 'limit', 'cursor', 'sort', 'fields', 'as_of', 'format'],
  ...Object.keys(TRANSFORM_PARAMETERS),
  ...Object.keys(VINTAGE_SCHEMAS),
  ...['release', 'start', 'end', 'status', 'observed', 'expected', 'change', 'record', 'revision'],
];

const KIBOR = {
  name: 'kibor',
  title: 'Interbank offered rates',
  source: 'The bank',
  period: { kind: 'day', field: 'date' },
  dimensions: [
    { field: 'tenor', title: 'Tenor', codes: { '1M': 'one month', '6M': 'six months' } },
    { field: 'bank', title: 'Bank' },
  ],
  measures: [
    { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate', decimals: 2, required: true },
    { field: 'offer', title: 'Offer', unit: 'percent', kind: 'rate', scale: 1, currency: 'PKR' },
  ],
  checks: [
    { sum: ['bid'], equals: 'offer', tolerance: 0.1 },
    { field: 'bid', min: 0, max: 100 },
  ],
  schedule: { cadence: 'daily', delayDays: 1, toleranceDays: 3 },
  chart: ['bid', 'offer'],
  status: false,
} as const;

describe.each(Object.values(series))('the declaration of $name', ({ declaration }) => {
  test('is JSON and valid, for a declaration that ships', () => {
    expect(JSON.parse(JSON.stringify(declaration))).toEqual(declaration);
    expect(isValid(SHIPPED_SCHEMA, declaration)).toBeTrue();
    expect(findDeclarationProblems(declaration, { isShipped: true })).toEqual([]);
  });

  test('is invalid for a publisher: the name is reserved, and it has a path of its own', () => {
    const problems = findDeclarationProblems(declaration);
    expect(isValid(DECLARATION_SCHEMA, declaration)).toBeFalse();
    expect(problems).toContain(`$.name must be another: ${declaration?.name} is reserved`);
    expect(problems.some((line) => line.startsWith('$.path is not one of name, '))).toBeTrue();
  });
});

describe("a publisher's declaration", () => {
  test('is valid by the schema and by the validator', () => {
    expect(isValid(DECLARATION_SCHEMA, KIBOR)).toBeTrue();
    expect(findDeclarationProblems(KIBOR)).toEqual([]);
  });

  const [bid] = KIBOR.measures;
  const [tenor] = KIBOR.dimensions;
  const { schedule } = KIBOR;
  /** What is changed, the problems, and whether the schema finds them too. */
  const PROBLEMS: readonly (readonly [object | null, readonly string[], boolean])[] = [
    [null, ['$ must be of type object'], true],
    [{ name: 'Kibor' }, ['$.name must match ^[a-z][a-z0-9-]{0,59}$'], true],
    [{ name: 'a'.repeat(61) }, ['$.name must match ^[a-z][a-z0-9-]{0,59}$'], true],
    ...['curve', 'aligned', 'analytics', 'holidays'].map((name): [object, string[], boolean] => [
      { name },
      [`$.name must be another: ${name} is reserved`],
      false,
    ]),
    [{ name: 'quotes' }, ['$.name must be another: quotes is reserved'], false],
    [{ name: 'constructor' }, ['$.name must be another: constructor is reserved'], false],
    [{ supersedes: 'kibor' }, ['$.supersedes must be another dataset'], false],
    [{ title: 7 }, ['$.title must be of type string'], true],
    [{ title: 'a'.repeat(201) }, ['$.title must have at most 200 characters'], true],
    [
      { title: 'a\u202eb' },
      ['$.title must be text without control characters and space around it'],
      false,
    ],
    [{ scope: 'Rates' }, ['$.scope must match ^[a-z][a-z0-9-]{0,39}$'], true],
    [
      { 'a b': 1 },
      [
        '$["a b"] is not one of name, title, description, notes, source, licence, scope, period, dimensions, measures, checks, schedule, chart, status, supersedes, coverage',
      ],
      true,
    ],
    [
      { measures: [{ ...bid, constructor: 7, field: '\u001b' }], checks: [], chart: ['a'] },
      [
        '$.measures[0].constructor is not one of field, title, unit, currency, scale, decimals, kind, required',
        '$.measures[0].field must be text without control characters and space around it',
        '$.chart[0] must be a measure: \\u001b',
      ],
      true,
    ],
    [
      { schedule: { ...schedule, dates: ['2026-06-12T10:00:00+05:00', '2026-02-30T10:00:00Z'] } },
      ['$.schedule.dates[1] must be a day that there is'],
      false,
    ],
    [
      { schedule: { ...schedule, dates: ['2026-06-12'] } },
      [`$.schedule.dates[0] must match ^${INSTANT_PATTERN_SOURCE}$`],
      true,
    ],
    [
      { period: { kind: 'hour', field: 'date' } },
      ['$.period.kind must be one of day, week, month, quarter, year'],
      true,
    ],
    [
      { period: { kind: 'year', field: 'date', yearStart: 13 } },
      ['$.period.yearStart must be at most 12'],
      true,
    ],
    [
      { period: { kind: 'year', field: 'date', yearStart: null } },
      ['$.period.yearStart must be of type integer'],
      true,
    ],
    [
      { period: { kind: 'day', field: 'date', yearStart: 7 } },
      ['$.period.yearStart must be absent: only quarters and years have one'],
      false,
    ],
    [{ period: { kind: 'day' } }, ['$.period must have field'], true],
    [
      { period: { kind: 'day', field: 'bid' } },
      ['$.measures[0].field must be another: bid is there twice'],
      false,
    ],
    [
      { dimensions: [...'abcdefgij'].map((field) => ({ ...tenor, field })) },
      ['$.dimensions must have at most 8 items'],
      true,
    ],
    [
      { dimensions: [{ ...tenor, field: 'as_of' }] },
      ['$.dimensions[0].field must be another: as_of is reserved'],
      false,
    ],
    ...TAKEN.map((field): [object, string[], boolean] => [
      { dimensions: [{ ...tenor, field }] },
      [`$.dimensions[0].field must be another: ${field} is reserved`],
      false,
    ]),
    [
      { dimensions: [{ ...tenor, codes: { a: 1 } }] },
      ['$.dimensions[0].codes.a must be of type string'],
      true,
    ],
    [
      { dimensions: [{ field: 'tenor', title: 'Tenor', codesStrict: true }] },
      ['$.dimensions[0] must have codes'],
      false,
    ],
    [{ measures: [], checks: [], chart: [] }, ['$.measures must have at least 1 items'], true],
    [
      {
        measures: [...Array(41).keys()].map((index) => ({ ...bid, field: `bid${index}` })),
        checks: [],
        chart: [],
      },
      ['$.measures must have at most 40 items'],
      true,
    ],
    [
      { measures: [{ ...bid, field: 'since' }], checks: [], chart: [] },
      ['$.measures[0].field must be another: since is reserved'],
      false,
    ],
    [
      { measures: [{ ...bid, integer: true }], checks: [], chart: [] },
      [
        '$.measures[0].integer is not one of field, title, unit, currency, scale, decimals, kind, required',
      ],
      true,
    ],
    [
      { measures: [{ ...bid, scale: 0, decimals: -1, unit: '?' }], checks: [], chart: [] },
      [
        '$.measures[0].unit must be answered: Unit of the figures, such as percent or PKR billion',
        '$.measures[0].decimals must be at least 0',
        '$.measures[0].scale must be above 0',
      ],
      true,
    ],
    [
      { checks: [{ sum: ['bid', 'ask'], equals: 'total' }] },
      [
        '$.checks[0].sum[1] must be a measure: bid, offer',
        '$.checks[0].equals must be a measure: bid, offer',
      ],
      false,
    ],
    [
      { checks: [{ sum: ['bid'], equals: 1 }] },
      ['$.checks[0].equals must be of type string'],
      true,
    ],
    [
      { checks: [{ field: 'bid' }] },
      [
        '$.checks[0] must have sum and equals, or field and min, or field and max, or field and atMost, or field and maxChange, or field and maxUnchanged',
      ],
      true,
    ],
    [
      { checks: [{ field: 'bid', min: 2, max: 1 }] },
      ['$.checks[0].min must be at most its max'],
      false,
    ],
    [{ chart: ['tenor'] }, ['$.chart[0] must be a measure: bid, offer'], false],
    [
      { chart: { kind: 'lines', fields: ['bid'], total: null } },
      ['$.chart must be of type array'],
      true,
    ],
    [
      { measures: [1], name: 7 },
      [
        '$.name must be of type string',
        '$.measures[0] must be of type object',
        '$.checks[0].sum[0] must be a measure: ',
        '$.checks[0].equals must be a measure: ',
        '$.checks[1].field must be a measure: ',
        '$.chart[0] must be a measure: ',
        '$.chart[1] must be a measure: ',
      ],
      true,
    ],
  ];

  test('may have ten thousand codes with long labels, and other texts as long as their limits', () => {
    const notes = Array(100).fill('n'.repeat(1_000));
    const dimensions = [{ ...tenor, codes: createCodes(10_000, 'l'.repeat(200)) }];
    const value = { ...KIBOR, title: 't'.repeat(200), notes, dimensions };
    expect(isValid(DECLARATION_SCHEMA, value)).toBeTrue();
    expect(findDeclarationProblems(value)).toEqual([]);
  });

  test.each(PROBLEMS)('with %j has the problems %j', (change, problems, isFoundBySchema) => {
    const value = change && { ...KIBOR, ...change };
    expect(findDeclarationProblems(value).toSorted()).toEqual(problems.toSorted());
    expect(isValid(DECLARATION_SCHEMA, value)).toBe(!isFoundBySchema);
  });

  const measures = Array(1_000).fill({ field: 'a' });
  test.each([
    ['notes', { notes: Array(101).fill('a') }, '$.notes must have at most 100 items'],
    [
      'checks',
      { checks: Array(101).fill({ field: 'none', min: 0 }) },
      '$.checks must have at most 100 items',
    ],
    [
      'measures of a sum',
      { checks: [{ sum: Array(41).fill('bid'), equals: 'offer' }] },
      '$.checks[0].sum must have at most 40 items',
    ],
    [
      'measures of a chart, which it does not have',
      { measures, checks: [], chart: Array(1_000).fill('none') },
      '$.measures must have at most 40 items\n$.chart must have at most 40 items',
    ],
    [
      'codes',
      { dimensions: [{ ...tenor, codes: createCodes(10_001) }] },
      '$.dimensions[0].codes must have at most 10000 members',
    ],
    [
      'characters of a code',
      { dimensions: [{ ...tenor, codes: { ['c'.repeat(201)]: 'a' } }] },
      `$.dimensions[0].codes["${'c'.repeat(60)}…"] must be a value without control characters and space around it, of at most 200 characters`,
    ],
  ])('with too many %s has one problem for them, by the schema too', (_, change, problem) => {
    const value = { ...KIBOR, ...change };
    expect(findDeclarationProblems(value).join('\n')).toBe(problem);
    expect(isValid(DECLARATION_SCHEMA, value)).toBeFalse();
  });
});

const createCodes = (count: number, label = 'a') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`C${index}`, label]));

test('a dataset of many codes names some of them in a message, and how many more there are', () => {
  const dataset = createDeclaredDataset({
    ...KIBOR,
    dimensions: [{ field: 'tenor', title: 'T', codes: createCodes(10_000), codesStrict: true }],
  } as never);
  const { tenor }: Fields = dataset.fields;
  expect(tenor?.requirement).toEndWith('C48, C49 and 9950 more');
  expect(dataset.parameters.tenor?.requirement).toContain('C48, C49 and 9950 more');
  expect(dataset.parameters.tenor?.parse('C9999,C1')).toBeDefined();
  expect(dataset.parameters.tenor?.parse('C9999,none')).toBeUndefined();
  expect(tenor?.schema.enum).toHaveLength(10_000);
});

describe('the dataset of a declaration', () => {
  test.each([
    ['US dollars', 1e6, 'million US dollars'],
    ['kilometres', 1e3, 'thousand kilometres'],
    ['INR', 1e7, 'crore INR'],
    ['units', 250, '250 × units'],
    ['units', 0.001, '0.001 × units'],
    ['INR crore', 1e7, 'INR crore'],
    ['PKR mn', 1e6, 'PKR mn'],
    ['units', undefined, 'units'],
  ])('has figures of %p, scaled by %p, in %p', (unit, scale, text) => {
    const measure = { field: 'value', title: 'Value', unit, kind: 'flow' } as const;
    const { fields } = createDeclaredDataset({
      name: 'values',
      title: 'Values',
      period: { kind: 'month', field: 'month' },
      measures: [{ ...measure, decimals: 1, ...(scale && { scale }) }],
    });
    expect(fields.value).toMatchObject({ unit: text, decimals: 1 });
  });

  const dataset = createDataset({
    ...KIBOR,
    dimensions: [
      { field: 'tenor', title: 'Tenor', codes: { '6M': 'six months' }, codesStrict: true },
      KIBOR.dimensions[1],
    ],
    path: '/rates',
    chart: { kind: 'lines', fields: ['bid', 'offer'], total: null },
    example: { date: '2026-06-30', tenor: '6M', bank: 'A', bid: 11, offer: null },
  });
  const fields: Fields = dataset.fields;
  const isValidField = (name: string, value: unknown) => fields[name]?.isValid(value);

  test('has the period, the dimensions and the measures in this order', () => {
    expect(Object.keys(dataset.fields)).toEqual(['date', 'tenor', 'bank', 'bid', 'offer']);
    expect(dataset.period?.kind.name).toBe('daily');
  });

  test('has valid values by its codes, and null if a measure is not required', () => {
    expect(['6M', '1M'].map((code) => isValidField('tenor', code))).toEqual([true, false]);
    expect(['bid', 'offer'].map((name) => isValidField(name, null))).toEqual([false, true]);
  });

  test('has checks of sums with their tolerance, which ignore null, and bounds of figures', () => {
    const [check] = dataset.checks;
    const findSum = (bid: number, offer: number | null) =>
      check && findViolation(check, { bid, offer });
    expect(findSum(11, 11.1)).toBeUndefined();
    expect(findSum(11, 11.2)).toContain('tolerance 0.1');
    expect(findSum(11, null)).toBeUndefined();
    const rules = findFigureWarnings(dataset, { ...dataset.example, bid: 101 });
    expect(rules.map(({ rule, field }) => [rule, field])).toEqual([['implausible-figure', 'bid']]);
  });
});
