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
import type { Step, World } from './worlds.ts';

/** Does all that a world tells, and gives what came of each step: a revision, or a refusal. */
export async function play(store: Store, { steps }: World, folder: string): Promise<string[]> {
  let atMs = Date.parse('2026-05-01T00:00:00.500Z');
  const publisher = store.publisher();
  const timed = clocked(publisher, () => new Date(atMs));
  const outcomes: string[] = [];
  for (const step of steps) {
    atMs += step.gapMs;
    outcomes.push(await acts[step.act](timed, step, folder).then(told, refused));
  }
  publisher.close();
  return outcomes;
}

const about = { source: 'records', author: 'Ünal "\\" O\'Neill' };

type Act = (publisher: Publisher, step: Step, folder: string) => Promise<unknown>;

const acts: Readonly<Record<Step['act'], Act>> = {
  publish: (publisher, { dataset, replace, ...step }) =>
    publisher.publish({ ...about, dataset, replace, rows: inTwos(rowsOf({ dataset, ...step })) }),

  load: async (publisher, { dataset, records, replace }, folder) => {
    const path = join(folder, 'réc"ords.json');
    writeFileSync(path, JSON.stringify(records));
    const files = [{ path, name: path }];
    return load(publisher, { dataset, files, mapping: {}, author: 'test', replace });
  },

  retire: (publisher, { dataset, records }) =>
    retire(publisher, {
      dataset,
      keys: records.slice(0, 3).map((record) => writtenKey(dataset, record)),
      author: 'test',
    }),

  revert: (publisher, { revision }) => revert(publisher, catalogue, { revision, author: 'test' }),

  terms: (publisher, { dataset, records, terms }) => {
    const learned = records.map(({ symbol }) => [folded(String(symbol)), terms] as const);
    const conclude = async () => ({ terms: new Map(learned), report: { noted: learned } });
    return publisher.publish({ ...about, dataset, conclude });
  },

  // What breaks in the middle leaves nothing, though the work that it was a part of goes on.
  break: (publisher, step) =>
    publisher.atomically(async ({ publish }) => {
      const change = { ...about, dataset: step.dataset, rows: breaking(rowsOf(step)) };
      const broken = await publish(change).catch(refused);
      const [first] = rowsOf(step);
      return [
        broken,
        await publish({ ...about, dataset: step.dataset, rows: [first ? [first] : []] }),
      ];
    }),
};

function rowsOf({ dataset, records }: Pick<Step, 'dataset' | 'records'>): Row[] {
  const table = tableOf(dataset);
  return records.map((record) => ({
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
