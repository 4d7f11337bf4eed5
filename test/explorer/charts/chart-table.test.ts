import { expect, test } from 'bun:test';
import {
  formatChartCsv,
  listColumns,
  mergeChartTables,
} from '../../../src/explorer/charts/chart-table.ts';
import { writeWorkbook } from '../../../src/explorer/export/write-workbook.ts';
import { DECODERS } from '../../tabular/decode-formats.ts';

const CLEAN = { name: '=Debit card', colorIndex: 1, values: [0.1 + 0.2, undefined, 99] };
const TABLES = [
  { keys: ['2026-01-30', '', '2026-02-27'], columns: listColumns([CLEAN], undefined, '%') },
  {
    keys: ['2026-02-27', '2026-03-31'],
    columns: listColumns([], { name: 'Bid to ask', low: [1, 2], high: [3, undefined] }, ''),
  },
];
const SOURCE = ['Payments, monthly', 'Tenor, host, revision 3', 'https://host/?asof=x'];

test('the charts of a panel are one table: a row for each point of any, without gaps and float errors', () => {
  expect(mergeChartTables(TABLES)).toEqual({
    names: ['period', '=Debit card (%)', 'Bid to ask, low', 'Bid to ask, high'],
    rows: [
      ['2026-01-30', 0.3, null, null],
      ['2026-02-27', 99, 1, 3],
      ['2026-03-31', null, 2, null],
    ],
  });
});

test('curves are a table by years to maturity, ascending', () => {
  const toTable = (name: string, keys: number[]) => ({
    keys,
    columns: [{ name, unit: '%', values: keys }],
  });
  expect(mergeChartTables([toTable('a', [1, 10]), toTable('b', [0.5, 10])])).toEqual({
    names: ['years', 'a (%)', 'b (%)'],
    rows: [
      [0.5, null, 0.5],
      [1, 1, null],
      [10, 10, 10],
    ],
  });
});

test('CSV of a chart says in a comment without commas where it is from, and runs no formula', () => {
  expect(formatChartCsv(mergeChartTables(TABLES), SOURCE)).toBe(
    [
      '# Payments monthly; Tenor host revision 3; https://host/?asof=x',
      'period,\'=Debit card (%),"Bid to ask, low","Bid to ask, high"',
      '2026-01-30,0.3,,',
      '2026-02-27,99,1,3',
      '2026-03-31,,2,',
      '',
    ].join('\r\n'),
  );
});

test('a workbook of a chart has the same cells, and a sheet with its source', async () => {
  const sheet = mergeChartTables(TABLES);
  const bytes = Buffer.from(await (await writeWorkbook(sheet, SOURCE)).arrayBuffer());
  const { names, rows } = await DECODERS.xlsx(bytes);
  expect(names).toEqual([...sheet.names]);
  expect(rows).toEqual(sheet.rows.map((row) => [...row]));
  for (const text of SOURCE) expect(bytes.toString()).toContain(text);
});
