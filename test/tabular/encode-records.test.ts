import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { mobileMoneyMarketShareValue as marketShare } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { encodeRecords } from '../../src/tabular/encode-records.ts';
import { anyRecord } from '../support/arbitrary.ts';
import { readFixture } from '../support/fixtures.ts';
import { DECODERS, type TableName } from './decode-formats.ts';
import { fromCsv, rebuildRecords } from './rebuild-records.ts';

const TABLES = Object.keys(DECODERS) as TableName[];

/** One dataset of each shape, and those with lists. */
const differing = catalogue.filter(
  (dataset) =>
    catalogue.find(({ shape }) => shape === dataset.shape) === dataset ||
    Object.values(dataset.fields).some(({ itemFields }) => itemFields),
);

test.each(differing.map((dataset) => [dataset.name, dataset] as const))(
  '%s decodes from every format to arbitrary records',
  async (_, dataset) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord(dataset), { maxLength: 6 }), async (records) => {
        for (const texts of splitIntoResponses(dataset, records))
          for (const name of TABLES) await expectRoundTrip(dataset, name, texts);
      }),
      { numRuns: 5 },
    );
  },
);

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
  'the dataset %s',
  (_, dataset) => {
    test.each(TABLES)('decodes from %s to its records', async (name) => {
      for (const texts of splitIntoResponses(dataset, readFixture(dataset)))
        await expectRoundTrip(dataset, name, texts);
    });

    test('is in NDJSON its stored texts, byte for byte', async () => {
      const [texts = []] = splitIntoResponses(dataset, readFixture(dataset));
      const lines = await encode(dataset, 'ndjson', texts);
      expect(lines.toString()).toBe(texts.map((text) => `${text}\n`).join(''));
      expect(await encode(dataset, 'ndjson', [])).toBeEmpty();
    });

    test('has its columns without records', async () => {
      for (const name of TABLES) {
        const { names, rows } = await DECODERS[name](await encode(dataset, name, []));
        const scalars = Object.entries(dataset.fields).filter(([, { itemFields }]) => !itemFields);
        expect(names).toEqual(expect.arrayContaining(scalars.map(([field]) => field)));
        expect(rows).toEqual([]);
      }
    });
  },
);

test('a thousand quotes with repeated texts decode from every format', async () => {
  const [record = {}] = readFixture(quotes);
  const records = Array.from({ length: 1_000 }, (_, index) => {
    const date = `2026-06-${String(30 - Math.floor(index / 100)).padStart(2, '0')}`;
    return { ...record, date, symbol: `ZZ${index % 100}`, ytm: index / 7 };
  });
  for (const name of TABLES) await expectRoundTrip(quotes, name, serializeRecords(quotes, records));
});

describe('an encoded list of keys and values', () => {
  const share = (period: string, ...keys: string[]) => ({
    period,
    operators: keys.map((key, index) => ({ key, value: index + 1 })),
  });

  test('has the keys of all records in an order that suits most of them', async () => {
    const records = [share('Jun 2026', 'a', 'c'), share('May 2026', 'a', 'b', 'c', 'd')];
    expect(await encodeCsvLines(marketShare, records)).toEqual([
      'period,operators.a,operators.b,operators.c,operators.d,operators',
      'Jun 2026,1,,2,,"[{""key"":""a"",""value"":1},{""key"":""c"",""value"":2}]"',
      'May 2026,1,2,3,4,',
    ]);
  });

  test('is an empty list if no record has a key', async () => {
    const lines = await encodeCsvLines(marketShare, [share('Jun 2026'), share('May 2026')]);
    expect(lines).toEqual(['period,operators', 'Jun 2026,[]', 'May 2026,[]']);
  });
});

describe('encoded numbers', () => {
  const NUMBERS = [-0, 5e-324, -1.5e-7, 2 ** 53 - 1, -(2 ** 53) + 1, 1.5e300, 0.1 + 0.2];
  const [record = {}] = readFixture(quotes);
  const texts = NUMBERS.map((number) => {
    // JSON.stringify writes negative zero as 0.
    const text = Object.is(number, -0) ? '-0' : String(number);
    return serializeRecord(quotes, record).replace(/"ytm":[^,]+/, `"ytm":${text}`);
  });

  test.each(TABLES)('are exact in %s, including the sign of zero except in CSV', async (name) => {
    const { names, rows } = await DECODERS[name](await encode(quotes, name, texts));
    const numbers = name === 'csv' ? NUMBERS.map((number) => number + 0) : NUMBERS;
    expect(rows.map((cells) => Number(cells[names.indexOf('ytm')]))).toEqual(numbers);
  });
});

