import { describe, expect, test } from 'bun:test';
import { buildXlsx } from '../../../src/explorer/export/build-xlsx.ts';
import { buildShownTable, formatCsv } from '../../../src/explorer/export/shown-table.ts';
import { DECODERS } from '../../tabular/decode-formats.ts';

const TABLE = {
  header: ['Name', 'Yield (%)'],
  rows: [
    ['A, “B” & <C>', 11.129927],
    ['say "so"', undefined],
  ],
};

describe('a table as shown', () => {
  test('has values in full precision where columns have them, else the text of their cells', () => {
    const columns = [
      {
        title: 'Symbol',
        renderCell: (row: { symbol: string; ytm: number }) => ({
          type: 'a',
          props: { children: [row.symbol] },
        }),
      },
      {
        title: 'Yield',
        unit: '%',
        renderCell: () => '11.130',
        sortValue: (row: { symbol: string; ytm: number }) => row.ytm,
      },
      { title: 'Change', renderCell: () => null, exportValue: () => '+15 %' },
    ];
    expect(buildShownTable(columns, [{ symbol: 'PIB', ytm: 11.129927 }])).toEqual({
      header: ['Symbol', 'Yield (%)', 'Change'],
      rows: [['PIB', 11.129927, '+15 %']],
    });
  });

  test('is written as CSV with quotes where they are needed', () => {
    expect(formatCsv(TABLE)).toBe(
      '\uFEFFName,Yield (%)\r\n"A, “B” & <C>",11.129927\r\n"say ""so""",\r\n',
    );
  });

  test('is written as a workbook that reads back', async () => {
    expect(await DECODERS.xlsx(buildXlsx(TABLE))).toEqual({
      names: ['Name', 'Yield (%)'],
      rows: [
        ['A, “B” & <C>', 11.129927],
        ['say "so"', null],
      ],
    });
  });
});
