import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { branchlessBankingAgents } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { encodeRecords } from '../../src/tabular/encode-records.ts';
import { anyRecord } from '../support/arbitrary.ts';
import { readFixture } from '../support/fixtures.ts';
import { decoders, type TableName } from './decode-formats.ts';
import { fromCsv, recordsOf } from './rebuild-records.ts';

const TABLES = Object.keys(decoders) as TableName[];

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  test.each(TABLES)('as %s decodes to the records of its texts', async (name) => {
    for (const texts of answersOf(dataset, readFixture(dataset)))
      await expectSame(dataset, name, texts);
  });

  test('so does it whatever its records are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord(dataset), { maxLength: 6 }), async (records) => {
        for (const texts of answersOf(dataset, records)) {
          for (const name of TABLES) await expectSame(dataset, name, texts);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('as NDJSON is its texts, byte for byte', async () => {
    const [texts = []] = answersOf(dataset, readFixture(dataset));
    const lines = await written(dataset, 'ndjson', texts);
    expect(lines.toString()).toBe(texts.map((text) => `${text}\n`).join(''));
    expect(await written(dataset, 'ndjson', [])).toBeEmpty();
  });

  test('without records has its columns', async () => {
    for (const name of TABLES) {
      const { names, rows } = await decoders[name](await written(dataset, name, []));
      const scalars = Object.entries(dataset.fields).filter(([, { itemFields }]) => !itemFields);
      expect(names).toEqual(expect.arrayContaining(scalars.map(([field]) => field)));
      expect(rows).toEqual([]);
    }
  });
});

test('a thousand records decode as well, with texts that repeat', async () => {
  const [record = {}] = readFixture(quotes);
  const many = Array.from({ length: 1_000 }, (_, index) => {
    const date = `2026-06-${String(30 - Math.floor(index / 100)).padStart(2, '0')}`;
    return { ...record, date, symbol: `ZZ${index % 100}`, ytm: index / 7 };
  });
  for (const name of TABLES) await expectSame(quotes, name, textsOf(quotes, many));
});

describe('numbers', () => {
  const FIGURES = [-0, 5e-324, -1.5e-7, 2 ** 53 - 1, -(2 ** 53) + 1, 1.5e300, 0.1 + 0.2];
  const [record = {}] = readFixture(quotes);
  const texts = FIGURES.map((figure) => {
    // JSON.stringify writes the negative zero as 0.
    const text = Object.is(figure, -0) ? '-0' : String(figure);
    return serializeRecord(quotes, record).replace(/"ytm":[^,]+/, `"ytm":${text}`);
  });

  test.each(TABLES)('are the same in %s, to the sign of a zero where it has one', async (name) => {
    const { names, rows } = await decoders[name](await written(quotes, name, texts));
    const figures = name === 'csv' ? FIGURES.map((figure) => figure + 0) : FIGURES;
    expect(rows.map((cells) => Number(cells[names.indexOf('ytm')]))).toEqual(figures);
  });
});

describe('a fund', () => {
  const fund = (...labels: string[]) => ({
    ...fundAllocation.example,
    rows: labels.map((label, index) => ({ label, values: [index + 0.5, -index] })),
  });

  test('is a table of period by class, newest period first', async () => {
    const { fund_id, frequency, created, modified } = fundAllocation.example;
    const about = [fund_id, frequency, created, modified].join();
    expect(await linesOf(fundAllocation, [fund('Cash', 'T-Bills')])).toEqual([
      'period,date,Cash,T-Bills,fund_id,frequency,created,modified',
      `Jun 2026,2026-06-30,0.5,1.5,${about}`,
      `May 2026,2026-05-31,0,-1,${about}`,
    ]);
  });

  test('never has two columns of one name', async () => {
    const labels = ['date', 'Date', 'rows.date', 'rows.rows.date', 'rows', 'period', 'rows.x'];
    const [header] = await linesOf(fundAllocation, [fund(...labels)]);
    expect(header?.split(',').slice(2, -4)).toEqual([
      'rows.date',
      'Date',
      'rows.rows.date',
      'rows.rows.rows.date',
      'rows',
      'rows.period',
      'rows.x',
    ]);
    for (const name of TABLES)
      await expectSame(fundAllocation, name, [serializeRecord(fundAllocation, fund(...labels))]);
  });
});

