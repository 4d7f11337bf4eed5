import { expect, test } from 'bun:test';
import { buildChartTable } from '../../../src/explorer/payments/chart-table.ts';

test('the table of a chart has its lines as columns, and the cells of uncertain values', () => {
  const lines = [
    { name: 'ATM', colorIndex: 1, values: [1, undefined] },
    { name: 'POS', colorIndex: 2, values: [50, 10.04], cells: ['29 to 80', 10] },
  ];
  expect(buildChartTable({ labels: ['Q1 2024', 'Q2 2024'] }, [{ unit: '%', lines }])).toEqual({
    header: ['Period', 'ATM (%)', 'POS (%)'],
    rows: [
      ['Q2 2024', undefined, 10],
      ['Q1 2024', 1, '29 to 80'],
    ],
  });
});
