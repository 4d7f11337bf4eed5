import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume as online } from '../../../src/catalogue/datasets/series/index.ts';
import { formatProblemLine } from '../../../src/cli/format.ts';
import {
  type FileFormat,
  InvalidFileError,
  type OutputColumn,
} from '../../../src/formats/read-contents.ts';
import { RESPONSE_WRITERS } from '../../../src/formats/writers.ts';
import { writeZip } from '../../../src/formats/zip/write-zip.ts';
import { inspectFile } from '../../../src/inspect/inspect-file.ts';
import { GuardError, LoadValidationError } from '../../../src/publish/errors.ts';
import { loadFiles } from '../../../src/publish/load/load-files.ts';
import { withFileName } from '../../../src/publish/load/read-drafts.ts';
import type { Publisher } from '../../../src/store/open-store.ts';
import { createStore, createTempFolder, REPETITIONS, type TestStore } from '../../support/store.ts';

let folder: string;
let store: TestStore;
let publisher: Publisher;
beforeAll(async () => {
  folder = createTempFolder();
  store = await createStore();
  publisher = store.publisher();
});
afterAll(async () => {
  publisher.close();
  await store.remove();
  rmSync(folder, { recursive: true });
});

const COLUMNS: readonly OutputColumn[] = [
  { name: 'year', type: 'text' },
  { name: 'cash_wtl', type: 'number' },
  { name: 'cash_deposit', type: 'integer' },
  { name: 'funds_transfer', type: 'day' },
  { name: 'total', type: 'boolean' },
];
const ROWS = Array.from({ length: 40 }, (_, index) => [
  String(1980 + (index % 20)),
  index === 3 ? null : index / 7,
  index,
  '2026-06-30',
  'true',
]);
const CSV = Buffer.from([COLUMNS.map(({ name }) => name), ...ROWS].join('\n'));

async function* toBatches<T>(...batches: T[]) {
  yield* batches;
}

async function writeTable(format: keyof typeof RESPONSE_WRITERS): Promise<Buffer> {
  const table = { title: 'Table', columns: COLUMNS, rows: toBatches(ROWS) };
  return Buffer.concat(await Array.fromAsync(RESPONSE_WRITERS[format](table)));
}

const SOURCES: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a.parquet': () => writeTable('parquet'),
  'a.xlsx': () => writeTable('xlsx'),
  'a.arrow': () => writeTable('arrow'),
  'a.csv.gz': async () => Buffer.from(Bun.gzipSync(CSV)),
  'a.csv.zst': async () => Buffer.from(Bun.zstdCompressSync(CSV)),
  'a.json': async () => Buffer.from(JSON.stringify(ROWS.map((row) => ({ year: row[0], row })))),
  'a.zip': async () =>
    Buffer.concat(await Array.fromAsync(writeZip([{ name: 'a.csv', chunks: [CSV] }]))),
};

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random bytes, behind the first ones or in between; a cut; or a few bytes that are others. */
function damage(bytes: Buffer, seed: number): Buffer {
  const random = createRandom(seed);
  const pick = (max: number) => Math.floor(random() * max);
  const fill = (target: Buffer) => target.map(() => pick(256));
  if (seed % 8 === 0) return Buffer.from(fill(Buffer.alloc(1 + pick(400))));
  const damaged = Buffer.from(bytes);
  if (seed % 8 === 1) return damaged.subarray(0, pick(bytes.length));
  if (seed % 8 === 2) {
    const start = 4 + pick(bytes.length - 4);
    damaged.set(fill(damaged.subarray(start, -8)), start);
    return damaged;
  }
  for (let count = 1 + pick(20); count > 0; count--) damaged[pick(bytes.length)] = pick(256);
  return damaged;
}

/** The lines of an expected error; undefined where there is none. Any other error is a bug. */
async function describeError(run: () => Promise<unknown>, seed: number): Promise<string[]> {
  try {
    await run();
    return [];
  } catch (cause) {
    const isExpected = cause instanceof InvalidFileError || cause instanceof GuardError;
    if (isExpected) return [cause.message];
    if (cause instanceof LoadValidationError) return cause.problems.map(formatProblemLine);
    throw new Error(`seed ${seed}`, { cause });
  }
}

const SEEDS = 200 * REPETITIONS;
/** Words of the engine, which say nothing about a file. */
const ENGINE_WORDS =
  /undefined|not an object|is not a function|evaluating|RangeError|TypeError|NaN/;

test.each(Object.keys(SOURCES))(
  'whatever is damaged in %s, inspect and load say so in sentences that name the file',
  async (name) => {
    const bytes = await SOURCES[name]?.();
    const file = { path: join(folder, name), name };
    const formats = [undefined, /\.(parquet|xlsx|json)$/.exec(name)?.[1] as FileFormat];
    for (let seed = 0; seed < SEEDS; seed++) {
      writeFileSync(file.path, damage(bytes ?? Buffer.alloc(0), seed));
      const format = formats[seed % 3 === 0 ? 1 : 0];
      const inspect = () =>
        inspectFile(file, { format }).catch((cause) => {
          throw withFileName(cause, file);
        });
      const options = { dataset: online, files: [file], author: 'test', isDryRun: true };
      const load = () => loadFiles(publisher, { ...options, mapping: format ? { format } : {} });
      for (const line of [
        ...(await describeError(inspect, seed)),
        ...(await describeError(load, seed)),
      ]) {
        expect(line).toContain(name);
        expect(`${line} (seed ${seed})`).not.toMatch(ENGINE_WORDS);
        expect(line).not.toContain('\n');
      }
    }
  },
);
