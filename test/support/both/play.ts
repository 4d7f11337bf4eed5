import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { textOf } from '../../../src/derive/record.ts';
import { folded, tableOf, valuesIn } from '../../../src/derive/table.ts';
import { load } from '../../../src/publish/load.ts';
import { LoadRefused } from '../../../src/publish/problems.ts';
import { retire } from '../../../src/publish/retire.ts';
import { revert } from '../../../src/publish/revert.ts';
import type { Publisher, Row, Store } from '../../../src/store/index.ts';
import { clocked } from '../clocked.ts';
import { writtenKey } from '../small-world.ts';
import { datasetOf, type Step, type World } from './worlds.ts';

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
    return load(publisher, { ...what, author: 'test', replace });
  },

  retire(publisher, step) {
    const dataset = datasetOf(step);
    const keys = step.records.slice(0, 3).map((record) => writtenKey(dataset, record));
    return retire(publisher, { dataset, keys, author: 'test' });
  },

  revert: (publisher, { revision }) => revert(publisher, catalogue, { revision, author: 'test' }),

  terms(publisher, step) {
    const learned = step.records.map(({ symbol }) => [folded(String(symbol)), step.terms] as const);
    const conclude = async () => ({ terms: new Map(learned), report: { noted: learned } });
    return publisher.publish({ ...about, dataset: datasetOf(step), conclude });
  },

  // What breaks in the middle leaves nothing, though the work that it was a part of goes on.
  break: (publisher, step) =>
    publisher.atomically(async ({ publish }) => {
      const dataset = datasetOf(step);
      const rows = rowsOf(step);
      const change = { ...about, dataset, repeated: () => {} };
      const broken = await publish({ ...change, rows: breaking(rows) }).catch(refused);
      return [broken, await publish({ ...change, rows: [rows.slice(0, 1)] })];
    }),
};

function rowsOf(step: Step): Row[] {
  const dataset = datasetOf(step);
  const table = tableOf(dataset);
  return step.records.map((record) => ({
    columns: valuesIn(table, record),
    text: textOf(dataset, record),
  }));
}

/** So few at a time that keys come twice within a batch, and in different ones. */
function* inTwos(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
}

function* breaking(rows: readonly Row[]): Generator<readonly Row[]> {
  yield* inTwos(rows);
  throw new Error('the rest cannot be read');
}

function told(result: unknown): string {
  return JSON.stringify(result) ?? 'nothing';
}

/** Refusals are told with all that they name; in what words a bug fails is the engine's own. */
function refused(cause: unknown): string {
  const { name, message } = cause as Error;
  return told([name, message, cause instanceof LoadRefused ? cause.problems : []]);
}
