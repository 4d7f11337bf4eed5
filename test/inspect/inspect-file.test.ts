import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  InvalidFileError,
  type ItemStream,
  openFileInput,
  readContents,
} from '../../src/formats/read-contents.ts';
import { type FileProfile, inspectFile } from '../../src/inspect/inspect-file.ts';
import { formatBlank } from '../../src/inspect/profile-column.ts';
import { createTempFolder } from '../support/store.ts';
import { buildWorkbook } from './build-workbook.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

async function inspect(content: string | Uint8Array, name = 'a.csv'): Promise<FileProfile> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return inspectFile({ path, name }, {});
}

const getKinds = ({ sheets }: FileProfile) =>
  Object.fromEntries(sheets[0]?.columns.map(({ name, kind }) => [name, kind]) ?? []);
const getHeader = ({ sheets }: FileProfile) => sheets[0]?.headers[0]?.positions;

describe('the inspection of a file', () => {
  test('tells the kinds of columns, with examples, blanks and spellings', async () => {
    const profile = await inspect(
      [
        'day;month;quarter;year;figure;weight;isin;name;none;mix',
        '30.06.2026;Jan 2024;Q1-FY24;2024;1.234,5;12,5%;ZZ0624197586;Bond A;;1',
        '29.06.2026;Feb 2024;Q2-FY24;2023;-;1,5%;ZZ0624197586;Bond B;;x',
        '31.12.2026;Mar 2024;Q3-FY24;2022;98,1;2%;ZZ0624197586;Bond 9.5%;;3',
      ].join('\n'),
    );
    expect(profile).toMatchObject({
      format: 'csv',
      delimiter: ';',
      encoding: { encoding: 'utf-8' },
    });
    expect(getKinds(profile)).toEqual({
      day: 'day',
      month: 'month',
      quarter: 'quarter',
      year: 'year',
      figure: 'number',
      weight: 'percent',
      isin: 'isin',
      name: 'text',
      none: 'blank',
      mix: 'mixed',
    });
    const [sheet] = profile.sheets;
    expect(sheet?.columns[0]).toMatchObject({ dateOrder: 'dmy', blank: 0, distinct: 3 });
    expect(sheet?.columns[4]).toMatchObject({ decimal: ',', blankMarks: ['-'] });
    expect(sheet?.columns[4]?.blank).toBeCloseTo(1 / 3);
    expect(sheet?.columns[7]).toMatchObject({ percentInText: 'Bond 9.5%' });
    expect(sheet?.columns[2]?.examples).toEqual(['Q1-FY24', 'Q2-FY24', 'Q3-FY24']);
  });

  test('takes figures and periods with marks for what they are, as a load does', async () => {
    const profile = await inspect(
      'year,quarter,figure,price\n2023 (P),Q1 2023E,"1,234.5 e",$ 5*\n2024*,Q2 2023,12.5 (x),$ 6\n',
    );
    expect(getKinds(profile)).toEqual({
      year: 'year',
      quarter: 'quarter',
      figure: 'number',
      price: 'number',
    });
    const columns = profile.sheets[0]?.columns ?? [];
    expect(columns.map(({ needsPeriodConversion }) => needsPeriodConversion)).not.toContain(true);
    expect(columns.map(({ hasUnit = false }) => hasUnit)).toEqual([false, false, false, true]);
  });

  test.each([
    ['on the first line', 'a,b\n1,2\n3,4\n', [1]],
    ['below titles', 'A title\nIn millions,\n\na,b,c\nx,1,2\ny,3,4\n', [4]],
    ['below a title with cells beside it', 'Rates; of June\nday;rate\n2026-06-30;1\n', [2]],
    ['of years across the columns', 'Item,2022,2023\nCash,1,2\nCards,3,4\n', [1]],
    ['of two rows', 'Item,FY22,,FY23,\n,No,Value,No,Value\nCash,1,2,3,4\nCards,5,6,7,8\n', [1, 2]],
    ['with units below', 'Item,Volume,Value\n,million,billion\nCash,1,2\nCards,3,4\n', [1, 2]],
    ['of texts above texts', 'name,city\nAnn,Rome\nBob,Oslo\n', [1]],
  ])('finds the header %s', async (_, content, positions) => {
    expect(getHeader(await inspect(content))).toEqual(positions);
  });

  test('takes no title of one cell for another header', async () => {
    const { sheets } = await inspect('Prices\nprice,name\n98,Bond A\n97,Bond B\n');
    expect(sheets[0]?.headers).toEqual([{ positions: [2], names: ['price', 'name'] }]);
  });

  test('ends a table at a header below a gap, and not at texts among its figures', async () => {
    const lines = ['a,b', '1,2', '3,4', 'low,high', '5,6'];
    const getEnd = async (...all: string[]) => (await inspect(all.join('\n'))).sheets[0]?.end;
    expect(await getEnd(...lines)).toBeUndefined();
    expect(await getEnd(...lines.slice(0, 3), '', 'c,d', '5,6', '7,8')).toBe(3);
  });

  test.each([
    ['03/04/2026', 'either'],
    ['31/12/2026', 'dmy'],
    ['12/31/2026', 'mdy'],
    ['05/05/2026', 'named'],
  ])('tells the order of the day %s: %s', async (day, order) => {
    const { sheets } = await inspect(`day,price\n${day},1\n${day},2\n`);
    expect(sheets[0]?.columns[0]).toMatchObject({ kind: 'day', dateOrder: order });
  });

  test('finds no header if there is none', async () => {
    expect(getHeader(await inspect('1,2\n3,4\n5,6\n'))).toBeUndefined();
  });

  test('separates titles, headings, sums and notes of each sheet from its data', async () => {
    const rows = [
      ['Holdings as on 30th June 2026'],
      [],
      ['Name', 'Rating', 'Value', 'Share'],
      ['Bonds'],
      ['Bond A', 'AAA', 1, 2],
      ['Sub Total', null, 1, 2],
      ['Grand Total', null, 1, 2],
      ['Source: made up'],
    ];
    const { sheets } = await inspect(await buildWorkbook({ One: rows, Two: rows }), 'a.xlsx');
    expect(sheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
      ['One', 5],
      ['Two', 5],
    ]);
    const texts = (list: readonly { text: string }[] = []) => list.map(({ text }) => text);
    const [sheet] = sheets;
    expect(sheet?.days).toMatchObject([{ day: '2026-06-30', position: 1 }]);
    expect(texts(sheet?.sections)).toEqual(['Bonds']);
    expect(texts(sheet?.totals)).toEqual(['Sub Total 1 2', 'Grand Total 1 2']);
    expect(texts(sheet?.notes)).toEqual(['Source: made up']);
    expect(sheet?.dataRows.map(({ position }) => position)).toEqual([5]);
  });

  test('finds the objects in JSON, with the names above them', async () => {
    const content = JSON.stringify({ data: { 2023: { Q1: { a: 1 }, Q2: { a: 2 } } }, note: 'x' });
    const { shapes } = await inspect(content, 'a.json');
    expect(shapes).toMatchObject([{ path: 'data.*.*', keys: [['2023'], ['Q1', 'Q2']], count: 2 }]);
    const nested = JSON.stringify({ bonds: [{ code: 'A', quote: { bid: 1, ask: 2 } }] });
    const [shape] = (await inspect(nested, 'b.json')).shapes;
    expect(shape?.path).toBe('bonds.*');
    expect(shape?.names).toEqual(['code', 'quote.bid', 'quote.ask']);
  });

  test('takes a member named constructor for blank in the objects that do not have it', async () => {
    const content = JSON.stringify({ data: [{ a: 1, constructor: 2 }, { a: 3 }] });
    const [shape] = (await inspect(content, 'a.json')).shapes;
    expect(shape?.names).toEqual(['a', 'constructor']);
    expect(shape?.objects.map((object) => object.constructor as unknown)).toEqual([2, undefined]);
  });

  test('finds the names of every level of JSON, also if objects have different members', async () => {
    const quarters = (...names: string[]) =>
      Object.fromEntries(names.map((name) => [name, { total: 1 }]));
    const content = JSON.stringify({
      data: {
        punjab: { 2023: quarters('Q1', 'Q2'), 2024: quarters('Q1') },
        sindh: { 2024: quarters('Q3') },
        kpk: { 2022: quarters('Q4') },
      },
    });
    expect((await inspect(content, 'states.json')).shapes).toMatchObject([
      {
        path: 'data.*.*.*',
        keys: [
          ['punjab', 'sindh', 'kpk'],
          ['2023', '2024', '2022'],
          ['Q1', 'Q2', 'Q3', 'Q4'],
        ],
        count: 5,
      },
    ]);
    const districts = JSON.stringify({
      punjab: { Lahore: { count: 1, amount: 2 }, Multan: { count: 1, amount: 3 } },
      sindh: { Karachi: { count: 3, amount: 4, note: 'x' } },
    });
    const [shape] = (await inspect(districts, 'districts.json')).shapes;
    expect(shape).toMatchObject({ path: '*.*', count: 3, names: ['count', 'amount', 'note'] });
    const parts = JSON.stringify({ meta: { count: 1 }, data: { a: { count: 2, amount: 3 } } });
    expect((await inspect(parts, 'parts.json')).shapes.map(({ path }) => path)).toEqual([
      'data',
      '',
    ]);
  });

  test('finds objects of texts alone in lists of JSON, which name what is below them', async () => {
    const content = JSON.stringify({
      code: 'SUCCESS',
      data: {
        transactionData: ['Bills', 'Peers'].map((name) => ({
          name,
          paymentInstruments: [{ type: 'TOTAL', count: 10, amount: 100.5 }],
        })),
      },
    });
    const { shapes } = await inspect(content, 'pulse.json');
    expect(shapes.map(({ path, names }) => [path, names])).toEqual([
      ['data.transactionData.*.paymentInstruments.*', ['type', 'count', 'amount']],
      ['data.transactionData.*', ['name']],
    ]);
  });

  test('counts all rows of a long file, and looks at the first', async () => {
    const content = `a,b\n${'x,1\n'.repeat(5_000)}Source: made up,\n`;
    const [sheet] = (await inspect(content)).sheets;
    expect(sheet).toMatchObject({ rowCount: 5_001, sampledRows: 1_999 });
    expect(sheet?.dataRows.length).toBeLessThan(2_001);
    expect(sheet?.notes).toMatchObject([{ position: 5_002 }]);
  });

  test('judges columns by the first and the last rows', async () => {
    const content = `a,b\n${'x,\n'.repeat(5_000)}y,1\nz,2\n`;
    const [sheet] = (await inspect(content)).sheets;
    expect(sheet?.columns[1]).toMatchObject({ kind: 'number', examples: ['1', '2'], distinct: 2 });
    expect(sheet?.columns.map(formatBlank)).toEqual(['0 %', '>99 %']);
    const few = await inspect(`a,b,c\n${'x,1,2\n'.repeat(300)}y,,3\n`);
    expect(few.sheets[0]?.columns.map(formatBlank)).toEqual(['0 %', '<1 %', '0 %']);
  });

  test('rejects what is no data', async () => {
    await expect(inspect('')).rejects.toThrow(new InvalidFileError('is empty'));
    await expect(inspect('<html>')).rejects.toThrow(/^is an HTML page/);
  });
});

