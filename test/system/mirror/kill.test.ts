import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { checkMirror } from '../../../src/mirror/check-mirror.ts';
import { openMirrorTarget } from '../../../src/mirror/mirror-target.ts';
import { readLatestRevision } from '../../../src/mirror/resume-mirror.ts';
import { generateQuotes } from '../../support/generate-quotes.ts';
import { spawnTenor } from '../../support/run-tenor.ts';
import { createStore, createTempFolder, REPETITIONS, type TestStore } from '../../support/store.ts';

const KILLS = 10 * REPETITIONS;
const TIMEOUT_MS = 240_000;

let [store, folder]: [TestStore, string] = [] as never;
beforeAll(async () => {
  store = await createStore();
  folder = createTempFolder();
  for (let day = 10; day < 20; day++)
    await store.publish(quotes, generateQuotes([`2026-06-${day}`, `2026-07-${day}`], 300));
});
afterAll(async () => {
  await store.remove();
  rmSync(folder, { recursive: true });
});

const startMirror = (target: string) => spawnTenor(['mirror', target], { DATABASE_URL: store.url });

test(
  `a mirror that is killed ${KILLS} times or more at random moments is always one revision or a later one, complete`,
  async () => {
    const started = performance.now();
    expect(await startMirror(join(folder, 'undisturbed')).exited).toBe(0);
    const durationMs = performance.now() - started;
    const seed = Date.now() % 2 ** 31;
    const latest: number[] = [];
    let [target, round, isComplete] = ['', 0, true];
    // Some must be killed within their work.
    const countWithin = () => latest.filter((revision) => revision > 0 && revision < 10).length;
    for (let kill = 0; kill < KILLS || countWithin() < 4; kill++) {
      if (isComplete) target = join(folder, `round${++round}`);
      const mirror = openMirrorTarget(target);
      const before = await readLatestRevision(mirror);
      const child = startMirror(target);
      const instantMs = durationMs * (0.1 + ((seed * (kill + 1) * 0.618_034) % 1) * 0.9);
      await Promise.race([Bun.sleep(instantMs), child.exited]);
      child.kill('SIGKILL');
      await child.exited;
      const revision = await readLatestRevision(mirror);
      latest.push(revision);
      expect({ seed, kill, isLater: revision >= before }).toEqual({ seed, kill, isLater: true });
      const { faults } = revision === 0 ? { faults: [] } : await checkMirror(mirror);
      expect({ seed, kill, revision, faults }).toEqual({ seed, kill, revision, faults: [] });
      isComplete = revision === 10;
    }
    expect(await startMirror(target).exited).toBe(0);
    const drafts = readdirSync(target).filter((name) => name.startsWith('.tenor-draft'));
    expect(drafts).toEqual([]);
    const undisturbed = readdirSync(join(folder, 'undisturbed'), { recursive: true });
    expect(readdirSync(target, { recursive: true }).toSorted()).toEqual(undisturbed.toSorted());
  },
  TIMEOUT_MS,
);
