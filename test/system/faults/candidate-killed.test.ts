import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ivrBankingAnnualValue as ivr,
  onlineBankingAnnualVolume as online,
} from '../../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { runTenor, spawnTenor } from '../../support/run-tenor.ts';
import { createTempFolder, ENGINES, REPETITIONS, type TestStore } from '../../support/store.ts';

setDefaultTimeout(600_000);

/** Until the instant of what `--watch` publishes, which takes a while to start. */
const LEAD_MS = 2_500;
const WATCH = ['publish', '--due', '--watch'];

/** All that readers may see. */
async function dumpPublished({ url }: TestStore) {
  const { candidates: _, candidate_parts: __, reviews: ___, ...tables } = await dumpTables(url);
  return tables;
}

/** What is killed: how many candidates of a bundle are staged before, and how many it publishes. */
interface Action {
  readonly staged: 0 | 1 | 2;
  readonly published: 0 | 1 | 2;
  readonly getArgs: (id: string, stageArgs: readonly string[]) => readonly string[];
}

const ACTIONS: readonly Action[] = [
  { staged: 0, published: 0, getArgs: (_, stageArgs) => stageArgs },
  { staged: 2, published: 0, getArgs: (id) => ['candidate', 'approve', id] },
  { staged: 2, published: 0, getArgs: (id) => ['candidate', 'withdraw', id] },
  { staged: 1, published: 1, getArgs: (id) => ['candidate', 'publish', id] },
  { staged: 2, published: 2, getArgs: (id) => ['candidate', 'publish', id] },
  { staged: 2, published: 2, getArgs: () => WATCH },
];
const KILLS = ACTIONS.length * REPETITIONS;

describe.each([...ENGINES])('$name', ({ createStore }) => {
  test(`whoever stages, approves, withdraws or publishes is killed at any moment, ${KILLS} times: nothing is too early, twice, in part or lost`, async () => {
    const store = await createStore();
    const folder = createTempFolder();
    const env = { DATABASE_URL: store.url };
    const run = async (args: readonly string[]) => {
      const { status, out, err } = await runTenor(args, env);
      expect([args, status, err]).toEqual([args, 0, '']);
      return out;
    };
    const listOpen = async () => JSON.parse(await run(['candidate', 'list', '--json']));
    const listRevisions = async () => JSON.parse(await run(['revisions', '--json']));
    const buildStageArgs = ({ name, example, period }: Dataset, year: number) => {
      const path = join(folder, `${name}.json`);
      const label = period?.field ?? '';
      const isFiscal = String(example[label]).includes('-');
      const text = isFiscal ? `${year}-${String((year + 1) % 100).padStart(2, '0')}` : String(year);
      writeFileSync(path, JSON.stringify([{ ...example, [label]: text }]));
      return ['load', name, path, '--future', 'allow', '--stage', '--bundle', `b${year}`];
    };
    /** Runs a command, and kills it around its instant, or after a part of the time that one takes. */
    const runKilled = async (args: readonly string[], due: number) => {
      const child = spawnTenor(args, env);
      const ms = args === WATCH ? due - Date.now() - 150 + Math.random() * 500 : pickMs();
      await Promise.race([child.exited, Bun.sleep(ms)]);
      child.kill('SIGKILL');
      await child.exited;
    };
    const started = performance.now();
    await spawnTenor(['candidate', 'list'], env).exited;
    const usualMs = performance.now() - started;
    const pickMs = () => (0.4 + Math.random()) * usualMs;
    for (let kill = 0; kill < KILLS; kill++) {
      const { staged, published, getArgs } = ACTIONS[kill % ACTIONS.length] as Action;
      const all = [online, ivr].map((dataset) => buildStageArgs(dataset, 1950 + kill));
      const [stageArgs = []] = all;
      const due = Date.now() + LEAD_MS;
      const at = getArgs('', []) === WATCH ? ['--at', new Date(due).toISOString()] : [];
      for (const stage of all.slice(0, staged)) await run([...stage, ...at]);
      const [first] = await listOpen();
      const args = getArgs(String(first?.id), stageArgs);
      const before = await dumpPublished(store);
      const { length } = await listRevisions();
      await runKilled(args, due);
      const revisions = await listRevisions();
      if (published === 0) expect(await dumpPublished(store)).toEqual(before);
      else expect([length, length + published]).toContain(revisions.length);
      if (args === WATCH && revisions.length > length)
        expect(Date.parse(revisions[0].publishedAt)).toBeGreaterThanOrEqual(due);
      // Somebody else goes on, whatever was done.
      const open: { id: number }[] = await listOpen();
      expect(open.length).toBeLessThanOrEqual(Math.max(staged, 1));
      if (published > 0) await run(args === WATCH ? ['publish', '--due'] : args);
      for (const { id } of await listOpen()) await run(['candidate', 'publish', String(id)]);
      expect(await listRevisions()).toHaveLength(length + (published || open.length));
      expect(await listOpen()).toEqual([]);
    }
    await run(['check']);
    await store.remove();
    rmSync(folder, { recursive: true });
  });
});