describe('the inspection of JSON', () => {
  const record = (index: number) => ({ symbol: `S${index}`, price: index });
  const RECORDS = Array.from({ length: 5_000 }, (_, index) => record(index));
  const LINES = `${RECORDS.map((each) => JSON.stringify(each)).join('\n')}\n`;
  const nest = (depth: number) => `{"a":${'['.repeat(depth - 1)}1${']'.repeat(depth - 1)}}`;

  test('counts all records on the lines of a file, and says how many of them it looked at', async () => {
    const { records, shapes } = await inspect(LINES, 'a.ndjson');
    expect(records).toEqual({ count: 5_000, sampledCount: 2_000 });
    expect(shapes).toMatchObject([{ path: '*', count: 2_000, sampledCount: 2_000 }]);
  });

  test('counts all objects of a list, and says how many of them it looked at', async () => {
    const { records, shapes } = await inspect(JSON.stringify(RECORDS), 'a.json');
    expect(records).toBeUndefined();
    expect(shapes).toMatchObject([{ path: '*', count: 5_000, sampledCount: 2_000 }]);
  });

  test('finds objects as deep as a load reads them, in a list of records as well', async () => {
    const deep = nest(63).replace('1', '{"price":1}');
    for (const content of [deep, `[${deep}]`]) {
      const { shapes } = await inspect(content, 'a.json');
      expect(shapes.map(({ names }) => names)).toEqual([['price']]);
    }
  });

  test.each([
    ['an object', `{"b":1,"a":${nest(64)}}`, 'is more than 64 deep in the value on line 1'],
    [
      'so deep that nothing could walk it',
      `{"b":1,"a":${nest(100_000)}}`,
      'is more than 64 deep in the value on line 1',
    ],
    [
      'the last of many records',
      `[${RECORDS.map((each) => JSON.stringify(each)).join()},\n${nest(65)}]`,
      'is more than 64 deep in the value on line 2',
    ],
    [
      'the last of many lines',
      `${LINES.repeat(4)}${nest(65)}\n`,
      'is more than 64 deep in the value on line 20001',
    ],
  ])('rejects what a load rejects, in its words: %s', async (_, content, message) => {
    const path = join(folder, 'deep.json');
    writeFileSync(path, content);
    await expect(inspect(content, 'deep.json')).rejects.toThrow(new InvalidFileError(message));
    const { items } = (await readContents(await openFileInput(path), {})) as ItemStream;
    await expect(Array.fromAsync(items)).rejects.toThrow(new InvalidFileError(message));
  });
});

