import { describe, expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { parseMapping } from '../../src/publish/mapping/mapping.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const rates = createDeclaredDataset({
  name: 'rates',
  title: 'Exchange rates',
  period: { kind: 'day', field: 'date' },
  dimensions: [{ field: 'currency', title: 'Currency' }],
  measures: [{ field: 'rate', title: 'Rate', unit: 'per euro', kind: 'rate', required: true }],
});
const gdp = createDeclaredDataset({
  name: 'gdp',
  title: 'Output',
  period: { kind: 'month', field: 'month' },
  dimensions: [{ field: 'country', title: 'Country' }],
  measures: [{ field: 'value', title: 'Value', unit: 'USD', kind: 'stock' }],
});

describe('a mapping with "unpivot"', () => {
  const workspace = useLoadWorkspace();
  const load = (dataset: typeof rates, text: string, mapping: object) => {
    workspace.writeFile('a.csv', text);
    return workspace.load(dataset, 'a.csv', {
      mapping: parseMapping(JSON.stringify(mapping), 'm'),
    });
  };

  test('makes a record of each cell of the columns that no field takes', async () => {
    const text = 'date,note,USD,JPY\n2026-01-05,x,1.1,N/A\n2026-01-06,,1.2,160\n';
    const unpivot = { field: 'currency', measure: 'rate' };
    await load(rates, text, { columns: { note: null }, unpivot, blanks: ['N/A'] });
    expect(await workspace.readRecords(rates)).toEqual([
      { date: '2026-01-06', currency: 'JPY', rate: 160 },
      { date: '2026-01-06', currency: 'USD', rate: 1.2 },
      { date: '2026-01-05', currency: 'USD', rate: 1.1 },
    ]);
  });

  test('has the value of each column that it names, and no other', async () => {
    const unpivot = { field: 'currency', measure: 'rate', columns: { 'US dollar': 'USD' } };
    await load(rates, 'date,US dollar\n2026-01-05,1.1\n', { unpivot });
    expect(await workspace.readRecords(rates)).toMatchObject([{ currency: 'USD', rate: 1.1 }]);
    const other = load(rates, 'date,US dollar,Yen\n2026-01-05,1.1,160\n', { unpivot });
    await expect(other).rejects.toThrow('columns that no field takes: Yen');
  });

  test('may have periods in its columns, written as their first days', async () => {
    const text = 'country,2026-01-01,2026-02-01\n"Korea, Rep.",1,2\nIndia,,4\n';
    await load(gdp, text, { unpivot: { field: 'month', measure: 'value' } });
    expect(await workspace.readRecords(gdp)).toEqual([
      { month: 'Feb 2026', country: 'India', value: 4 },
      { month: 'Feb 2026', country: 'Korea, Rep.', value: 2 },
      { month: 'Jan 2026', country: 'Korea, Rep.', value: 1 },
    ]);
  });

  test('names fields of the dataset, in a file with columns', async () => {
    const wrong = load(rates, 'date,USD\n', { unpivot: { field: 'coin', measure: 'rate' } });
    await expect(wrong).rejects.toThrow('the mapping names "coin", which is no field');
    workspace.writeFile('a.json', '[{"date":"2026-01-05","USD":1}]');
    const mapping = { unpivot: { field: 'currency', measure: 'rate' } };
    await expect(workspace.load(rates, 'a.json', { mapping })).rejects.toThrow('is no table');
  });
});
