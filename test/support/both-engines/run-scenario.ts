import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { LoadValidationError } from '../../../src/publish/errors.ts';
import { loadFiles } from '../../../src/publish/load/load-files.ts';
import { retireRecords } from '../../../src/publish/retire-records.ts';
import { revertRevision } from '../../../src/publish/revert-revision.ts';
import { serializeRecord } from '../../../src/schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../../src/schema/storage-table.ts';
import type { EncodedRow, Publisher, Store } from '../../../src/store/open-store.ts';
import { UNLIMITED_LOAD } from '../load-workspace.ts';
import { formatKey } from '../small-dataset.ts';
import { withClock } from '../with-clock.ts';
import { findDataset, type Scenario, type Step } from './scenarios.ts';

/** Runs every step; returns the outcome of each: a revision or an error. */
export async function runScenario(
  store: Store,
  { steps }: Scenario,
  folder: string,
): Promise<string[]> {
  let atMs = Date.parse('2026-05-01T00:00:00.500Z');
  const publisher = store.publisher();
  const timed = withClock(publisher, () => new Date(atMs));
  const outcomes: string[] = [];
  try {
    for (const step of steps) {
      atMs += step.gapMs;
      outcomes.push(
        await STEP_RUNNERS[step.action](timed, step, folder).then(formatOutcome, formatError),
      );
    }
  } finally {
    publisher.close();
  }
  return outcomes;
}

const CHANGE_ATTRIBUTES = { source: 'records', author: 'Ünal "\\" O\'Neill' };

type StepRunner = (publisher: Publisher, step: Step, folder: string) => Promise<unknown>;

const STEP_RUNNERS: Readonly<Record<Step['action'], StepRunner>> = {
  publish(publisher, step) {
    const { replace } = step;
    const rows = pairRows(encodeRows(step));
    return publisher.publish({ ...CHANGE_ATTRIBUTES, dataset: findDataset(step), replace, rows });
  },

  load(publisher, step, folder) {
    const { records, replace } = step;
    const path = join(folder, 'réc"ords.json');
    const terms = step.datasetName === 'quotes' ? step.terms : null;
    writeFileSync(path, JSON.stringify(records.map((record) => ({ ...record, ...terms }))));
    const what = { dataset: findDataset(step), files: [{ path, name: path }], mapping: {} };
    return loadFiles(publisher, { ...what, author: 'test', replace, ...UNLIMITED_LOAD });
  },

  retire(publisher, step) {
    const dataset = findDataset(step);
    const keys = step.records.slice(0, 3).map((record) => formatKey(dataset, record));
    return retireRecords(publisher, { dataset, keys, author: 'test' });
  },

  revert: (publisher, { revision }) =>
    revertRevision(publisher, catalogue, { revision, author: 'test' }),

  // A failed change leaves nothing, and its transaction continues.
  break: (publisher, step) =>
    publisher.transaction(async ({ publish }) => {
      const dataset = findDataset(step);
      const rows = encodeRows(step);
      const change = { ...CHANGE_ATTRIBUTES, dataset, onDuplicateKey: () => {} };
      const broken = await publish({ ...change, rows: failAfterRows(rows) }).catch(formatError);
      return [broken, await publish({ ...change, rows: [rows.slice(0, 1)] })];
    }),
};

function encodeRows(step: Step): EncodedRow[] {
  const dataset = findDataset(step);
  const table = getStorageTable(dataset);
  return step.records.map((record) => ({
    columns: getColumnValues(table, record),
    json: serializeRecord(dataset, record),
  }));
}

/** Small batches, so that a duplicate key occurs within one and across several. */
function* pairRows(rows: readonly EncodedRow[]): Generator<readonly EncodedRow[]> {
  for (let index = 0; index < rows.length; index += 2) yield rows.slice(index, index + 2);
}

function* failAfterRows(rows: readonly EncodedRow[]): Generator<readonly EncodedRow[]> {
  yield* pairRows(rows);
  throw new Error('the rest cannot be read');
}

function formatOutcome(result: unknown): string {
  return JSON.stringify(result) ?? 'nothing';
}

/** With all problems of a rejected load. */
function formatError(cause: unknown): string {
  const { name, message } = cause as Error;
  return formatOutcome([name, message, cause instanceof LoadValidationError ? cause.problems : []]);
}
