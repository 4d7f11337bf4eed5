import type { DatasetEntry, FieldInfo } from '../../../src/explorer/api/types.ts';

/** A field of the catalogue: an amount, unless the overrides say otherwise. */
export function field(name: string, overrides: Partial<FieldInfo> = {}): FieldInfo {
  const defaults = { kind: 'amount', meaning: `The ${name}`, unit: 'PKR billion' };
  return {
    name,
    decimals: null,
    values: null,
    fields: null,
    codes: null,
    ...defaults,
    ...overrides,
  };
}

/** A list of keys, each with a value. */
export function list(name: string, value: Partial<FieldInfo> = {}): FieldInfo {
  const fields = [field('key', { kind: 'text', unit: null }), field('value', value)];
  return field(name, { kind: 'list', unit: null, fields });
}

/** A quarterly series with these fields after its period. */
export function quarterly(
  fields: readonly FieldInfo[],
  chart: Partial<DatasetEntry['chart']> = {},
): Pick<DatasetEntry, 'period' | 'key' | 'fields' | 'chart'> {
  const period = field('period', { kind: 'period', meaning: 'Quarter', unit: null });
  return {
    period: { field: 'period', kind: 'quarterly' },
    key: ['period'],
    fields: [period, ...fields],
    chart: { kind: 'stacked', fields: fields.map(({ name }) => name), total: null, ...chart },
  };
}
