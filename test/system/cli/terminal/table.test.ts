import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TerminalCell, TerminalColumn } from '../../../../src/cli/terminal/table.ts';
import { formatTable } from '../../../../src/cli/terminal/table.ts';
import type { TerminalStyle } from '../../../../src/cli/terminal/terminal-style.ts';
import { createTerminalStyle } from '../../../../src/cli/terminal/terminal-style.ts';
import { displayWidth } from '../../../../src/cli/terminal/text.ts';
import {
  escapeControls,
  escapeControlsInLines,
} from '../../../../src/shared/control-characters.ts';

const plain = (width = Number.POSITIVE_INFINITY): TerminalStyle =>
  createTerminalStyle({}, {}, width);
const numeric = (name: string, unit?: string): TerminalColumn => ({
  name,
  isNumeric: true,
  ...(unit && { unit }),
});
const key = (name: string): TerminalColumn => ({ name, isKey: true });

describe('formatTable', () => {
  test('aligns text on the left and numbers at their decimal points, with units below names', () => {
    const columns = [key('symbol'), numeric('price', 'per 100 of face value'), { name: 'type' }];
    const rows = [
      ['AAA', 99.125, 'bond'],
      ['B', 100, 'tbill'],
      ['C', null, 'bond'],
      ['D', -1e-7, 'bond'],
    ];
    expect(formatTable(columns, rows, plain())).toEqual([
      'symbol       price  type',
      '        per 100 of',
      '        face value',
      '──────  ──────────  ─────',
      'AAA         99.125  bond',
      'B          100      tbill',
      'C            –      bond',
      'D        -1e-7      bond',
    ]);
  });

  test('pads numbers to the decimals of their column, and rounds none', () => {
    const rows = [[12], [12.5], [-0.125], [null], [1e21]];
    const lines = formatTable([{ ...numeric('bid'), decimals: 2 }], rows, plain());
    expect(lines.slice(2).map((line) => line.trim())).toEqual([
      '12.00',
      '12.50',
      '-0.125',
      '–',
      '1e+21',
    ]);
  });

  test('prints numbers with the digits of JSON', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const shown = formatTable([numeric('n')], [[value]], plain()).at(-1);
        expect(shown?.trim()).toBe(JSON.stringify(value));
      }),
    );
  });

  test('counts wide characters twice and combining characters not at all', () => {
    const rows = [
      ['日本', 1],
      ['é', 2],
      ['abcde', 3],
    ];
    const lines = formatTable([key('name'), numeric('n')], rows, plain());
    expect(lines.slice(2)).toEqual(['日本   1', 'é      2', 'abcde  3']);
    expect(new Set(lines.map(displayWidth))).toEqual(new Set([8]));
  });

  test('wraps headings before it splits a table into blocks', () => {
    const columns = [key('year'), numeric('cash_withdrawals'), numeric('bidPrice')];
    const rows = [
      ['2024', 1, 2],
      ['2023', 3, 4],
    ];
    expect(formatTable(columns, rows, plain(31))).toEqual([
      '            cash_    bid',
      'year  withdrawals  Price',
      '────  ───────────  ─────',
      '2024            1      2',
      '2023            3      4',
    ]);
    expect(formatTable(columns, rows, plain(32))[0]).toBe('year  cash_withdrawals  bidPrice');
  });

  test('repeats the key columns in each block', () => {
    const columns = [key('year'), numeric('first'), { name: 'second' }];
    const rows = [
      ['2024', 10_000, 'abcdef'],
      ['2023', 20_000, 'ghijkl'],
    ];
    expect(formatTable(columns, rows, plain(12))).toEqual([
      'year  first',
      '────  ─────',
      '2024  10000',
      '2023  20000',
      '',
      'year  second',
      '────  ──────',
      '2024  abcdef',
      '2023  ghijkl',
    ]);
  });

  test('prints lists of names and values if a column does not fit, or for a single row', () => {
    const columns = [key('id'), { name: 'meaning' }, numeric('n', 'percent')];
    const text = 'a few words that go on below';
    expect(
      formatTable(
        columns,
        [
          ['1', text, 2.5],
          ['2', 'b', 3],
        ],
        plain(29),
      ),
    ).toEqual([
      'id       1',
      'meaning  a few words that go',
      '         on below',
      'n        2.5  percent',
      '',
      'id       2',
      'meaning  b',
      'n        3  percent',
    ]);
    expect(formatTable([key('a'), { name: 'b' }], [['12345', '67890']], plain(10))).toEqual([
      'a  12345',
      'b  67890',
    ]);
    expect(formatTable([key('a'), { name: 'b' }], [['12345', '67890']], plain(12))).toHaveLength(3);
  });

  test('prints every name and cell within any width', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    const cell: fc.Arbitrary<TerminalCell> = fc.oneof(word, fc.integer(), fc.constant(null));
    const anyTable = fc
      .tuple(fc.uniqueArray(word, { minLength: 2, maxLength: 6 }), fc.integer({ min: 1, max: 4 }))
      .chain(([names, depth]) =>
        fc.record({
          names: fc.constant(names),
          rows: fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }), {
            minLength: depth,
            maxLength: depth,
          }),
        }),
      );
    fc.assert(
      fc.property(anyTable, fc.integer({ min: 40, max: 120 }), ({ names, rows }, width) => {
        const columns = names.map((name, index) => ({ name, isKey: index === 0 }));
        const lines = formatTable(columns, rows, plain(width));
        const words = new Set(lines.flatMap((line) => line.split(/\s+/)));
        const expected = [...names, ...rows.flat().map((value) => `${value ?? '–'}`)];
        expect(expected.filter((text) => !words.has(text))).toEqual([]);
        expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
      }),
    );
  });
});

