import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  averageNeighbours,
  formatSparkline,
  getValuesPerMark,
} from '../../../src/cli/terminal/sparkline.ts';
import type { TerminalCell, TerminalColumn } from '../../../src/cli/terminal/table.ts';
import { formatTable } from '../../../src/cli/terminal/table.ts';
import type { TerminalStyle } from '../../../src/cli/terminal/terminal-style.ts';
import { createTerminalStyle } from '../../../src/cli/terminal/terminal-style.ts';
import {
  displayWidth,
  escapeControls,
  escapeControlsInLines,
} from '../../../src/cli/terminal/text.ts';

const plain = (width = Number.POSITIVE_INFINITY): TerminalStyle =>
  createTerminalStyle({}, {}, width);
const figure = (name: string, unit?: string): TerminalColumn => ({
  name,
  isNumeric: true,
  ...(unit && { unit }),
});
const key = (name: string): TerminalColumn => ({ name, isKey: true });

describe('a table', () => {
  test('has text on the left, figures on the right with their points in line, units below names', () => {
    const columns = [key('symbol'), figure('price', 'per 100 of face value'), { name: 'type' }];
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

  test('shows numbers with the digits that answers have', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const shown = formatTable([figure('n')], [[value]], plain()).at(-1);
        expect(shown?.trim()).toBe(JSON.stringify(value));
      }),
    );
  });

  test('counts wide characters twice and marks above others not at all', () => {
    const rows = [
      ['日本', 1],
      ['é', 2],
      ['abcde', 3],
    ];
    const lines = formatTable([key('name'), figure('n')], rows, plain());
    expect(lines.slice(2)).toEqual(['日本   1', 'é      2', 'abcde  3']);
    expect(new Set(lines.map(displayWidth))).toEqual(new Set([8]));
  });

  test('breaks its headings before it is parted into blocks', () => {
    const columns = [key('year'), figure('cash_withdrawals'), figure('bidPrice')];
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

  test('repeats its keys before the columns that go below', () => {
    const columns = [key('year'), figure('first'), { name: 'second' }];
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

  test('becomes lists of names and values where a column does not fit, or for a single row', () => {
    const columns = [key('id'), { name: 'meaning' }, figure('n', 'percent')];
    const long = 'a few words that go on below';
    expect(
      formatTable(
        columns,
        [
          ['1', long, 2.5],
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

  test('has every name and every cell in it, whatever the width, and is no wider', () => {
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

describe('what a terminal would act on', () => {
  test.each([
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['a\r\nb\tc', 'a\\u000d\\u000ab\\u0009c'],
    ['\u009b31m', '\\u009b31m'],
    ['\u202eevil', '\\u202eevil'],
    ['\u2028', '\\u2028'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['می‌خواهم 👩‍🌾 é', 'می‌خواهم 👩‍🌾 é'],
  ])('%j is shown as %j', (text, shown) => {
    expect(escapeControls(text)).toBe(shown);
    expect(formatTable([{ name: text }], [[text]], plain())).toEqual([
      shown,
      '─'.repeat(displayWidth(shown)),
      shown,
    ]);
  });

  test('is told apart from the ends of lines where there are lines', () => {
    expect(escapeControlsInLines('a,b\r\n\u001b\r\tc\n')).toBe('a,b\r\n\\u001b\\u000d\tc\n');
  });
});

describe('the look', () => {
  test('has colours on a terminal, unless they are not wanted', () => {
    const bold = (terminal: object, environment: Record<string, string>) =>
      createTerminalStyle(terminal, environment).bold('x');
    expect(bold({ isTTY: true }, {})).toBe('\u001b[1mx\u001b[0m');
    expect(bold({ isTTY: true }, { NO_COLOR: '' })).toBe('\u001b[1mx\u001b[0m');
    expect(bold({ isTTY: true }, { NO_COLOR: '1' })).toBe('x');
    expect(bold({ isTTY: true }, { TERM: 'dumb' })).toBe('x');
    expect(bold({}, {})).toBe('x');
  });

  test('is as wide as the terminal, and without bounds elsewhere', () => {
    expect(createTerminalStyle({ isTTY: true, columns: 132 }, {}).width).toBe(132);
    expect(createTerminalStyle({ columns: 132 }, {}).width).toBe(Number.POSITIVE_INFINITY);
    expect(createTerminalStyle({ isTTY: true, columns: 132 }, {}, 80).width).toBe(80);
  });
});

describe('a sparkline', () => {
  test.each([
    [[1, 2, 3, 4, 5, 6, 7, 8], '▁▂▃▄▅▆▇█'],
    [[8, 1], '█▁'],
    [[-5, 0, 5], '▁▅█'],
    [[3, 3, 3], '▄▄▄'],
    [[0], '▄'],
    [[1, null, 2], '▁·█'],
    [[null, null], '··'],
    [[], ''],
    [[-Number.MAX_VALUE, Number.MAX_VALUE], '▁█'],
    [[0, Number.MIN_VALUE], '▁█'],
  ])('of %j is %j', (values, line) => {
    expect(formatSparkline(values)).toBe(line);
  });

  test('has a mark for each value, the lowest and the highest where they belong', () => {
    const anyValues = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(anyValues, (values) => {
        const marks = [...formatSparkline(values)];
        expect(marks).toHaveLength(values.length);
        const [low, high] = [Math.min(...values), Math.max(...values)];
        for (const [index, value] of values.entries()) {
          if (low < high && value === low) expect(marks[index]).toBe('▁');
          if (low < high && value === high) expect(marks[index]).toBe('█');
        }
      }),
    );
  });

  test('of more values than there is room for is of their means, over gaps', () => {
    expect(getValuesPerMark(10, 10)).toBe(1);
    expect(getValuesPerMark(11, 10)).toBe(2);
    expect(getValuesPerMark(0, 10)).toBe(1);
    expect(averageNeighbours([1, 3, null, 5, null, null, 7], 2)).toEqual([2, 5, null, 7]);
    expect(averageNeighbours([Number.MAX_VALUE, Number.MAX_VALUE], 2)).toEqual([Number.MAX_VALUE]);
  });
});
