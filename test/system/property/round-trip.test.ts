import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { branchlessBankingAgents } from '../../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import type { Fields } from '../../../src/catalogue/model/field.ts';
import { formatProblemLine } from '../../../src/cli/format.ts';
import type { FileFormat } from '../../../src/formats/read-contents.ts';
import { FILE_FORMATS } from '../../../src/formats/read-contents.ts';
import { LoadValidationError } from '../../../src/publish/errors.ts';
import { loadFiles } from '../../../src/publish/load/load-files.ts';
import type { ExportFormat } from '../../../src/shared/formats.ts';
import type { Publisher, Revision, Store } from '../../../src/store/open-store.ts';
import { exportDataset, exportDatasetForClient } from '../../../src/tabular/export-dataset.ts';
import { anyRecord } from '../../support/arbitrary.ts';
import { UNLIMITED_LOAD } from '../../support/load-workspace.ts';
import { getKey, publishAt } from '../../support/publish-at.ts';
import {
  createStore,
  createTempFolder,
  FILLED_DATASETS,
  REPETITIONS,
  type TestStore,
} from '../../support/store.ts';

let folder: string;
let nothing: TestStore;
let nowhere: Publisher;
beforeAll(async () => {
  folder = createTempFolder();
  nothing = await createStore();
  nowhere = nothing.publisher();
});
afterAll(async () => {
  nowhere.close();
  await nothing.remove();
  rmSync(folder, { recursive: true });
});

/** What a file is compression with; loading knows it by content. */
const COMPRESSORS = {
  '': (bytes: Uint8Array<ArrayBuffer>) => bytes,
  '.gz': Bun.gzipSync,
  '.zst': Bun.zstdCompressSync,
} as const;

interface Form {
  readonly format: FileFormat;
  readonly compression?: keyof typeof COMPRESSORS;
  /** Whether it is a response, in which texts are escaped that a spreadsheet would run. */
  readonly isForClient?: true;
}

const forms: readonly Form[] = [
  ...FILE_FORMATS.map((format) => ({ format })),
  { format: 'csv', compression: '.gz' },
  { format: 'csv', compression: '.zst' },
  { format: 'csv', isForClient: true },
];

// What a file of some format could be taken for, were it written carelessly.
const TRICKY = [
  '#N/A',
  '=1+1',
  "'x",
  '-',
  '""',
  'NaN',
  'null',
  'true',
  '007',
  '1e5',
  '1,5',
  '0x10',
  '2024-01-01',
  '45000',
  'a;b',
  'a,b|c',
  'sep=;',
  '<b>&amp;</b>',
  '_x0041_',
  'a.b',
  'a b',
  'A_B',
  'ab',
  'key',
  'value',
  'total',
  '{"a":1}',
  '[1]',
  'x\u200cy',
  'x\u3000y',
  'x\ufffe\uffff',
  '\u0600\u{1f3f3}',
];
/** What a spreadsheet would run, and the same with apostrophes before it, which escape it. */
const anyFormula = fc
  .tuple(fc.nat(3), fc.constantFrom(...'=+-@＝＋－＠'), fc.constantFrom('', '5', '1+1', "'"))
  .map(([count, sign, tail]) => "'".repeat(count) + sign + tail);
const anyTricky = fc.oneof(fc.constantFrom(...TRICKY), anyFormula);

const rates = createDeclaredDataset({
  name: 'rates',
  title: 'Rates',
  period: { kind: 'month', field: 'month' },
  dimensions: [{ field: 'series', title: 'Series' }],
  measures: [{ field: 'rate', title: 'Rate', unit: 'percent', kind: 'rate' }],
  status: true,
  coverage: 'open',
});

// Declarations are not loaded from files.
describe.each([...FILLED_DATASETS, rates].map((dataset) => [dataset.name, dataset] as const))(
  '%s',
  (_, dataset) => {
    test('an export in any format loads back to the same records', () =>
      expectRoundTrips(dataset, anyRecord(dataset)));

    if (!hasTexts(dataset.fields)) return;
    test('an export of texts and keys that formats have a meaning for loads back too', () =>
      expectRoundTrips(dataset, trickyRecord(dataset)));
  },
);

describe('a list of keyed values in a table', () => {
  const agents = (period: string, provinces: Readonly<Record<string, number>>): AnyRecord => ({
    period,
    total: 10,
    provinces: Object.entries(provinces).map(([key, value]) => ({ key, value })),
  });

  test.each([
    [
      'is written as columns only if every record has the same keys in the same order',
      [agents('Jun 2026', { kpk: 0, sindh: 2 }), agents('May 2026', { kpk: 3, sindh: 4 })],
      ['period,total,provinces.kpk,provinces.sindh', 'Jun 2026,10,0,2', 'May 2026,10,3,4'],
    ],
    [
      'is written as JSON too if a record lacks a key, has others, or another order',
      [
        agents('Jun 2026', { kpk: 1, sindh: 2 }),
        agents('May 2026', { sindh: 4 }),
        agents('Apr 2026', { sindh: 5, kpk: 6 }),
        agents('Mar 2026', {}),
      ],
      [
        'period,total,provinces.kpk,provinces.sindh,provinces',
        'Jun 2026,10,1,2,',
        'May 2026,10,,4,"[{""key"":""sindh"",""value"":4}]"',
        'Apr 2026,10,6,5,"[{""key"":""sindh"",""value"":5},{""key"":""kpk"",""value"":6}]"',
        'Mar 2026,10,,,[]',
      ],
    ],
    [
      'is written as JSON if no record has a key',
      [agents('Jun 2026', {})],
      ['period,total,provinces', 'Jun 2026,10,[]'],
    ],
  ])('%s, and loads back', async (_, records, lines) => {
    await using store = await createStore();
    await publishAt(store, '2026-01-01T00:00:00Z', branchlessBankingAgents, { records });
    const path = await exportToFile(store, branchlessBankingAgents, { format: 'csv' });
    expect(readFileSync(path, 'utf8').trimEnd().split(/\r?\n/)).toEqual(lines);
    expect(await loadTexts(path, branchlessBankingAgents)).toEqual(
      await readTexts(store, branchlessBankingAgents),
    );
  });
});

