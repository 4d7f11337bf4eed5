import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectFile } from '../../src/inspect/inspect-file.ts';
import { createDeclaration } from '../../src/inspect/start/create-declaration.ts';
import { MONTH_ABBREVIATIONS } from '../../src/shared/calendar.ts';
import { createTempFolder } from '../support/store.ts';
import { buildWorkbook } from './build-workbook.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

async function declare(content: string | Uint8Array, name = 'a.csv') {
  const path = join(folder, name);
  writeFileSync(path, content);
  return createDeclaration('rates', await inspectFile({ path, name }, {}));
}

const toIso = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** How a period that begins with a month is written. */
const SPELLINGS = {
  'first day': (month: number) => toIso(1990, month, 1),
  'last day': (month: number) => toIso(1990, month + 1, 0),
  'day in the middle': (month: number) => toIso(1990, month, 15),
  'name of the month': (month: number) =>
    `${MONTH_ABBREVIATIONS[month % 12]}-${1990 + Math.floor(month / 12)}`,
  'number of the month': (month: number) => toIso(1990, month, 1).slice(0, 7),
};
type Spelling = keyof typeof SPELLINGS;

function findKind(spelling: Spelling, month: number, months: number) {
  if (spelling === 'day in the middle') return 'day';
  if (months === 12) {
    const isYear = spelling === (month === 0 ? 'first day' : month === 11 ? 'last day' : '');
    return isYear ? 'year' : 'month';
  }
  const isEndOfFirst = spelling === 'last day' && month % 3 === 0;
  return months % 3 === 0 && month % 3 !== 1 && !isEndOfFirst ? 'quarter' : 'month';
}

const CASES = (Object.keys(SPELLINGS) as Spelling[]).flatMap((spelling) =>
  [1, 3, 6, 12].flatMap((months) =>
    Array.from({ length: 12 }, (_, month) => [spelling, months, month] as const),
  ),
);

describe('the kind of period of dates that a file has', () => {
  test('is that of their distance, whichever month of a quarter or day of a month they name, with and without gaps', async () => {
    expect(CASES).toHaveLength(240);
    for (const [spelling, months, month] of CASES) {
      const all = Array.from({ length: 40 }, (_, at) => SPELLINGS[spelling](month + at * months));
      const texts = all.filter((_, at) => month % 2 === 0 || (at * at) % 7 !== 1);
      const rows = texts.map((text, at) => `${text},${at + 1.5}`);
      const found = await declare(['Date,Value', ...rows, ''].join('\n'));
      // The draft reads all of them: it leaves nothing to decide.
      const { kind, questions } = found?.start ?? {};
      const given = { spelling, months, month };
      const period = found?.declaration.period.kind;
      expect({ ...given, period, kind, questions }).toEqual({
        ...given,
        period: findKind(spelling, month, months),
        kind: 'mapping',
        questions: [],
      });
    }
  }, 60_000);

  test.each([
    ['days', 1],
    ['weeks', 7],
    ['fortnights', 14],
  ])('is a day for %s', async (_, days) => {
    const rows = Array.from({ length: 148 }, (_, at) => `${toIso(2020, 0, 1 + at * days)},${at}`);
    const found = await declare(['Date,Value', ...rows, ''].join('\n'));
    expect(found?.declaration.period.kind).toBe('day');
  });

  test('is a day for two dates, and for days that begin a month among others', async () => {
    const two = 'Date,Value\n2024-01-01,1\n2024-04-01,2\n';
    expect((await declare(two))?.declaration.period.kind).toBe('day');
    const others = '2024-01-01,1\n2024-04-01,2\n2024-07-01,3\n2024-10-02,4\n';
    expect((await declare(`Date,Value\n${others}`))?.declaration.period.kind).toBe('day');
  });
});

