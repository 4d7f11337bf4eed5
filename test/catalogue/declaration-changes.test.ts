import { describe, expect, test } from 'bun:test';
import { findRefusedChanges } from '../../src/catalogue/declaration-changes.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';

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

describe('a dataset may be declared again with', () => {
  test.each<[string, Partial<Declaration>]>([
    ['the same', {}],
    ['other texts, checks and a schedule', { title: 'x', notes: ['x'], source: 'x', checks: [] }],
    ['more codes', { dimensions: [{ ...TENOR, codes: { '6M': 'six', '1M': 'one' } }] }],
    [
      'one more measure',
      {
        measures: [
          { ...BID, required: true },
          { ...BID, field: 'offer' },
        ],
      },
    ],
    ['a measure that is required no more', { measures: [BID] }],
    ['what is the default', { period: { ...DECLARATION.period, yearStart: 1 } }],
    ['its default scope and status', { scope: 'datasets', status: false }],
  ])('%s', (_, change) => {
    expect(findChanges(change)).toEqual([]);
  });
});

describe('a dataset cannot be declared again with', () => {
  test.each<[string, Partial<Declaration>, string]>([
    ['another kind of period', { period: { kind: 'day', field: 'quarter' } }, '$.period.kind'],
    [
      'other fiscal years',
      { period: { ...DECLARATION.period, yearStart: 7 } },
      '$.period.yearStart must be 1, as it was declared, not 7',
    ],
    ['another scope', { scope: 'desk' }, '$.scope must be "datasets"'],
    ['a status', { status: true }, '$.status must be false'],
    ['a dimension less', { dimensions: [] }, '$.dimensions must be tenor'],
    ['a code less', { dimensions: [{ ...TENOR, codes: {} }] }, '$.dimensions[0].codes must have'],
    ['strict codes', { dimensions: [{ ...TENOR, codesStrict: true }] }, '.codesStrict must be'],
    ['another unit', { measures: [{ ...BID, unit: 'bp' }] }, '$.measures[0].unit must be'],
    ['another measure in its place', { measures: [{ ...BID, field: 'x' }] }, 'must be bid'],
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
});
