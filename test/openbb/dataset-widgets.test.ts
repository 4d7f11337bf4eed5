import { expect, test } from 'bun:test';
import { branchlessBankingAgents } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDataset, createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { listWidgets } from '../../src/openbb/widgets-json.ts';

test('a record whose list is empty still has a row', () => {
  const table = listWidgets(catalogue).find(({ name }) => name === branchlessBankingAgents.name);
  const record = { ...branchlessBankingAgents.example, provinces: [] };
  const row = { period: 'Jun 2026', total: 712400, key: null, value: null };
  expect(table?.toRows?.(record, {})).toEqual([row]);
});

test('a declared dataset has its decimals and the scale of its unit in columns', () => {
  const loans = createDeclaredDataset({
    name: 'loans',
    title: 'Loans',
    period: { kind: 'month', field: 'month' },
    measures: [
      {
        field: 'amount',
        title: 'Amount',
        unit: 'US dollars',
        kind: 'stock',
        scale: 1_000_000,
        decimals: 1,
      },
      { field: 'share', title: 'Share', unit: 'percent', kind: 'rate', decimals: 0 },
      { field: 'count', title: 'Count', unit: 'loans', kind: 'flow' },
    ],
  });
  const widget = listWidgets([...catalogue, loans]).find(({ name }) => name === 'datasets/loans');
  const columns = new Map(widget?.columns.map((column) => [column.field, column]));
  expect(columns.get('amount')).toMatchObject({ decimalPlaces: 1 });
  expect(columns.get('amount')?.headerName).toStartWith('Amount (million US dollars)');
  expect(columns.get('share')).toMatchObject({ formatterFn: 'percent', decimalPlaces: 0 });
  expect(columns.get('count')).not.toHaveProperty('decimalPlaces');
});

test('a new series has its table and chart, by its declaration alone', () => {
  const series = createDataset({
    name: 'cheque-clearing',
    title: 'Cheques',
    period: { kind: 'quarter', field: 'period' },
    measures: [{ field: 'cheques', title: 'Cheques', unit: 'million', kind: 'flow' }],
    chart: { kind: 'lines', fields: ['cheques'], total: null },
    path: '/3.0/alternate/cheque-clearing',
    example: { period: 'Q1 2026', cheques: 1.5 },
  });
  const widget = listWidgets([...catalogue, series]).find(({ name }) => name === 'cheque-clearing');
  expect(widget?.chart).toEqual({ type: 'line', columns: ['period', 'cheques'], isOverTime: true });
});
