import { describe, expect, test } from 'bun:test';
import {
  buildChartTable,
  buildShownTable,
  createShownRequest,
  formatCsv,
} from '../../../src/explorer/export/shown-table.ts';
import { writeSpreadsheetCsv } from '../../../src/formats/delimited/write-delimited.ts';

const TABLE = {
  header: ['Name', 'Yield (%)'],
  rows: [
    ['A, “B” & <C>', 11.129927],
    ['say "so"', undefined],
  ],
};

describe('a table as shown', () => {
  test('has values in full precision where columns have them, else the text of their cells, in the order shown', () => {
    const columns = [
      {
        name: 'symbol',
        title: 'Symbol',
        renderCell: (row: { symbol: string; ytm: number }) => ({
          type: 'a',
          props: { children: [row.symbol] },
        }),
      },
      {
        name: 'ytm',
        title: 'Yield',
        unit: '%',
        renderCell: () => '11.130',
        sortValue: (row: { symbol: string; ytm: number }) => row.ytm,
      },
      { name: 'change', title: 'Change', renderCell: () => null, exportValue: () => '+15 %' },
    ];
    expect(buildShownTable(columns, [{ symbol: 'PIB', ytm: 11.129927 }])).toEqual({
      header: ['Symbol', 'Yield (%)', 'Change'],
      rows: [['PIB', 11.129927, '+15 %']],
    });
    const rows = [
      { symbol: 'PIB', ytm: 11 },
      { symbol: 'GIS', ytm: 12 },
    ];
    const sorted = buildShownTable(columns, rows, '-ytm').rows;
    expect(sorted.map(([symbol]) => symbol)).toEqual(['GIS', 'PIB']);
  });

  test('is written as CSV with quotes where they are needed', () => {
    expect(formatCsv(TABLE)).toBe(
      '\uFEFFName,Yield (%)\r\n"A, “B” & <C>",11.129927\r\n"say ""so""",\r\n',
    );
  });

  test('has texts that no spreadsheet runs as formulas, escaped as the service does', async () => {
    const texts = ['=1+1', '+A1', '-A1', '@SUM(A1)', '\t=1', '\r=1', "'=1", '＝1', 'a=1', '−1'];
    const rows = texts.map((text) => [text, -1]);
    const csv = formatCsv({ header: ['=name', 'figure'], rows });
    expect(csv).toStartWith("\uFEFF'=name,figure\r\n'=1+1,-1\r\n'+A1,-1\r\n");
    const columns = ['=name', 'figure'].map((name) => ({ name, type: 'text' as const }));
    const table = { title: '', columns, rows: yieldOnce(rows) };
    const chunks = await Array.fromAsync(writeSpreadsheetCsv(table));
    expect(csv).toBe(`\uFEFF${Buffer.concat(chunks)}`);
  });

  test('has differences without the error of binary fractions', () => {
    const table = { header: ['Change (bp)'], rows: [[11.021933 * 100 - 10.954839 * 100]] };
    expect(formatCsv(table)).toBe('\uFEFFChange (bp)\r\n6.7094\r\n');
  });

  test('is requested of the service by its columns and its order, as the service calls them', () => {
    const request = { path: '/2.0/bnb/quote', parameters: { date: '2026-06-30' } };
    const columns = [{ name: 'symbol' }, { name: 'years', field: 'maturityYears' }];
    expect(createShownRequest(request, columns, '-years', { compare: '2026-05-29' })).toEqual({
      path: '/2.0/bnb/quote',
      parameters: {
        date: '2026-06-30',
        compare: '2026-05-29',
        fields: 'symbol,maturityYears',
        order: '-maturityYears',
      },
    });
  });
});

async function* yieldOnce<T>(value: T) {
  yield value;
}

test('the table of a chart has its lines as columns, and the cells of uncertain values', () => {
  const lines = [
    { name: 'ATM', colorIndex: 1, values: [1, undefined] },
    { name: 'POS', colorIndex: 2, values: [50, 10.04], cells: ['29 to 80', 10] },
  ];
  expect(buildChartTable('Period', ['Q1 2024', 'Q2 2024'], [{ unit: '%', lines }])).toEqual({
    header: ['Period', 'ATM (%)', 'POS (%)'],
    rows: [
      ['Q2 2024', undefined, 10],
      ['Q1 2024', 1, '29 to 80'],
    ],
  });
});