test('a percentage within a text is found, with a fraction too', async () => {
  const { sheets } = await inspect('name,price\nTreasury 4 1/4% 2027,98\n');
  expect(sheets[0]?.columns[0]?.percentInText).toBe('Treasury 4 1/4% 2027');
  const named = await inspect('name,price\nNCD 9.90% 2029,98\n');
  expect(named.sheets[0]?.columns[0]?.percentInText).toBe('NCD 9.90% 2029');
});

test('the inspection of JSON with far too many names reads the first records, or says so', async () => {
  const members = Array.from({ length: 100_001 }, (_, index) => `"k${index}":1`);
  const { shapes } = await inspect(`[${members.map((member) => `{${member}}`).join()}]`, 'a.json');
  expect(shapes[0]?.names.length).toBeLessThan(50_000);
  await expect(inspect(`{${members.join()}}`, 'a.json')).rejects.toThrow(
    'more than 100,000 different',
  );
});

test('the row that names the columns can be asked for', async () => {
  const path = join(folder, 'titles.csv');
  writeFileSync(path, 'Symbol,Price\nname,figure\nZB1,98\nZB2,97\n');
  const read = async (headerRow?: number) =>
    (await inspectFile({ path, name: 'titles.csv' }, { headerRow })).sheets[0];
  expect((await read(2))?.headers).toEqual([{ positions: [2], names: ['name', 'figure'] }]);
  expect((await read(2))?.titles).toEqual([{ position: 1, text: 'Symbol Price' }]);
  expect((await read(1))?.headers).toEqual([{ positions: [1], names: ['Symbol', 'Price'] }]);
  expect((await read(9))?.headers).toEqual([]);
});

test('the inspection of a wide table keeps few of its rows', async () => {
  const row = `${Array(16_000).fill('1').join()}\n`;
  const { sheets } = await inspect(row.repeat(30));
  expect(sheets[0]?.rowCount).toBe(30);
  expect(sheets[0]?.dataRows.length).toBeLessThan(20);
});
