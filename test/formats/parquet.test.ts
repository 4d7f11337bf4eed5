import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import type {
  CellRow,
  FileCell,
  FileInput,
  OutputColumn,
} from '../../src/formats/file-contents.ts';
import { InvalidFileError } from '../../src/formats/file-contents.ts';
import { DECOMPRESSORS } from '../../src/formats/parquet/codecs.ts';
import {
  formatDayCount,
  formatTime,
  formatTimestamp,
  toDecimal,
  toShortestFloat,
} from '../../src/formats/parquet/convert-values.ts';
import { resolveLogicalType } from '../../src/formats/parquet/logical-type.ts';
import { readParquet } from '../../src/formats/parquet/read-parquet.ts';
import { writeParquet } from '../../src/formats/parquet/write-parquet.ts';
import { COLUMNS, ROWS as SAMPLE_ROWS } from './sample-table.ts';

const LAST_ROW = [1.7976931348623157e308, 9007199254740991, '1969-12-31', '\ufeffmark'];
const ROWS = SAMPLE_ROWS.with(-1, LAST_ROW);

const folder = mkdtempSync(join(tmpdir(), 'tenor-parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'table.parquet');

describe('a Parquet file that is written', () => {
  test('is read back as the same cells, with its column names at position 0 and its rows from 1', async () => {
    await write(COLUMNS, [ROWS]);
    const rows = await read();
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rows[0]?.cells).toEqual(COLUMNS.map(({ name }) => name));
    expectSame(rows.slice(1), ROWS);
  });

  test('is read back as the same cells for any table', async () => {
    const row = fc.tuple(number, integer, day, text);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { maxLength: 40 }), { maxLength: 4 }),
        async (batches) => {
          await write(COLUMNS, batches);
          expectSame((await read()).slice(1), batches.flat());
        },
      ),
      { numRuns: 200 },
    );
  });

  test('distinguishes repeated 0 and -0', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => [index % 3 === 0 ? -0 : 0]);
    await write(COLUMNS.slice(0, 1), [rows]);
    expectSame((await read()).slice(1), rows);
  });

  test('has the minimum and maximum of each column, with text in byte order', async () => {
    await write(COLUMNS, [[...ROWS, [null, null, null, '\uffee'], [null, null, null, '🙂']]]);
    const footer = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
    const statistics = footer.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.statistics);
    const bounds = statistics?.map((of) => [of?.min_value, of?.max_value, of?.null_count]);
    expect(bounds).toEqual([
      [-0, 1.7976931348623157e308, 3n],
      [-9007199254740991n, 9007199254740991n, 3n],
      [new Date('0001-01-01'), new Date('9999-12-31'), 3n],
      ['', '🙂', 1n],
    ]);
  });

  test('is written in row groups, and read in batches', async () => {
    const columns = COLUMNS.slice(1, 2);
    const rows = Array.from({ length: 120_000 }, (_, index) => [index]);
    const chunks = await write(columns, [rows.slice(0, 70_000), rows.slice(70_000)]);
    expect(chunks).toBe(8);
    const batches = [];
    for await (const batch of (await readParquet(inputOf(path))).rows) batches.push(batch);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(5000);
    const read = batches.flat().slice(1);
    expect(read.length).toBe(120_000);
    expect(read.every(({ position: at, cells }) => cells[0] === at - 1)).toBe(true);
  });

  test('without rows has its columns', async () => {
    await write(COLUMNS, []);
    expect(await read()).toEqual([{ position: 0, cells: COLUMNS.map(({ name }) => name) }]);
  });

  test('is read without its blank rows, which are counted', async () => {
    const nothing = [null, null, null, ''];
    await write(COLUMNS, [[nothing, ROWS[0] ?? [], nothing, ROWS[0] ?? []]]);
    expect((await read()).map(({ position: at }) => at)).toEqual([0, 2, 4]);
  });
});