describe('an encoded fund', () => {
  const fund = (...labels: string[]) => ({
    ...fundAllocation.example,
    rows: labels.map((label, index) => ({ label, values: [index + 0.5, -index] })),
  });

  test('is a table of period by class, newest period first', async () => {
    const { fund_id, frequency, created, modified } = fundAllocation.example;
    const attributes = [fund_id, frequency, created, modified].join();
    expect(await encodeCsvLines(fundAllocation, [fund('Cash', 'T-Bills')])).toEqual([
      'period,date,Cash,T-Bills,fund_id,frequency,created,modified',
      `Jun 2026,2026-06-30,0.5,1.5,${attributes}`,
      `May 2026,2026-05-31,0,-1,${attributes}`,
    ]);
  });

  test('has unique column names', async () => {
    const labels = ['date', 'Date', 'rows.date', 'rows.rows.date', 'rows', 'period', 'rows.x'];
    const [header] = await encodeCsvLines(fundAllocation, [fund(...labels)]);
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
      await expectRoundTrip(fundAllocation, name, [
        serializeRecord(fundAllocation, fund(...labels)),
      ]);
  });
});

describe('a text that is a formula', () => {
  const FORMULAS = `=1+1 +1 -1 @SUM(A1) ＝1 ＋1 －1 ＠x - ="a",b '=1 ''-`.split(' ');
  const [record = {}] = readFixture(quotes);
  const records = FORMULAS.map((symbol) => ({ ...record, symbol, ytm: -1.5 }));
  const decodeCsvColumn = async (all: readonly AnyRecord[], name: string) => {
    const csv = await encode(quotes, 'csv', serializeRecords(quotes, all));
    const { names, rows } = await DECODERS.csv(csv);
    return rows.map((cells) => cells[names.indexOf(name)]);
  };

  test('gets an apostrophe in CSV, unlike a negative number', async () => {
    const symbols = FORMULAS.map((formula) => `'${formula}`);
    expect(await decodeCsvColumn(records, 'symbol')).toEqual(symbols);
    expect(await decodeCsvColumn(records, 'ytm')).toEqual(FORMULAS.map(() => '-1.5'));
  });

  test('gets an apostrophe in CSV column names too', async () => {
    const rows = FORMULAS.map((label) => ({ label, values: [1, 2] }));
    const text = serializeRecord(fundAllocation, { ...fundAllocation.example, rows });
    const { names } = await DECODERS.csv(await encode(fundAllocation, 'csv', [text]));
    expect(names.slice(2, -4)).toEqual(FORMULAS.map((formula) => `'${formula}`));
  });

  test('is unchanged in CSV if other characters come first', async () => {
    const symbols = ["'x", 'a=1', '1-2', 'x@y', '＃1'];
    const records = symbols.map((symbol) => ({ ...record, symbol }));
    expect(await decodeCsvColumn(records, 'symbol')).toEqual(symbols);
  });

  test.each(['arrow', 'parquet', 'xlsx'] as const)('is unchanged in %s', async (name) => {
    await expectRoundTrip(quotes, name, serializeRecords(quotes, records));
  });
});

test('encoding yields to the event loop in every format', async () => {
  const [record = {}] = readFixture(quotes);
  const texts = Array<string>(2_000).fill(serializeRecord(quotes, record));
  for (const name of ['ndjson', ...TABLES] as const) {
    let iterations = 0;
    let isDone = false;
    const countIteration = () => {
      iterations += 1;
      if (!isDone) setImmediate(countIteration);
    };
    setImmediate(countIteration);
    await encode(quotes, name, texts);
    isDone = true;
    expect(iterations, name).toBeGreaterThan(5);
  }
});

/** The records of each response: one fund, or all records of another dataset. */
function splitIntoResponses(dataset: Dataset, records: readonly AnyRecord[]): string[][] {
  const texts = serializeRecords(dataset, records);
  return dataset.shape === 'fund' ? texts.map((text) => [text]) : [texts];
}

function serializeRecords(dataset: Dataset, records: readonly AnyRecord[]): string[] {
  return records.map((record) => serializeRecord(dataset, record));
}

async function encode(...options: Parameters<typeof encodeRecords>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(encodeRecords(...options)));
}

async function encodeCsvLines(dataset: Dataset, records: readonly AnyRecord[]): Promise<string[]> {
  const csv = await encode(dataset, 'csv', serializeRecords(dataset, records));
  return csv.toString().trimEnd().split('\r\n');
}

async function expectRoundTrip(
  dataset: Dataset,
  name: TableName,
  texts: readonly string[],
): Promise<void> {
  const table = await DECODERS[name](await encode(dataset, name, texts));
  const records = rebuildRecords(dataset, name === 'csv' ? fromCsv(dataset, table) : table);
  const expected = texts
    .map((text) => JSON.parse(text))
    // A fund without periods is a table without rows.
    .filter(({ periods }) => dataset.shape !== 'fund' || periods.length > 0);
  expect([name, records]).toEqual([name, expected]);
}
