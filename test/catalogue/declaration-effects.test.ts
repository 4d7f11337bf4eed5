import { describe, expect, test } from 'bun:test';
import { listChangedEffects } from '../../src/catalogue/declaration-effects.ts';
import { DECLARATION_SCHEMA, type Declaration } from '../../src/catalogue/model/declaration.ts';
import { KIBOR } from '../support/declared-rates.ts';

const [tenor] = KIBOR.dimensions ?? [];
const [bid, offer] = KIBOR.measures;
if (!tenor || !bid || !offer) throw new Error('the example has a dimension and two measures');

const dimension = (changes: object) => ({ ...KIBOR, dimensions: [{ ...tenor, ...changes }] });
const measure = (changes: object) => ({ ...KIBOR, measures: [bid, { ...offer, ...changes }] });
const whole = (changes: Partial<Declaration>) => ({ ...KIBOR, ...changes });
const SCHEDULE = { cadence: 'daily', delayDays: 1, toleranceDays: 1 } as const;

/** A change of each member, and whether it concerns records that were looked at. */
const CHANGES: Record<string, readonly [Declaration, boolean]> = {
  name: [whole({ name: 'other' }), false],
  title: [whole({ title: 'Other' }), false],
  description: [whole({ description: 'Other' }), false],
  notes: [whole({ notes: ['Other'] }), false],
  source: [whole({ source: 'Other' }), false],
  licence: [whole({ licence: 'CC-BY-4.0' }), true],
  scope: [whole({ scope: 'quotes' }), true],
  period: [whole({ period: { kind: 'month', field: 'date' } }), true],
  'period.yearStart': [whole({ period: { ...KIBOR.period, yearStart: 7 } }), true],
  dimensions: [whole({ dimensions: [] }), true],
  'dimensions.field': [dimension({ field: 'term' }), true],
  'dimensions.title': [dimension({ title: 'Term' }), false],
  'dimensions.codes': [dimension({ codes: { ...tenor.codes, '3M': 'three months' } }), true],
  'dimensions.codes, a label': [dimension({ codes: { '1M': 'a month', '6M': 'half' } }), false],
  'dimensions.codes, their order': [dimension({ codes: { '6M': 'half', '1M': 'one' } }), false],
  'dimensions.codes, none': [dimension({ codes: undefined }), true],
  'dimensions.codesStrict': [dimension({ codesStrict: true }), true],
  measures: [whole({ measures: [bid] }), true],
  'measures, another': [whole({ measures: [bid, offer, { ...offer, field: 'mid' }] }), true],
  'measures.field': [measure({ field: 'ask' }), true],
  'measures.title': [measure({ title: 'Ask' }), false],
  'measures.unit': [measure({ unit: 'basis points' }), true],
  'measures.currency': [measure({ currency: 'PKR' }), true],
  'measures.scale': [measure({ scale: 1000 }), true],
  'measures.decimals': [measure({ decimals: 2 }), true],
  'measures.kind': [measure({ kind: 'index' }), true],
  'measures.required': [measure({ required: true }), true],
  checks: [whole({ checks: [{ field: 'bid', atMost: 'offer' }] }), true],
  schedule: [whole({ schedule: SCHEDULE }), false],
  chart: [whole({ chart: ['bid'] }), false],
  status: [whole({ status: true }), true],
  supersedes: [whole({ supersedes: 'other' }), false],
  coverage: [whole({ coverage: 'open' }), true],
};

/** What a declaration says that leaves these out. */
const DEFAULTS: readonly Declaration[] = [
  whole({ scope: 'datasets' }),
  whole({ status: false }),
  whole({ coverage: 'stable' }),
  whole({ checks: [] }),
  whole({ period: { ...KIBOR.period, yearStart: 1 } }),
  dimension({ codesStrict: false }),
  measure({ required: false }),
  measure({ scale: 1 }),
];

describe('what a candidate rests on in a declaration', () => {
  test('is decided for every member that a declaration may have', () => {
    const { properties } = DECLARATION_SCHEMA as unknown as { properties: Record<string, object> };
    const items = (name: string) =>
      Object.keys((properties[name] as { items: { properties: object } }).items.properties);
    const names = Object.keys(properties);
    const inner = ['dimensions', 'measures'].flatMap((name) =>
      items(name).map((field) => `${name}.${field}`),
    );
    const missing = [...names, ...inner].filter((name) => !Object.hasOwn(CHANGES, name));
    expect(missing).toEqual([]);
  });

  test.each(Object.entries(CHANGES))('%s', (name, [after, isEffect]) => {
    const [member = ''] = name.split(/[.,]/);
    expect(listChangedEffects(KIBOR, after)).toEqual(isEffect ? [member] : []);
    expect(listChangedEffects(after, KIBOR)).toEqual(isEffect ? [member] : []);
    expect(listChangedEffects(after, after)).toEqual([]);
  });

  test('is the same whether a default is stated or left out', () => {
    for (const after of DEFAULTS) expect(listChangedEffects(KIBOR, after)).toEqual([]);
  });
});