describe('the names of fields that a file gives', () => {
  test.each([
    ['país', 'pais'],
    ['años', 'anos'],
    ['männlich', 'mannlich'],
    ['ma\u0308nnlich', 'mannlich'],
    ['Größe', 'grosse'],
    ['Ørsted', 'orsted'],
    ['Złoty', 'zloty'],
    ['Yıl sayısı', 'yil_sayisi'],
    ['İhracat', 'ihracat'],
    ['Œuvres', 'oeuvres'],
    ['Décile1', 'decile1'],
    ['Ẩm thực', 'am_thuc'],
    ['valorAño', 'valorAno'],
    ['Ціна USD', 'usd'],
    ['Τιμή', '?'],
    ['Цена', '?'],
    ['価格', '?'],
  ])('have no hole where a letter has an accent: %s becomes %s', async (name, field) => {
    const found = await declare(`Month,${name}\nJan 2026,1.5\nFeb 2026,2\n`);
    expect(found?.declaration.measures.map((measure) => measure.field)).toEqual([field]);
    if (field !== '?') expect(found?.start?.questions).toEqual([]);
  });
});

describe('the codes of a dimension', () => {
  const banks = ['HBL', 'UBL', 'MCB'];
  const months = Array.from({ length: 700 }, (_, month) => toIso(1960, month, 1).slice(0, 7));
  const rows = months.flatMap((month) => banks.map((bank) => `${bank},${month},1,2`));
  const [note, heading, total] = [
    'Source: State Bank; revised',
    'All the others',
    'Total of banks',
  ];

  test.each([
    ['footnotes below them', [...rows, note, '* provisional']],
    ['headings between them', [...rows.slice(0, 1900), heading, ...rows.slice(1900), note]],
    ['sums', [...rows.slice(0, 1900), `${total},2017-01,3,6`, ...rows.slice(1900), note]],
  ])(
    'are those of rows of data, and not the %s, beyond the rows that are examined',
    async (_, lines) => {
      const found = await declare(['Bank,Month,Value,Count', ...lines, ''].join('\n'));
      const [bank] = found?.declaration.dimensions ?? [];
      expect(Object.keys(bank?.codes ?? {})).toEqual(banks);
    },
  );

  test('of two columns are also those of rows without a figure, if other rows follow', async () => {
    const narrow = Array.from({ length: 2000 }, (_, at) => `B${at % 7},${at}`);
    const lines = ['Bank,Value', ...narrow, 'Late,', 'B1,5', note, ''];
    const path = join(folder, 'narrow.csv');
    writeFileSync(path, lines.join('\n'));
    const { sheets } = await inspectFile({ path, name: 'narrow.csv' }, {});
    expect([...(sheets[0]?.texts[0] ?? [])].slice(7)).toEqual(['Late']);
  });
});

describe('a table with a column of figures is found', () => {
  test('if a number with zeros in front stands above the figures, as in series of INSEE', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, month) => `${toIso(2020, month, 1).slice(0, 7)};2.${month}`,
    );
    const found = await declare(['Libellé;Indice', 'idBank;001768594', ...rows, ''].join('\n'));
    expect(found?.declaration.measures.map(({ field }) => field)).toEqual(['indice']);
  });

  test('and no code with zeros in front of some is taken for one', async () => {
    const rows = Array.from(
      { length: 50 },
      (_, at) => `Jan 2026,${String(at).padStart(2, '0')},${at}`,
    );
    const found = await declare(['Month,Division,Value', ...rows, ''].join('\n'));
    expect(found?.declaration.measures.map(({ field }) => field)).toEqual(['value']);
    expect(found?.declaration.dimensions?.map(({ field }) => field)).toEqual(['division']);
  });

  test('behind a longer sheet of notes, and behind longer lists of texts in JSON', async () => {
    const notes = Array.from({ length: 40 }, (_, at) => [
      `code ${at}`,
      `a text about it, ${at}`,
      'none',
    ]);
    const workbook = await buildWorkbook({
      Notes: [['Code', 'Text', 'More'], ...notes],
      Data: [
        ['Month', 'Value'],
        ...['Jan 2026', 'Feb 2026', 'Mar 2026'].map((month, at) => [month, at]),
      ],
    });
    const found = await declare(workbook, 'a.xlsx');
    expect(found?.declaration.measures.map(({ field }) => field)).toEqual(['value']);
    const lists = { notes: notes.map(([code, text]) => ({ code, text })) };
    const json = JSON.stringify({ ...lists, data: [{ month: 'Jan 2026', value: 1 }] });
    const members = (await declare(json, 'a.json'))?.declaration.measures;
    expect(members?.map(({ field }) => field)).toEqual(['value']);
  });
});