describe('escapeControls', () => {
  test.each([
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['a\r\nb\tc', 'a\\u000d\\u000ab\\u0009c'],
    ['\u009b31m', '\\u009b31m'],
    ['\u202eevil', '\\u202eevil'],
    ['\u2028', '\\u2028'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['می‌خواهم 👩‍🌾 é', 'می‌خواهم 👩‍🌾 é'],
  ])('turns %j into %j', (text, escaped) => {
    expect(escapeControls(text)).toBe(escaped);
    expect(formatTable([{ name: text }], [[text]], plain())).toEqual([
      escaped,
      '─'.repeat(displayWidth(escaped)),
      escaped,
    ]);
  });

  test('keeps line ends and tabs in texts of several lines', () => {
    expect(escapeControlsInLines('a,b\r\n\u001b\r\tc\n')).toBe('a,b\r\n\\u001b\\u000d\tc\n');
  });
});

describe('createTerminalStyle', () => {
  test('styles text on a terminal unless NO_COLOR is set or TERM is dumb', () => {
    const bold = (terminal: object, environment: Record<string, string>) =>
      createTerminalStyle(terminal, environment).bold('x');
    expect(bold({ isTTY: true }, {})).toBe('\u001b[1mx\u001b[0m');
    expect(bold({ isTTY: true }, { NO_COLOR: '' })).toBe('\u001b[1mx\u001b[0m');
    expect(bold({ isTTY: true }, { NO_COLOR: '1' })).toBe('x');
    expect(bold({ isTTY: true }, { TERM: 'dumb' })).toBe('x');
    expect(bold({}, {})).toBe('x');
  });

  test('has the width of the terminal, and is unlimited elsewhere', () => {
    expect(createTerminalStyle({ isTTY: true, columns: 132 }, {}).width).toBe(132);
    expect(createTerminalStyle({ columns: 132 }, {}).width).toBe(Number.POSITIVE_INFINITY);
    expect(createTerminalStyle({ isTTY: true, columns: 132 }, {}, 80).width).toBe(80);
  });
});
