import { expect, test } from 'bun:test';
import { buildChartTable } from '../../../src/explorer/payments/chart-table.ts';

test('the table of a chart has its lines as columns, and shown texts where values are uncertain', () => {
  const lines = [
    { name: 'ATM', colorIndex: 1, values: [1, undefined] },
    { name: 'POS', colorIndex: 2, values: [0.5, 0.1], texts: ['+50 %', undefined] },
  ];
  expect(buildChartTable({ labels: ['Q1 2024', 'Q2 2024'] }, [{ unit: '%', lines }])).toEqual({
    header: ['Period', 'ATM (%)', 'POS (%)'],
    rows: [
      ['Q2 2024', undefined, 0.1],
      ['Q1 2024', 1, '+50 %'],
    ],
  });
});