async function expectRoundTrips(dataset: Dataset, record: fc.Arbitrary<AnyRecord>): Promise<void> {
  const records = fc.uniqueArray(record, {
    selector: (value) => JSON.stringify(getKey(dataset, value)),
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(records, records, async (first, second) => {
      await using store = await createStore();
      const instant = '2026-01-01T00:00:00Z';
      await publishAt(store, instant, dataset, { records: first });
      await publishAt(store, instant, dataset, { records: second, replace: true });
      const early = await readTexts(store, dataset, 1);
      const late = await readTexts(store, dataset);
      expect([early.length, late.length]).toEqual([first.length, second.length]);
      for (const form of forms) {
        const present = await exportToFile(store, dataset, form);
        expect([form, await loadTexts(present, dataset)]).toEqual([form, late]);
        expect([form, await loadInto(store, present, dataset)]).toEqual([form, undefined]);
        const past = await exportToFile(store, dataset, form, 1);
        expect([form, await loadTexts(past, dataset)]).toEqual([form, early]);
      }
    }),
    { numRuns: 2 * REPETITIONS },
  );
}

/** A record whose texts, and whose lists' keys, are all tricky. */
function trickyRecord(dataset: Dataset): fc.Arbitrary<AnyRecord> {
  return fc
    .tuple(anyRecord(dataset), fc.uniqueArray(anyTricky, { minLength: 12, maxLength: 12 }))
    .map(([record, texts]) => withTexts(dataset.fields, record, [...texts]));
}

function hasTexts(fields: Fields): boolean {
  return Object.values(fields).some(
    ({ kind, itemFields }) => kind === 'text' || (itemFields && hasTexts(itemFields)),
  );
}

function withTexts(fields: Fields, record: AnyRecord, texts: string[]): AnyRecord {
  const values = Object.entries(record).map(([name, value]) => {
    const field = fields[name];
    // Text that identifies a record has no comma.
    if (field?.isIdentifier) return [name, texts.pop()?.replaceAll(',', ';')];
    if (field?.kind === 'text') return [name, texts.pop()];
    if (!field?.itemFields) return [name, value];
    const { itemFields } = field;
    return [name, (value as AnyRecord[]).map((item) => withTexts(itemFields, item, texts))];
  });
  return Object.fromEntries(values);
}

async function readTexts(store: Store, dataset: Dataset, asOf?: number): Promise<string[]> {
  const reader = store.reader();
  const texts = await collectTexts(reader.records(dataset, asOf));
  reader.close();
  return texts;
}

let files = 0;

async function exportToFile(
  store: Store,
  dataset: Dataset,
  { format, compression = '', isForClient }: Form,
  asOf?: number,
): Promise<string> {
  const reader = store.reader();
  const revision = asOf ?? (await reader.revision());
  const exported = isForClient
    ? exportDatasetForClient(reader, dataset, format as ExportFormat, revision)
    : exportDataset(reader, dataset, format, asOf);
  const chunks = await Array.fromAsync(exported);
  reader.close();
  const path = join(folder, `${files++}.${format}${compression}`);
  writeFileSync(path, COMPRESSORS[compression](new Uint8Array(Buffer.concat(chunks))));
  return path;
}

/** The texts of the records in a store that knew nothing before it loaded the file. */
function loadTexts(path: string, dataset: Dataset): Promise<string[]> {
  return nowhere.transaction(async (transaction) => {
    transaction.abandon();
    await loadFile(
      { ...transaction, transaction: (callback) => callback(transaction) },
      path,
      dataset,
    );
    return collectTexts(transaction.records(dataset));
  });
}

/** Loads a file into a store as it is. */
async function loadInto(store: Store, path: string, dataset: Dataset) {
  const publisher = store.publisher();
  try {
    return await loadFile(publisher, path, dataset);
  } finally {
    publisher.close();
  }
}

async function loadFile(
  publisher: Omit<Publisher, 'close'>,
  path: string,
  dataset: Dataset,
): Promise<Revision | undefined> {
  try {
    const request = {
      dataset,
      files: [{ path, name: path }],
      mapping: {},
      author: 'test',
      ...UNLIMITED_LOAD,
    };
    return (await loadFiles(publisher, request)).revision;
  } catch (cause) {
    if (!(cause instanceof LoadValidationError)) throw cause;
    throw new Error(cause.problems.map(formatProblemLine).join('\n'), { cause });
  }
}

async function collectTexts(batches: AsyncIterable<readonly string[]>): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of batches) texts.push(...batch);
  return texts;
}
