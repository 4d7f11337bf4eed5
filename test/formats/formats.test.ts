import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { OUTPUT_FORMATS } from '../../src/cli/query/write-response.ts';
import type { FormatWriter, TableToWrite } from '../../src/formats/file-contents.ts';
import {
  detectFormat,
  FILE_FORMATS,
  openFileInput,
  readContents,
} from '../../src/formats/read-contents.ts';
import { FILE_WRITERS, RESPONSE_WRITERS } from '../../src/formats/writers.ts';
import { FLAT_FORMATS } from '../../src/http/request/parse-query.ts';
import { EXPORT_FORMATS, FORMATS, type Format, type FormatName } from '../../src/shared/formats.ts';

const NAMES = Object.keys(FORMATS) as FormatName[];
const WRITERS: Readonly<Partial<Record<FormatName, FormatWriter>>> = {
  ...FILE_WRITERS,
  ...RESPONSE_WRITERS,
};
const folder = mkdtempSync(join(tmpdir(), 'tenor-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = 'Ζύγι ';

async function write(writer: FormatWriter, options: Partial<TableToWrite> = {}) {
  const rows = (async function* () {
    yield Array.from({ length: 500 }, () => [TEXT, 1]);
  })();
  const columns = [
    { name: 'label', type: 'text' },
    { name: 'figure', type: 'number' },
  ] as const;
  return Buffer.concat(await Array.fromAsync(writer({ title: 't', columns, rows, ...options })));
}

describe('the table of formats', () => {
  test('gives each use its formats, in the order that users know', () => {
    expect(Object.keys(RESPONSE_FORMATS).join()).toBe('json,csv,ndjson,arrow,parquet,xlsx');
    expect(FLAT_FORMATS.join()).toBe('csv,ndjson,arrow,parquet,xlsx');
    expect(EXPORT_FORMATS.join()).toBe('csv,ndjson,parquet');
    expect(FILE_FORMATS.join()).toBe('csv,tsv,json,ndjson,xlsx,parquet');
    expect(Object.keys(OUTPUT_FORMATS).join()).toBe('csv,json,ndjson');
    for (const key of ['mediaType', 'contentType', 'extension'] as const)
      expect(new Set(NAMES.map((name) => FORMATS[name][key])).size).toBe(NAMES.length);
  });

  test.each(NAMES)('what it says of %s is what its writer does', async (name) => {
    const { mediaType, contentType, traits } = FORMATS[name];
    expect(contentType.split(';')[0] ?? '').toBe(mediaType);
    expect(contentType.includes('charset=utf-8')).toBe(traits.isText);
    const writer = WRITERS[name];
    expect(writer !== undefined).toBe(traits.isTable);
    if (!writer) return;
    const bytes = await write(writer);
    const texts = bytes.toString().split(TEXT).length - 1;
    expect(Buffer.from(bytes.toString()).equals(bytes)).toBe(traits.isText);
    // Dictionaries and compression write a text that repeats fewer times.
    expect(texts < 500).toBe(traits.isCompressed);
    const about = () => [['Request', 'GET /']] as const;
    const described = await write(writer, { metadata: about });
    expect(described.length > bytes.length).toBe(traits.hasMetadata);
  });

  test.each(FILE_FORMATS)('a file of %s is read as such without being told', async (name) => {
    const writer = WRITERS[name];
    const records = name === 'json' ? '[{"figure":1}]' : '{"figure":1}\n{"figure":2}\n';
    const path = join(folder, 'unnamed');
    writeFileSync(path, writer ? await write(writer) : records);
    const input = await openFileInput(path);
    expect(await detectFormat(input)).toBe(name);
    expect((await readContents(input, {})).kind).toBe(
      FORMATS[name].traits.isTable ? 'table' : 'items',
    );
    input.close();
  });

  test('a format that lacks an answer, and a table of writers that lacks a format, do not compile', () => {
    const { isText, ...traits } = FORMATS.csv.traits;
    // @ts-expect-error it is not said whether it is text
    const row: Format = { ...FORMATS.csv, traits };
    const { tsv, ...writers } = FILE_WRITERS;
    // @ts-expect-error nothing writes TSV
    const table: typeof FILE_WRITERS = writers;
    expect({ ...row.traits, isText }).toEqual(FORMATS.csv.traits);
    expect({ ...table, tsv }).toEqual(FILE_WRITERS);
  });
});
