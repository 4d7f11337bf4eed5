import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { writeArrow } from '../../src/formats/arrow/write-arrow.ts';
import type { FileCell, OutputColumn } from '../../src/formats/file-contents.ts';
import { COLUMNS, ROWS } from './sample-table.ts';
import { type Batches, toBatches, useParquetFile } from './support/parquet-file.ts';

const isInstalled = Bun.spawnSync(['python3', '-c', 'import pyarrow']).success;
if (!isInstalled) console.log('skipped: pyarrow, the other reader and writer, is not installed');

const { path, read, write, expectRejected } = useParquetFile();

const READ_STREAM = `
table = ipc.open_stream(path).read_all()
table.validate(full=True)`;

describe.skipIf(!isInstalled)('pyarrow', () => {
  test.each([
    ['a Parquet file', write, 'table = pq.read_table(path)'],
    ['an Arrow stream', writeStream, READ_STREAM],
  ])('reads types, values, nulls and the sign of zero of %s', async (_, writeTable, readTable) => {
    await writeTable(COLUMNS, [[...ROWS, [null, null, null, '\ufeffmark']]]);
    const [types, rows] = python(`${readTable}
rows = [[None if v is None else repr(v) if isinstance(v, float) else str(v) for v in row.values()]
  for row in table.to_pylist()]
print(json.dumps([[str(t) for t in table.schema.types], rows]))`);
    expect(types).toEqual(['double', 'int64', 'date32[day]', 'string']);
    expect(rows).toEqual([
      ['101.25', '7', '2026-06-30', 'P10PIB'],
      [null, null, null, 'Ünïcode 🙂'],
      ['-0.0', '-9007199254740991', '0001-01-01', ''],
      ['5e-324', '0', '9999-12-31', null],
      ['1.7976931348623157e+308', '9007199254740991', '1969-12-31', '\u{10ffff}'],
      [null, null, null, '\ufeffmark'],
    ]);
  });

  test('reads Arrow streams of several batches, many columns, and no rows', async () => {
    const columns = Array.from({ length: 300 }, (_, index): OutputColumn => {
      return { name: `column ${index}`, type: index % 2 === 0 ? 'text' : 'number' };
    });
    const row = columns.map(({ type }, index) => (type === 'text' ? `é${index}` : null));
    await writeStream(columns, [Array(10_001).fill(row)]);
    const shape = `${READ_STREAM}
print(json.dumps([*table.shape, table.column(0).num_chunks, table[298][10000].as_py()]))`;
    expect(python(shape)).toEqual([10_001, 300, 2, 'é298']);
    await writeStream(COLUMNS, []);
    expect(python(`${READ_STREAM}\nprint(json.dumps(table.shape))`)).toEqual([0, 4]);
  });

  test('reads Parquet files of several row groups, columns of one value or none, and no rows', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [1.5, null, '2026-06-30', `row ${i}`]);
    await write(COLUMNS, [rows]);
    const groups = `
file = pq.ParquetFile(path)
print(json.dumps([file.num_row_groups, file.read().num_columns,
  [[c.null_count, c[0].as_py() and str(c[0]), len(c.unique())] for c in file.read().columns]]))`;
    const columns = [
      [0, '1.5', 1],
      [60_000, null, 1],
      [0, '2026-06-30', 1],
      [0, 'row 0', 60_000],
    ];
    expect(python(groups)).toEqual([4, 4, columns]);
    await write(COLUMNS, []);
    expect(python('print(json.dumps(pq.read_table(path).shape))')).toEqual([0, 4]);
  });

  test.each(['none', 'snappy', 'gzip', 'zstd', 'brotli'])(
    'writes Parquet files of all types that are read, with %s',
    async (codec) => {
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
    },
  );

  test.each([true, false])(
    'writes Parquet files that are read in ranges of one row group, page index %p',
    async (index) => {
      python(`
n = 150_000
table = pa.table({'row': pa.array(range(1, n + 1)), 'word': ['word %d' % (i % 7) for i in range(n)],
  'price': pa.array([None if i % 10 == 0 else i / 4 for i in range(n)])})
pq.write_table(table, path, row_group_size=n, data_page_size=4096, use_dictionary=['word'],
  write_page_index=${index ? 'True' : 'False'})`);
      const rows = await read();
      expect(rows.length).toBe(150_001);
      const invalid = rows.slice(1).filter(({ position, cells }) => {
        const price = (position - 1) % 10 === 0 ? null : (position - 1) / 4;
        return (
          cells[0] !== position || cells[1] !== `word ${(position - 1) % 7}` || cells[2] !== price
        );
      });
      expect(invalid).toEqual([]);
    },
  );

  test('writes INT96 timestamps that are read', async () => {
    python(`
table = pa.table({'time': pa.array([dt.datetime(2026, 6, 30, 12), dt.datetime(1960, 1, 1)])})
pq.write_table(table, path, use_deprecated_int96_timestamps=True)`);
    expect((await read()).map(({ cells }) => cells)).toEqual([
      ['time'],
      ['2026-06-30T12:00:00'],
      ['1960-01-01'],
    ]);
  });

  test.each([
    [
      'LZ4',
      'is compressed with LZ4_RAW; write it with UNCOMPRESSED, SNAPPY, GZIP, BROTLI, ZSTD',
      `pq.write_table(pa.table({'a': [1]}), path, compression='lz4')`,
    ],
    [
      'lists',
      'column of lists holds nested values; write each of them as a column',
      `pq.write_table(pa.table({'a': [1], 'of\\nlists': [[1, 2]]}), path)`,
    ],
    [
      'structs',
      'column s holds nested values; write each of them as a column',
      `pq.write_table(pa.table({'s': [{'a': 1}]}), path)`,
    ],
    [
      'one name twice',
      'has two columns called a',
      `pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=['a', 'a']), path)`,
    ],
    [
      'bytes that are no text',
      'column a, rows 1 to 1, cannot be read: it holds bytes that are not UTF-8 text',
      `pq.write_table(pa.table({'a': [b'\\xff']}), path)`,
    ],
  ])('writes Parquet files that are rejected: with %s', async (_, message, script) => {
    python(script);
    await expectRejected(message);
  });
});

async function writeStream(columns: readonly OutputColumn[], batches: Batches): Promise<void> {
  const table = { title: 'table', columns, rows: toBatches(batches) };
  writeFileSync(path, Buffer.concat(await Array.fromAsync(writeArrow(table))));
}

/** Runs a Python script, and parses the JSON that it prints. */
function python(script: string): unknown[] {
  const imports = `
import datetime as dt, json, sys
from decimal import Decimal as D
import pyarrow as pa, pyarrow.ipc as ipc, pyarrow.parquet as pq
path = sys.argv[1]
`;
  const { stdout, stderr, success } = Bun.spawnSync(['python3', '-c', imports + script, path]);
  if (!success) throw new Error(stderr.toString());
  return stdout.length > 0 ? JSON.parse(stdout.toString()) : [];
}
