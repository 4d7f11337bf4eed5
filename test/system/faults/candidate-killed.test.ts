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

const KILLS = 10 * REPETITIONS;

/** All that readers may see. */
async function dumpPublished({ url }: TestStore) {
  const { candidates: _, candidate_parts: __, reviews: ___, ...tables } = await dumpTables(url);
  return tables;
}

describe.each([...ENGINES])('$name', ({ createStore }) => {
  test(`what stages and publishes may be killed at any moment, ${KILLS} times each`, async () => {
    const store = await createStore();
    const folder = createTempFolder();
    const env = { DATABASE_URL: store.url };
    const run = async (...args: string[]) => {
      const { status, out, err } = await runTenor(args, env);
      expect([args, status, err]).toEqual([args, 0, '']);
      return out;
    };
    const listOpen = async () => JSON.parse(await run('candidate', 'list', '--json'));
    const countRevisions = async () => JSON.parse(await run('revisions', '--json')).length;
    const writeYear = ({ name, example, period }: Dataset, year: number) => {
      const path = join(folder, `${name}.json`);
      const label = period?.field ?? '';
      const isFiscal = String(example[label]).includes('-');
      const text = isFiscal ? `${year}-${String((year + 1) % 100).padStart(2, '0')}` : String(year);
      writeFileSync(path, JSON.stringify([{ ...example, [label]: text }]));
      return path;
    };
    const stageArgs = (dataset: Dataset, year: number) => [
      ...['load', dataset.name, writeYear(dataset, year), '--future', 'allow'],
      ...['--stage', '--bundle', `b${year}`],
    ];
    /** Runs a command, and kills it after a part of the time that it has taken before. */
    let longestMs = 0;
    const runKilled = async (args: readonly string[]) => {
      const started = performance.now();
      const child = spawnTenor(args, env);
      if (longestMs > 0) {
        await Promise.race([child.exited, Bun.sleep((0.3 + Math.random() * 0.8) * longestMs)]);
        child.kill('SIGKILL');
      }
      await child.exited;
      longestMs ||= performance.now() - started;
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const year = 1950 + kill;
      const before = await dumpPublished(store);
      await runKilled(stageArgs(online, year));
      expect(await dumpPublished(store)).toEqual(before);
      const [staged, ...others] = await listOpen();
      expect(others).toEqual([]);
      if (!staged) await run(...stageArgs(online, year));
      await run(...stageArgs(ivr, year));
      const bundle: { id: number }[] = await listOpen();
      const [count, id] = [await countRevisions(), String(bundle[0]?.id)];
      await runKilled(['candidate', 'publish', id]);
      expect([count, count + 2]).toContain(await countRevisions());
      await run('candidate', 'publish', id);
      expect(await countRevisions()).toBe(count + 2);
      expect(await listOpen()).toEqual([]);
    }
    await run('check');
    await store.remove();
    rmSync(folder, { recursive: true });
  });
});