describe('a stored value', () => {
  test('of a 32-bit float is its shortest decimal', () => {
    expect([0.1, 16777216, 1e-45, 3.4028235e38].map(Math.fround).map(toShortestFloat)).toEqual([
      0.1, 16777216, 1e-45, 3.4028235e38,
    ]);
    fc.assert(
      fc.property(fc.float(), (value) => {
        const number = toShortestFloat(value);
        expect(Object.is(Math.fround(number), value)).toBe(true);
        const digits = (number.toExponential().split('e')[0] ?? '').replace(/\D/g, '').length;
        if (value === 0 || !Number.isFinite(value) || digits === 1) return;
        expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value);
      }),
    );
  });

  test('of a decimal is the number nearest to its text', () => {
    const whole = fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n });
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 38 }), (unscaled, scale) => {
        const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
        const text = `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
        expect(toDecimal(unscaled, scale)).toBe(Number(text));
      }),
    );
  });

  test('beyond the calendar is its number as text', () => {
    expect(formatDayCount(2 ** 31 - 1)).toBe('2147483647');
    expect(formatTimestamp(2n ** 62n, 'MILLIS', true)).toBe('4611686018427387904');
    expect(formatTime(2n ** 62n, 'MICROS')).toBe('4611686018427387904');
  });
});

test('the logical type of a column is also read from its converted type', () => {
  const older = { name: 'a', scale: 2 };
  expect(resolveLogicalType({ ...older, converted_type: 'DECIMAL' })).toEqual({
    type: 'DECIMAL',
    scale: 2,
  });
  expect(resolveLogicalType({ ...older, converted_type: 'TIMESTAMP_MICROS' })).toEqual({
    type: 'TIMESTAMP',
    unit: 'MICROS',
    utc: true,
  });
  const time = { type: 'TIME' as const, unit: 'MILLIS' as const };
  expect(resolveLogicalType({ ...older, converted_type: 'TIME_MILLIS' })).toEqual(time);
  const types = (['DATE', 'UINT_16', 'UTF8', 'INT_8', 'JSON', 'INTERVAL'] as const).map(
    (converted_type) => resolveLogicalType({ ...older, converted_type }).type,
  );
  expect(types).toEqual(['DATE', 'UNSIGNED', 'STORED', 'STORED', 'STORED', 'INTERVAL']);
});

test('a page decompresses to no more than its declared size, and an empty page to nothing', () => {
  for (const undo of Object.values(DECOMPRESSORS)) expect(undo(new Uint8Array(), 0)).toBeEmpty();
  const page = Bun.zstdCompressSync(new Uint8Array(1000));
  expect(DECOMPRESSORS.ZSTD?.(page, 1000)).toHaveLength(1000);
  expect(() => DECOMPRESSORS.ZSTD?.(page, 999)).toThrow(/larger than 999/);
});

describe('a Parquet file is rejected', () => {
  test('that is no Parquet file', async () => {
    for (const bytes of ['', 'abc', 'date,price\n2026-06-30,100\n']) {
      writeFileSync(path, bytes);
      await refused('is not a Parquet file: one begins with PAR1');
    }
  });

  test('that is truncated anywhere', async () => {
    await write(COLUMNS, [ROWS]);
    const whole = readFileSync(path);
    for (let length = 4; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      await refused('is cut short: a Parquet file ends with PAR1, as it begins');
    }
  });

  test('whose footer contradicts itself', async () => {
    await write(COLUMNS, [ROWS]);
    const bytes = readFileSync(path);
    // The count of rows, five, is a field of the footer behind the last column's name.
    const count = bytes.indexOf(
      'symbol.näme',
      bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8),
    );
    bytes[bytes.indexOf(Buffer.from([0x16, 2 * 5]), count) + 1] = 2 * 6;
    writeFileSync(path, bytes);
    await refused('has a footer that cannot be read: 5 rows where it says 6');
  });

  test('that lacks bytes in its middle', async () => {
    await write(COLUMNS, [ROWS]);
    const whole = readFileSync(path);
    for (const lost of [1, 10, 40, 100, 200]) {
      writeFileSync(path, Buffer.concat([whole.subarray(0, 4), whole.subarray(4 + lost)]));
      await refused(/./);
    }
  });

  test('that is encrypted', async () => {
    writeFileSync(path, 'PARE and what nobody can read PARE');
    await refused('is encrypted; write it again without encryption');
  });
});

const pyarrow = Bun.spawnSync(['python3', '-c', 'import pyarrow']).success;
if (!pyarrow) console.log('skipped: pyarrow, the other reader and writer, is not installed');

describe.skipIf(!pyarrow)('pyarrow', () => {
  test('reads types, values, nulls and the sign of zero', async () => {
    await write(COLUMNS, [ROWS]);
    const [types, rows] = python(`
table = pq.read_table(path)
rows = [[None if v is None else repr(v) if isinstance(v, float) else str(v) for v in row.values()]
  for row in table.to_pylist()]
print(json.dumps([[str(t) for t in table.schema.types], rows]))`);
    expect(types).toEqual(['double', 'int64', 'date32[day]', 'string']);
    expect(rows).toEqual([
      ['101.25', '7', '2026-06-30', 'P10PIB'],
      [null, null, null, 'Ünïcode 🙂'],
      ['-0.0', '-9007199254740991', '0001-01-01', ''],
      ['5e-324', '0', '9999-12-31', null],
      ['1.7976931348623157e+308', '9007199254740991', '1969-12-31', '\ufeffmark'],
    ]);
  });

  test('reads row groups, columns of one value or none, and a table without rows', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [1.5, null, '2026-06-30', `row ${i}`]);
    await write(COLUMNS, [rows]);
    const groups = `
file = pq.ParquetFile(path)
print(json.dumps([file.num_row_groups, file.read().num_columns,
  [[c.null_count, c[0].as_py() and str(c[0]), len(c.unique())] for c in file.read().columns]]))`;
    const one = [0, '1.5', 1];
    const columns = [one, [60_000, null, 1], [0, '2026-06-30', 1], [0, 'row 0', 60_000]];
    expect(python(groups)).toEqual([4, 4, columns]);
    await write(COLUMNS, []);
    expect(python('print(json.dumps(pq.read_table(path).shape))')).toEqual([0, 4]);
  });

  test.each(['none', 'snappy', 'gzip', 'zstd', 'brotli'])('is read, with %s', async (codec) => {
    python(`
utc = lambda unit: pa.timestamp(unit, tz='UTC')
days = [dt.datetime(2026, 6, 30), dt.datetime(1969, 12, 31, 23, 59, 59, 250000), None]
table = pa.table({
  'int32': pa.array([-5, 2147483647, None], pa.int32()),
  'int64': pa.array([9007199254740991, -9007199254740993, None]),
  'uint32': pa.array([1, 4294967295, None], pa.uint32()),
  'uint64': pa.array([1, 18446744073709551615, None], pa.uint64()),
  'float': pa.array([0.1, 1.1754942e-38, None], pa.float32()),
  'double': pa.array([0.1, -0.0, None]),
  'bool': pa.array([True, False, None]),
  'date': pa.array([dt.date(2026, 6, 30), dt.date(1, 1, 1), None]),
  'ms': pa.array(days, pa.timestamp('ms')),
  'us': pa.array([days[1], dt.datetime(2026, 6, 30, 12, 0, 0, 1), None], pa.timestamp('us')),
  'ns': pa.array([days[1], dt.datetime(2026, 6, 30, 12), None], pa.timestamp('ns')),
  'ms utc': pa.array(days, utc('ms')),
  'us utc': pa.array(days, utc('us')),
  'ns utc': pa.array([0, 1, None], utc('ns')),
  'time': pa.array([dt.time(9, 30), dt.time(12, 0, 0, 500000), None], pa.time64('us')),
  'decimal 9': pa.array([D('1.15'), D('-0.07'), None], pa.decimal128(9, 2)),
  'decimal 38': pa.array([D('1234567.89'), D('-0.0000000001'), None], pa.decimal128(38, 10)),
  'whole': pa.array([D(7), D('9007199254740993'), None], pa.decimal128(20, 0)),
  'text': pa.array(['PIB', 'é🙂', None]),
  'large': pa.array(['PIB', '', None], pa.large_string()),
  'words': pa.array(['a', 'a', None]).dictionary_encode(),
  'bytes': pa.array([b'PIB', 'é'.encode(), None], pa.binary()),
  'uuid': pa.array([b'0123456789abcdef', bytes(16), None], pa.uuid()),
  'half': pa.array([1.5, -0.25, None], pa.float16()),
  'nulls': pa.nulls(3),
  'required': pa.array([1, 2, 3]),
})
table = table.cast(table.schema.set(25, pa.field('required', pa.int64(), nullable=False)))
for words in True, False:
  for pages in '1.0', '2.0':
    pq.write_table(table, f'{path}-{words}-{pages}', compression='${codec}', data_page_version=pages,
      use_dictionary=words)`);
    const before = '1969-12-31T23:59:59.250';
    const uuid = '30313233-3435-3637-3839-616263646566';
    const columns: Record<string, readonly FileCell[]> = {
      int32: [-5, 2147483647],
      int64: [9007199254740991, '-9007199254740993'],
      uint32: [1, 4294967295],
      uint64: [1, '18446744073709551615'],
      float: [0.1, 1.1754942e-38],
      double: [0.1, -0],
      bool: ['TRUE', 'FALSE'],
      date: ['2026-06-30', '0001-01-01'],
      ms: ['2026-06-30', before],
      us: [before, '2026-06-30T12:00:00.000001'],
      ns: [before, '2026-06-30T12:00:00'],
      'ms utc': ['2026-06-30', `${before}Z`],
      'us utc': ['2026-06-30', `${before}Z`],
      'ns utc': ['1970-01-01', '1970-01-01T00:00:00.000000001Z'],
      time: ['09:30:00', '12:00:00.500'],
      'decimal 9': [1.15, -0.07],
      'decimal 38': [1234567.89, -1e-10],
      whole: [7, '9007199254740993'],
      text: ['PIB', 'é🙂'],
      large: ['PIB', ''],
      words: ['a', 'a'],
      bytes: ['PIB', 'é'],
      uuid: [uuid, '00000000-0000-0000-0000-000000000000'],
      half: [1.5, -0.25],
      nulls: [null, null],
      required: [1, 2],
    };
    const cells = [
      Object.keys(columns),
      Object.values(columns).map(([first = null]) => first),
      Object.values(columns).map(([, second = null]) => second),
      [...new Array(25).fill(null), 3],
    ];
    for (const style of ['True-1.0', 'True-2.0', 'False-1.0', 'False-2.0']) {
      expect(
        (await read(`${path}-${style}`)).map((row) => row.cells),
        style,
      ).toEqual(cells);
    }
  });

  test.each([true, false])('is read in ranges of one row group, page index %p', async (index) => {
    const rows = await readWritten(`
n = 150_000
table = pa.table({'row': pa.array(range(1, n + 1)), 'word': ['word %d' % (i % 7) for i in range(n)],
  'price': pa.array([None if i % 10 == 0 else i / 4 for i in range(n)])})
pq.write_table(table, path, row_group_size=n, data_page_size=4096, use_dictionary=['word'],
  write_page_index=${index ? 'True' : 'False'})`);
    expect(rows.length).toBe(150_001);
    const invalid = rows.slice(1).filter(({ position, cells }) => {
      const price = (position - 1) % 10 === 0 ? null : (position - 1) / 4;
      return (
        cells[0] !== position || cells[1] !== `word ${(position - 1) % 7}` || cells[2] !== price
      );
    });
    expect(invalid).toEqual([]);
  });

  test('is read with INT96 timestamps', async () => {
    const rows = await readWritten(`
table = pa.table({'time': pa.array([dt.datetime(2026, 6, 30, 12), dt.datetime(1960, 1, 1)])})
pq.write_table(table, path, use_deprecated_int96_timestamps=True)`);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['time'],
      ['2026-06-30T12:00:00'],
      ['1960-01-01'],
    ]);
  });

  test.each([
    [
      'LZ4',
      'is compressed with LZ4_RAW; write it with UNCOMPRESSED, SNAPPY, GZIP, BROTLI, ZSTD',
      `
pq.write_table(pa.table({'a': [1]}), path, compression='lz4')`,
    ],
    [
      'lists',
      'column of lists holds nested values; write each of them as a column',
      `
pq.write_table(pa.table({'a': [1], 'of\\nlists': [[1, 2]]}), path)`,
    ],
    [
      'structs',
      'column s holds nested values; write each of them as a column',
      `
pq.write_table(pa.table({'s': [{'a': 1}]}), path)`,
    ],
    [
      'one name twice',
      'has two columns called a',
      `
pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=['a', 'a']), path)`,
    ],
    [
      'bytes that are no text',
      'column a, rows 1 to 1, cannot be read: it holds bytes that are not UTF-8 text',
      `