test('a list of keyed values is columns, and JSON as well where keys differ', async () => {
  const agents = (period: string, keys: Readonly<Record<string, number>>) => ({
    period,
    total: 10,
    provinces: Object.entries(keys).map(([key, value]) => ({ key, value })),
  });
  const records = [agents('Jun 2026', { kpk: 0, sindh: 2 }), agents('May 2026', { sindh: 4 })];
  expect(await linesOf(branchlessBankingAgents, records)).toEqual([
    'period,total,provinces.kpk,provinces.sindh,provinces',
    'Jun 2026,10,0,2,',
    'May 2026,10,,4,"[{""key"":""sindh"",""value"":4}]"',
  ]);
});

describe('a formula', () => {
  const FORMULAS = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '-',
    '="a",b',
    "'=1",
    "''-",
  ];
  const [record = {}] = readFixture(quotes);
  const named = FORMULAS.map((symbol) => ({ ...record, symbol, ytm: -1.5 }));

  test('in a text has an apostrophe before it in CSV; a number never has', async () => {
    const table = await decoders.csv(await written(quotes, 'csv', textsOf(quotes, named)));
    const column = (name: string) => table.rows.map((cells) => cells[table.names.indexOf(name)]);
    expect(column('symbol')).toEqual(FORMULAS.map((formula) => `'${formula}`));
    expect(column('ytm')).toEqual(FORMULAS.map(() => '-1.5'));
  });

  test('in the name of a column has one as well', async () => {
    const rows = FORMULAS.map((label) => ({ label, values: [1, 2] }));
    const text = serializeRecord(fundAllocation, { ...fundAllocation.example, rows });
    const { names } = await decoders.csv(await written(fundAllocation, 'csv', [text]));
    expect(names.slice(2, -4)).toEqual(FORMULAS.map((formula) => `'${formula}`));
  });

  test('is left as it is behind other characters', async () => {
    const symbols = ["'x", 'a=1', '1-2', 'x@y', '＃1'];
    const records = symbols.map((symbol) => ({ ...record, symbol }));
    const table = await decoders.csv(await written(quotes, 'csv', textsOf(quotes, records)));
    expect(table.rows.map((cells) => cells[table.names.indexOf('symbol')])).toEqual(symbols);
  });

  test.each(['arrow', 'parquet', 'xlsx'] as const)('is text as it is in %s', async (name) => {
    await expectSame(quotes, name, textsOf(quotes, named));
  });
});

test('others have their turn while an answer is made, in every form', async () => {
  const [record = {}] = readFixture(quotes);
  const texts = Array<string>(2_000).fill(serializeRecord(quotes, record));
  for (const name of ['ndjson', ...TABLES] as const) {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await written(quotes, name, texts);
    isDone = true;
    expect(turns, name).toBeGreaterThan(5);
  }
});

/** Answers of a dataset: of a fund alone, of all else a list. */
function answersOf(dataset: Dataset, records: readonly AnyRecord[]): string[][] {
  const texts = textsOf(dataset, records);
  return dataset.shape === 'fund' ? texts.map((text) => [text]) : [texts];
}

function textsOf(dataset: Dataset, records: readonly AnyRecord[]): string[] {
  return records.map((record) => serializeRecord(dataset, record));
}

async function written(...asked: Parameters<typeof encodeRecords>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(encodeRecords(...asked)));
}

async function linesOf(dataset: Dataset, records: readonly AnyRecord[]): Promise<string[]> {
  const csv = await written(dataset, 'csv', textsOf(dataset, records));
  return csv.toString().trimEnd().split('\r\n');
}

async function expectSame(
  dataset: Dataset,
  name: TableName,
  texts: readonly string[],
): Promise<void> {
  const table = await decoders[name](await written(dataset, name, texts));
  const records = recordsOf(dataset, name === 'csv' ? fromCsv(dataset, table) : table);
  const expected = texts.map((text) => JSON.parse(text));
  // A fund without periods is a table without rows.
  const told = expected.filter(({ periods }) => dataset.shape !== 'fund' || periods.length > 0);
  expect([name, records]).toEqual([name, told]);
}
