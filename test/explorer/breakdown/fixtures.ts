import type { DatasetEntry, FieldInfo } from '../../../src/explorer/api/types.ts';

type Told = Pick<DatasetEntry, 'period' | 'fields' | 'chart'>;

/** A field as the catalogue tells of it: an amount, where nothing else is said. */
export function field(name: string, told: Partial<FieldInfo> = {}): FieldInfo {
  const usual = { kind: 'amount', meaning: `The ${name}`, unit: 'PKR billion' };
  return { name, values: null, fields: null, ...usual, ...told };
}

/** A list of keys, each with a value. */
export function list(name: string, value: Partial<FieldInfo> = {}): FieldInfo {
  const fields = [field('key', { kind: 'text', unit: null }), field('value', value)];
  return field(name, { kind: 'list', unit: null, fields });
}

/** A quarterly series with those fields behind its period. */
export function quarterly(
  fields: readonly FieldInfo[],
  chart: Partial<DatasetEntry['chart']> = {},
): Told {
  const period = field('period', { kind: 'period', meaning: 'Quarter', unit: null });
  return {
    period: { field: 'period', kind: 'quarterly' },
    fields: [period, ...fields],
    chart: { kind: 'stacked', fields: fields.map(({ name }) => name), total: null, ...chart },
  };
}