pq.write_table(pa.table({'a': [b'\\xff']}), path)`,
    ],
  ])('is rejected with %s', async (_, message, script) => {
    python(script);
    await refused(message);
  });
});

const number = fc.option(fc.double({ noNaN: true }));
const integer = fc.option(fc.maxSafeInteger());
const text = fc.option(fc.string({ unit: 'binary' }));
const day = fc.option(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);

function inputOf(path: string): FileInput {
  const bytes = () => {
    throw new Error('a Parquet file is never read from its start');
  };
  return { getPath: async () => path, readBytes: bytes, close: () => {} };
}

/** Writes the file, and tells in how many pieces. */
async function write(
  columns: readonly OutputColumn[],
  batches: readonly (readonly (readonly FileCell[])[])[],
): Promise<number> {
  const rows = (async function* () {
    yield* batches;
  })();
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeParquet({ title: 'table', columns, rows })) chunks.push(chunk);
  writeFileSync(path, Buffer.concat(chunks));
  return chunks.length;
}

async function read(at = path): Promise<CellRow[]> {
  const rows: CellRow[] = [];
  for await (const batch of (await readParquet(inputOf(at))).rows) rows.push(...batch);
  return rows;
}

/** The same cells to the sign of a zero; rows of blanks are not given on. */
function expectSame(rows: readonly CellRow[], written: readonly (readonly FileCell[])[]): void {
  const filled = written
    .map((cells, index) => ({ at: index + 1, cells: [...cells] }))
    .filter(({ cells }) => cells.some((cell) => cell !== null && cell !== ''));
  expect(rows.map(({ position, cells }) => ({ at: position, cells: [...cells] }))).toEqual(filled);
  const signs = (cells: readonly FileCell[]) => cells.map((cell) => Object.is(cell, -0));
  expect(rows.map(({ cells }) => signs(cells))).toEqual(filled.map(({ cells }) => signs(cells)));
}

async function refused(message: string | RegExp): Promise<void> {
  const error = await read().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InvalidFileError);
  const text = (error as InvalidFileError).message;
  if (typeof message === 'string') expect(text).toBe(message);
  else expect(text).toMatch(message);
  expect(text).not.toContain('\n');
}

/** What pyarrow wrote, as it is read here. */
async function readWritten(script: string): Promise<CellRow[]> {
  python(script);
  return read();
}

/** Runs a script of Python, and gives what it printed, as JSON. */
function python(script: string): unknown[] {
  const imports = `
import datetime as dt, json, sys
from decimal import Decimal as D
import pyarrow as pa, pyarrow.parquet as pq
path = sys.argv[1]
`;
  const { stdout, stderr, success } = Bun.spawnSync(['python3', '-c', imports + script, path]);
  if (!success) throw new Error(stderr.toString());
  return stdout.length > 0 ? JSON.parse(stdout.toString()) : [];
}
