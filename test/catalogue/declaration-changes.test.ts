import { describe, expect, test } from 'bun:test';
import { findRefusedChanges } from '../../src/catalogue/declaration-changes.ts';
import { DECLARATION_SCHEMA, type Declaration } from '../../src/catalogue/model/declaration.ts';

const BID = { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' } as const;
const TENOR = { field: 'tenor', title: 'Tenor', codes: { '1M': 'one month' } };
const DECLARATION: Declaration = {
  name: 'kibor',
  title: 'Rates',
  period: { kind: 'quarter', field: 'quarter' },
  dimensions: [TENOR],
  measures: [{ ...BID, required: true }],
};
const findChanges = (change: Partial<Declaration>) =>
  findRefusedChanges(DECLARATION, { ...DECLARATION, ...change });
const changePeriod = (change: Partial<Declaration['period']>) => ({
  period: { ...DECLARATION.period, ...change },
});
const changeTenor = (change: object) => ({ dimensions: [{ ...TENOR, ...change }] });
const changeBid = (change: object) => ({ measures: [{ ...BID, required: true, ...change }] });

/** For each member of a declaration: another value of it, and why it is refused, if it is. */
const MEMBERS: Readonly<Record<string, readonly [Partial<Declaration>, string?]>> = {
  name: [{ name: 'other' }],
  title: [{ title: 'x' }],
  description: [{ description: 'x' }],
  notes: [{ notes: ['x'] }],
  source: [{ source: 'x' }],
  licence: [{ licence: 'x' }],
  scope: [{ scope: 'desk' }, '$.scope must be "datasets", as it was declared, not "desk"'],
  'period.kind': [changePeriod({ kind: 'day' }), '$.period.kind must be "quarter"'],
  'period.field': [changePeriod({ field: 'x' }), '$.period.field must be "quarter"'],
  'period.yearStart': [changePeriod({ yearStart: 7 }), '$.period.yearStart must be 1'],
  'dimensions.field': [changeTenor({ field: 'x' }), '$.dimensions[0].field must be "tenor"'],
  'dimensions.title': [changeTenor({ title: 'x' })],
  'dimensions.codes': [changeTenor({ codes: {} }), '$.dimensions[0].codes must have "1M" still'],
  'dimensions.codesStrict': [
    changeTenor({ codesStrict: true }),
    '$.dimensions[0].codesStrict must be absent or false',
  ],
  'measures.field': [changeBid({ field: 'x' }), '$.measures[0] must be bid'],
  'measures.title': [changeBid({ title: 'x' })],
  'measures.unit': [changeBid({ unit: 'bp' }), '$.measures[0].unit must be "percent"'],
  'measures.currency': [changeBid({ currency: 'PKR' }), '$.measures[0].currency must be absent'],
  'measures.scale': [changeBid({ scale: 1e6 }), '$.measures[0].scale must be absent'],
  'measures.decimals': [changeBid({ decimals: 2 })],
  'measures.kind': [changeBid({ kind: 'stock' }), '$.measures[0].kind must be "rate"'],
  'measures.required': [changeBid({ required: false })],
  checks: [{ checks: [] }],
  'schedule.cadence': [{ schedule: { cadence: 'quarterly', delayDays: 1, toleranceDays: 0 } }],
  'schedule.delayDays': [{ schedule: { cadence: 'quarterly', delayDays: 2, toleranceDays: 0 } }],
  'schedule.toleranceDays': [
    { schedule: { cadence: 'quarterly', delayDays: 1, toleranceDays: 1 } },
  ],
  'schedule.dates': [
    {
      schedule: {
        cadence: 'quarterly',
        delayDays: 1,
        toleranceDays: 0,
        dates: ['2026-06-12T10:00:00Z'],
      },
    },
  ],
  coverage: [{ coverage: 'open' }],
  chart: [{ chart: ['bid'] }],
  status: [{ status: true }, '$.status must be false, as it was declared, not true'],
  supersedes: [{ supersedes: 'other' }],
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema & { readonly anyOf?: unknown; readonly oneOf?: unknown };
}

/** Every member that a declaration may have, those of lists without an index. */
function listMembers({ properties, items }: Schema, path: readonly string[] = []): string[] {
  const own = properties ?? (items?.anyOf || items?.oneOf ? undefined : items?.properties);
  if (!own) return [path.join('.')];
  return Object.entries(own).flatMap(([name, schema]) => listMembers(schema, [...path, name]));
}

test('the members that are tested are those of the schema', () => {
  const known = listMembers(DECLARATION_SCHEMA as Schema).filter((name) => name !== '$schema');
  expect(Object.keys(MEMBERS).toSorted()).toEqual(known.toSorted());
});

test.each(Object.entries(MEMBERS))('another %s', (_, [change, problem]) => {
  const changes = findChanges(change);
  expect(changes).toHaveLength(problem === undefined ? 0 : 1);
  if (problem !== undefined) expect(changes[0]).toStartWith(problem);
});

describe('a dataset may be declared again with', () => {
  test.each<[string, Partial<Declaration>]>([
    ['the same', {}],
    ['more codes', changeTenor({ codes: { '6M': 'six', '1M': 'one' } })],
    ['one more measure', { measures: [...DECLARATION.measures, { ...BID, field: 'offer' }] }],
    ['what is the default', changePeriod({ yearStart: 1 })],
    ['its default scope and status', { scope: 'datasets', status: false }],
  ])('%s', (_, change) => {
    expect(findChanges(change)).toEqual([]);
  });
});

describe('a dataset cannot be declared again with', () => {
  test.each<[string, Partial<Declaration>, string]>([
    ['a dimension less', { dimensions: [] }, '$.dimensions must be tenor'],
    [
      'one more dimension',
      { dimensions: [TENOR, { field: 'x', title: 'X' }] },
      '$.dimensions must be tenor',
    ],
    [
      'one more measure that is required',
      { measures: [BID, { ...BID, field: 'offer', required: true }] },
      '$.measures[1].required must be absent or false',
    ],
  ])('%s', (_, change, problem) => {
    const changes = findChanges(change);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toContain(problem);
  });

  test('a measure that is required now', () => {
    const optional = { ...DECLARATION, measures: [BID] };
    expect(findRefusedChanges(optional, DECLARATION)).toEqual([
      '$.measures[0].required must be absent or false, as it was declared',
    ]);
  });
});
