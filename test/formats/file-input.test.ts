import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { detectFormat } from '../../src/formats/detect-format.ts';
import { type FileInput, InvalidFileError } from '../../src/formats/file-contents.ts';
import { openFileInput, spoolToFile } from '../../src/formats/file-input.ts';
import { waitUntilStable } from '../support/eventually.ts';
import { createSingleFileZip, createZip } from './support/workbook.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = Buffer.from('day,price\n'.repeat(50));
const NOISE = randomBytes(300_000);
const checksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const unsized = { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } };
// A frame of three bytes that readers skip.
const SKIPPABLE = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

const compressed: readonly (readonly [string, Buffer, Buffer])[] = [
  ['gzip', gzipSync(TEXT), TEXT],
  ['gzip of noise', gzipSync(NOISE), NOISE],
  ['zstd', zstdCompressSync(TEXT), TEXT],
  ['zstd of one cell', zstdCompressSync(Buffer.from('day')), Buffer.from('day')],
  ['zstd with a checksum', zstdCompressSync(TEXT, checksum), TEXT],
  ['zstd without its size', zstdCompressSync(TEXT, unsized), TEXT],
  ['zstd of noise', zstdCompressSync(NOISE), NOISE],
  ['zstd of one letter', zstdCompressSync(Buffer.alloc(1_000_000, 'a')), Buffer.alloc(1e6, 'a')],
];

describe('a file input', () => {
  test('reads the bytes of a file, repeatedly', async () => {
    const input = await openFileInput(writeTemp(NOISE));
    expect(await readAll(input)).toEqual(NOISE);
    expect(await readAll(input)).toEqual(NOISE);
  });

  test.each(compressed)(
    'decompresses %s, whatever the file name',
    async (_, compressed, original) => {
      const input = await openFileInput(writeTemp(compressed, 'prices.csv'));
      expect(await readAll(input)).toEqual(original);
      expect(await readAll(input)).toEqual(original);
    },
  );

  test('detects compression by content, not by name', async () => {
    expect(await readAll(await openFileInput(writeTemp(TEXT, 'prices.csv.gz')))).toEqual(TEXT);
  });

  test.each([
    ['gzip', [gzipSync(TEXT), gzipSync(NOISE)]],
    ['zstd', [zstdCompressSync(TEXT, checksum), SKIPPABLE, zstdCompressSync(NOISE)]],
  ])('joins several members of %s', async (_, parts) => {
    const input = await openFileInput(writeTemp(Buffer.concat(parts)));
    expect(await readAll(input)).toEqual(Buffer.concat([TEXT, NOISE]));
  });

  test.each(compressed)('rejects truncated %s, truncated anywhere', async (_, compressed) => {
    const step = Math.ceil(compressed.length / 100);
    for (let length = compressed.length - 1; length >= 4; length -= step) {
      const input = await openFileInput(writeTemp(compressed.subarray(0, length)));
      await expect(readAll(input)).rejects.toThrow(
        /^is cut short: its (gzip|zstd) data has no end$/,
      );
    }
  });

  test.each([
    ['gzip', gzipSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT, checksum)],
  ])('rejects broken %s', async (name, compressed) => {
    const broken = Buffer.from(compressed);
    const last = broken.length - 2;
    broken[last] = (broken[last] ?? 0) ^ 1;
    const input = await openFileInput(writeTemp(broken));
    const error = new InvalidFileError(`has broken ${name} data`);
    await expect(readAll(input)).rejects.toThrow(error);
    await expect(input.getPath()).rejects.toThrow(error);
  });

  test.each([
    ['gzip', gzipSync(TEXT), Buffer.alloc(100)],
    ['zstd', zstdCompressSync(TEXT), Buffer.alloc(100)],
    ['zstd', zstdCompressSync(TEXT), TEXT],
  ])('rejects %s with trailing data', async (name, compressed, trailing) => {
    const input = await openFileInput(writeTemp(Buffer.concat([compressed, trailing])));
    await expect(readAll(input)).rejects.toThrow(
      new InvalidFileError(`has something else after its ${name} data`),
    );
  });

  test.each([
    ['as it is', NOISE],
    ['compressed', gzipSync(NOISE)],
  ])('reports how much of a file %s was read', async (_, content) => {
    let read = 0;
    const input = await openFileInput(writeTemp(content), (bytes) => {
      read += bytes;
    });
    await input.getPath();
    expect(read).toBe(0);
    await readAll(input);
    expect(read).toBe(content.length);
    input.close();
  });

  test('reads only a few chunks ahead', async () => {
    let read = 0;
    const compressed = gzipSync(randomBytes(16 * 2 ** 20), { level: 0 });
    const input = await openFileInput(writeTemp(compressed), (bytes) => {
      read += bytes;
    });
    for await (const _ of input.readBytes()) {
      await waitUntilStable(() => read);
      break;
    }
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(4 * 2 ** 20);
  });

  test('reads the only file of a ZIP archive, beside what systems put there', async () => {
    const noise = NOISE.toString('base64');
    const files = { 'a/prices.csv': noise, '__MACOSX/a/._prices.csv': 'x', 'a/.DS_Store': 'x' };
    const zip = await createZip(files);
    let read = 0;
    const input = await openFileInput(writeTemp(zip), (bytes) => {
      read += bytes;
    });
    expect((await readAll(input)).toString()).toBe(noise);
    expect(read).toBeGreaterThan(200_000);
    expect(read).toBeLessThan(zip.length);
    expect(readFileSync(await input.getPath(), 'utf8')).toBe(noise);
    input.close();
  });

  test.each([
    [
      'with several files',
      { 'a.csv': 'a', 'b/c.csv': 'b' },
      'is a ZIP file with 2 files, and may have one: a.csv, b/c.csv; unpack it, and name the file that is meant',
    ],
    ['with no file', { '__MACOSX/a': 'a' }, 'is a ZIP file with no file in it'],
    [
      'of a spreadsheet in another format',
      { mimetype: 'a', 'content.xml': 'b' },
      'is an OpenDocument file (.ods); save it as .xlsx',
    ],
  ])('of a ZIP archive %s is rejected with its name', async (_, files, message) => {
    const path = writeTemp(await createZip(files as Record<string, string>));
    await expect(openFileInput(path)).rejects.toThrow(new InvalidFileError(`${path} ${message}`));
  });

  test('has the path of the file itself if it is not compressed', async () => {
    const path = writeTemp(TEXT);
    const input = await openFileInput(path);
    expect(await input.getPath()).toBe(path);
    input.close();
    expect(existsSync(path)).toBe(true);
  });

  test('has one temporary file if it is compressed, which closing removes', async () => {
    const path = writeTemp(zstdCompressSync(NOISE));
    const input = await openFileInput(path);
    const [first, second] = await Promise.all([input.getPath(), input.getPath()]);
    expect(second).toBe(first);
    expect(readFileSync(first)).toEqual(NOISE);
    input.close();
    expect(existsSync(dirname(first))).toBe(false);
    expect(existsSync(path)).toBe(true);
  });

  test('is rejected with its name if there is no file to read', async () => {
    const missing = join(folder, 'nowhere.csv');
    await expect(openFileInput(missing)).rejects.toThrow(
      new InvalidFileError(`${missing} does not exist`),
    );
    const below = join(writeTemp(TEXT, 'file'), 'below.csv');
    await expect(openFileInput(below)).rejects.toThrow(
      new InvalidFileError(`${below} does not exist`),
    );
    await expect(openFileInput(folder)).rejects.toThrow(
      new InvalidFileError(`${folder} is a folder`),
    );
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(openFileInput(pipe)).rejects.toThrow(
      new InvalidFileError(`${pipe} is not a file; pipe its contents to standard input`),
    );
  });

  test.skipIf(process.getuid?.() === 0)(
    'is rejected with its name without permission to read it',
    async () => {
      const path = writeTemp(TEXT, 'secret.csv');
      chmodSync(path, 0);
      await expect(openFileInput(path)).rejects.toThrow(
        new InvalidFileError(`${path} cannot be read: permission denied`),
      );
    },
  );
});

