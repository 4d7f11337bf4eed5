import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { LoadValidationError } from '../../../src/publish/load/file-problems.ts';
import { loadFiles } from '../../../src/publish/load/load-files.ts';
import { retireRecords } from '../../../src/publish/retire-records.ts';
import { revertRevision } from '../../../src/publish/revert-revision.ts';
import { foldAsciiCase } from '../../../src/schema/fold-ascii-case.ts';
import { serializeRecord } from '../../../src/schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../../src/schema/storage-table.ts';
import type { EncodedRow, Publisher, Store } from '../../../src/store/open-store.ts';
import { writtenKey } from '../small-dataset.ts';
import { clocked } from '../with-clock.ts';
import { datasetOf, type Step, type World } from './scenarios.ts';

/** Does all that a world tells, and gives what came of each step: a revision, or a refusal. */
export async function play(store: Store, { steps }: World, folder: string): Promise<string[]> {
  let atMs = Date.parse('2026-05-01T00:00:00.500Z');
  const publisher = store.publisher();
  const timed = clocked(publisher, () => new Date(atMs));
  const outcomes: string[] = [];
  try {
    for (const step of steps) {
      atMs += step.gapMs;
      outcomes.push(await acts[step.act](timed, step, folder).then(told, refused));
    }
  } finally {
    publisher.close();
  }
  return outcomes;
}

const about = { source: 'records', author: 'Ünal "\\" O\'Neill' };

type Act = (publisher: Publisher, step: Step, folder: string) => Promise<unknown>;

const acts: Readonly<Record<Step['act'], Act>> = {
  publish(publisher, step) {
    const { replace } = step;
    const rows = inTwos(rowsOf(step));
    return publisher.publish({ ...about, dataset: datasetOf(step), replace, rows });
  },

  load(publisher, step, folder) {
    const { records, replace } = step;
    const path = join(folder, 'réc"ords.json');
    writeFileSync(path, JSON.stringify(records));
    const what = { dataset: datasetOf(step), files: [{ path, name: path }], mapping: {} };
    return loadFiles(publisher, { ...what, author: 'test', replace });
  },

  retire(publisher, step) {
    const dataset = datasetOf(step);
    const keys = step.records.slice(0, 3).map((record) => writtenKey(dataset, record));
    return retireRecords(publisher, { dataset, keys, author: 'test' });
  },

  revert: (publisher, { revision }) =>
    revertRevision(publisher, catalogue, { revision, author: 'test' }),

  terms(publisher, step) {
    const learned = step.records.map(
      ({ symbol }) => [foldAsciiCase(String(symbol)), step.terms] as const,
    );
    const conclude = async () => ({ terms: new Map(learned), report: { noted: learned } });
    return publisher.publish({ ...about, dataset: datasetOf(step), finalize: conclude });
  },

  // What breaks in the middle leaves nothing, though the work that it was a part of goes on.
  break: (publisher, step) =>
    publisher.transaction(async ({ publish }) => {
      const dataset = datasetOf(step);
      const rows = rowsOf(step);
      const change = { ...about, dataset, onDuplicateKey: () => {} };
      const broken = await publish({ ...change, rows: breaking(rows) }).catch(refused);
      return [broken, await publish({ ...change, rows: [rows.slice(0, 1)] })];
    }),
};

function rowsOf(step: Step): EncodedRow[] {
  const dataset = datasetOf(step);
  const table = getStorageTable(dataset);
  return step.records.map((record) => ({
    columns: getColumnValues(table, record),
    json: serializeRecord(dataset, record),
  }));
}

/** So few at a time that keys come twice within a batch, and in different ones. */
function* inTwos(rows: readonly EncodedRow[]): Generator<readonly EncodedRow[]> {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
}

function* breaking(rows: readonly EncodedRow[]): Generator<readonly EncodedRow[]> {
  yield* inTwos(rows);
  throw new Error('the rest cannot be read');
}

function told(result: unknown): string {
  return JSON.stringify(result) ?? 'nothing';
}

/** Refusals are told with all that they name; in what words a bug fails is the engine's own. */
function refused(cause: unknown): string {
  const { name, message } = cause as Error;
  return told([name, message, cause instanceof LoadValidationError ? cause.problems : []]);
}
