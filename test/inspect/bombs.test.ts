import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { InvalidFileError, openFileInput } from '../../src/formats/read-contents.ts';
import { writeZip } from '../../src/formats/zip/write-zip.ts';
import { inspectFile } from '../../src/inspect/inspect-file.ts';
import { buildParts, createZip } from '../formats/support/workbook.ts';
import { createTempFolder } from '../support/store.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, name };
}

const MIB = 1024 ** 2;
const LIMIT_MS = 120_000;
const table = Buffer.alloc(72 * MIB, 'Month,Value\nJan 2026,1\n');
const zip = async (name: string, bytes: Uint8Array) =>
  Buffer.concat(await Array.fromAsync(writeZip([{ name, chunks: [bytes] }])));

const far = (row: number) => `<row r="${row}"><c r="XFD${row}"><v>1</v></c></row>`;
const near = Array.from({ length: 2_000 }, (_, at) => `<row r="${at + 1}"><c><v>1</v></c></row>`);
const sheet = (...rows: string[]) => createZip(buildParts({ sheets: { Data: rows.join('') } }));
const padded = (parts: Record<string, string>) =>
  createZip(buildParts({ sheets: { Data: near.join('') }, parts }));

const BOMBS: Readonly<Record<string, () => Promise<Uint8Array> | Uint8Array>> = {
  'rows.csv.gz': () => gzipSync(table, { level: 9 }),
  'rows.csv.zst': () => zstdCompressSync(table),
  'rows.zip': () => zip('a.csv', Buffer.alloc(72 * MIB, '0\n')),
  'spaces.xlsx': () =>
    padded({ 'xl/worksheets/0.xml': `<worksheet>${' '.repeat(72 * MIB)}</worksheet>` }),
  'corner.xlsx': () => sheet(...near, far(1_048_576)),
  'sparse.xlsx': () => sheet(...near.map((_, at) => far(at + 1))),
  'entity.xlsx': () =>
    padded({ 'xl/worksheets/0.xml': '<!DOCTYPE a [<!ENTITY b "bb">]><worksheet/>' }),
  'deep.json': () => Buffer.alloc(8 * MIB, '['),
  'deeper.json': () => Buffer.alloc(8 * MIB, '[{"a":'),
};

const MESSAGES: Readonly<Record<keyof typeof BOMBS, RegExp>> = {
  'rows.csv.gz': /^is a bomb: its gzip data inflates to over 200 times its size$/,
  'rows.csv.zst': /^is a bomb: its zstd data inflates to over 200 times its size$/,
  'rows.zip': /^is a bomb: a.csv inflates to over 200 times its size$/,
  'spaces.xlsx': /^is a bomb: xl\/worksheets\/0.xml inflates to over 200 times its size$/,
  'corner.xlsx': /^has cell XFD1048576 far from all others; clear it/,
  'sparse.xlsx': /^has cell XFD1 far from all others; clear it/,
  'entity.xlsx': /^is rejected: xl\/worksheets\/0.xml declares a document type$/,
  'deep.json': /^is more than 64 deep in the value on line 1$/,
  'deeper.json': /^is more than 64 deep in the value on line 1$/,
};