describe('a spooled stream', () => {
  test('is a file until it is closed', async () => {
    const spooled = await spoolToFile(stream([TEXT, NOISE]));
    expect(readFileSync(spooled.path)).toEqual(Buffer.concat([TEXT, NOISE]));
    spooled.close();
    expect(existsSync(dirname(spooled.path))).toBe(false);
  });

  test('is rejected beyond its maximum, and leaves no file', async () => {
    const before = process.env.TMPDIR;
    const directory = mkdtempSync(join(folder, 'spool-'));
    process.env.TMPDIR = directory;
    try {
      const fitting = await spoolToFile(stream([TEXT]), { maxBytes: TEXT.length });
      expect(readdirSync(directory)).toHaveLength(1);
      fitting.close();
      const rejected = spoolToFile(stream([TEXT, Buffer.from('x')]), { maxBytes: TEXT.length });
      await expect(rejected).rejects.toThrow(new InvalidFileError('inflates to more than 4 GiB'));
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

let count = 0;

function writeTemp(content: Uint8Array, name = `file-${++count}`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function readAll(input: FileInput): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.readBytes()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* stream(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

test('a ZIP archive whose file says that it is larger than 4 GiB is rejected, as other compressed files', async () => {
  const zip = createSingleFileZip('a.csv', 'a\n1\n', { size: 5 * 1024 ** 3, wide: true });
  const input = await openFileInput(writeTemp(zip, 'a.zip'));
  await expect(readAll(input)).rejects.toThrow('is too large: a.csv is over 4,096 MiB');
});

test.each(['.parquet', '.XLSX', '.csv.gz', '.zst', '.json', '.ndjson'])(
  'bytes that are neither text nor what %s says are rejected by that name',
  async (end) => {
    const path = join(folder, `noise${end}`);
    writeFileSync(path, Buffer.from('\x07\x81\x8f\x90'.repeat(100), 'latin1'));
    const extension = end.replace('.csv', '');
    await expect(detectFormat(await openFileInput(path))).rejects.toThrow(
      new InvalidFileError(`is named ${extension}, and is neither that nor text; get it again`),
    );
    writeFileSync(path, 'day,price\n2026-06-30,1\n');
    expect(await detectFormat(await openFileInput(path))).toBe('csv');
  },
);

test('JSON in another encoding is not taken for bytes that are no text', async () => {
  const path = join(folder, 'a.json');
  writeFileSync(path, Buffer.from('[{"a": "\x83\x65\x83\x58\x83\x67\x93\xfa"}]', 'latin1'));
  expect(await detectFormat(await openFileInput(path))).toBe('json');
});

test('compressed bytes are judged by the name without that of the compression', async () => {
  const path = join(folder, 'noise.parquet.gz');
  writeFileSync(path, gzipSync(Buffer.from('\x07\x81\x8f\x90'.repeat(100), 'latin1')));
  await expect(detectFormat(await openFileInput(path))).rejects.toThrow(/^is named \.parquet, and/);
});