describe('a small file that becomes a large one', () => {
  test.each(Object.keys(BOMBS))(
    'is refused before it is read to its end: %s',
    async (name) => {
      const file = write(name, (await BOMBS[name]?.()) ?? '');
      const error = await inspectFile(file, {}).catch((cause) => cause);
      expect(error).toBeInstanceOf(InvalidFileError);
      expect(error.message).toMatch(MESSAGES[name] ?? '');
    },
    LIMIT_MS,
  );

  test.each(['rows.csv.gz', 'rows.csv.zst'])(
    'is inflated for 64 MiB at most: %s',
    async (name) => {
      const input = await openFileInput(write(name, (await BOMBS[name]?.()) ?? '').path);
      let bytes = 0;
      const reading = (async () => {
        for await (const chunk of input.readBytes()) bytes += chunk.length;
      })();
      await expect(reading).rejects.toThrow('is a bomb');
      expect(bytes).toBeLessThanOrEqual(64 * MIB);
    },
    LIMIT_MS,
  );

  test(
    'is read if it inflates as tables do, or is small',
    async () => {
      const small = write('small.csv.gz', Bun.gzipSync(table.subarray(0, 16 * MIB)));
      expect((await inspectFile(small, {})).sheets[0]?.rowCount).toBeGreaterThan(700_000);
      const ragged = Array.from(
        { length: 40 },
        (_, at) => `<row r="${at + 2}"><c r="NTP${at + 2}"><v>1</v></c></row>`,
      );
      const wide = `<row r="1">${'<c><v>2020</v></c>'.repeat(10_006)}</row>`;
      const path = write('ragged.xlsx', await sheet(wide, ...ragged));
      expect((await inspectFile(path, {})).sheets[0]?.width).toBe(10_006);
    },
    LIMIT_MS,
  );

  test(
    'is refused if the files of an archive share their data',
    async () => {
      const bytes = Buffer.from(await zip('a.csv', Buffer.from(`a,b\n${'1,2\n'.repeat(50_000)}`)));
      const directory = bytes.lastIndexOf('PK\x01\x02');
      const end = bytes.lastIndexOf('PK\x05\x06');
      const entries = Array.from({ length: 100 }, (_, at) => {
        const entry = Buffer.from(bytes.subarray(directory, end));
        entry.write(String.fromCharCode(0x41 + (at % 26), 0x41 + Math.floor(at / 26)), 46);
        return entry;
      });
      const tail = Buffer.from(bytes.subarray(end));
      tail.writeUInt32LE(100 * (end - directory), 12);
      const file = write(
        'shared.zip',
        Buffer.concat([bytes.subarray(0, directory), ...entries, tail]),
      );
      await expect(inspectFile(file, {})).rejects.toThrow(
        'is a zip bomb: its files share their data',
      );
    },
    LIMIT_MS,
  );
});

describe('a file without a header in its first MiB', () => {
  const figures = '1.5,2.5,3\n';

  test.each([
    ['figures', figures.repeat(120_000), 'has no row in its first MiB that names the columns'],
    ['blank lines', '\n'.repeat(1.1 * MIB), 'has no row in its first MiB that could name'],
    ['cells without text', ',,\n'.repeat(MIB), 'has no row in its first MiB that could name'],
  ])(
    'is refused before its end: %s',
    async (_, text, message) => {
      let rest = 0;
      const file = write('head.csv', `${text}${' '.repeat(16 * MIB)}\n`);
      const onBatch = () => void rest++;
      await expect(inspectFile(file, { onBatch })).rejects.toThrow(message);
      // Chunks of 256 KiB: at the start to detect the format and the delimiter, and then those of the first MiB.
      expect(rest).toBeLessThan(30);
    },
    LIMIT_MS,
  );

  test(
    'is read if it is not longer, or if a row is named',
    async () => {
      expect(
        (await inspectFile(write('a.csv', figures.repeat(1_000)), {})).sheets[0]?.headers,
      ).toEqual([]);
      const long = write('b.csv', figures.repeat(120_000));
      expect((await inspectFile(long, { headerRow: 1 })).sheets[0]?.rowCount).toBe(119_999);
    },
    LIMIT_MS,
  );
});

test(
  'blanks within cells, lines between rows and many names take time by the size of a file',
  async () => {
    const blanks = Array.from({ length: 30 }, (_, at) => `1${' '.repeat(100_000)}x,${at}\n`);
    const gaps = Array.from({ length: 1_400 }, (_, at) => `name${at},label,other\n\n`);
    const objects = Array.from({ length: 2_000 }, (_, at) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, name) => [`n${at}_${name}`, 1.5])),
    );
    const before = process.cpuUsage();
    const [first] = (await inspectFile(write('blanks.csv', `Name,Value\n${blanks.join('')}`), {}))
      .sheets;
    expect(first?.columns.map(({ kind }) => kind)).toEqual(['text', 'number']);
    const [second] = (
      await inspectFile(write('gaps.csv', `Month,Value,Text\n${gaps.join('')}`), {})
    ).sheets;
    expect(second?.dataRows).toHaveLength(1_400);
    const [shape] = (await inspectFile(write('names.json', JSON.stringify(objects)), {})).shapes;
    expect(shape?.sampledCount).toBeLessThan(200);
    const { user, system } = process.cpuUsage(before);
    // Each of them took longer alone before it was linear: 30, 10 and 100 seconds.
    expect((user + system) / 1e6).toBeLessThan(8);
  },
  LIMIT_MS,
);
