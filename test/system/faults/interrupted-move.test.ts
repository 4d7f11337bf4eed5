import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { issueToken } from '../../../src/tokens/issue-token.ts';
import { dumpData } from '../../cli/move-workspace.ts';
import { explainMissingPostgres, getSharedPostgres } from '../../support/postgres.ts';
import { quote } from '../../support/quote-fixture.ts';
import { spawnTenor } from '../../support/run-tenor.ts';
import { createStore, createTempFolder, type SqliteTestStore } from '../../support/store.ts';

setDefaultTimeout(180_000);

const KILLS = 8;
const RECORDS = 5_000;

let folder: string;
let source: SqliteTestStore;
let expected: Record<string, string[]>;
beforeAll(async () => {
  folder = createTempFolder();
  source = await createStore();
  const publish = (volume: number) =>
    source.publish(
      quotes,
      Array.from({ length: RECORDS }, (_, index) => quote({ symbol: `S${index}`, volume })),
    );
  await publish(1);
  await publish(2);
  const tokens = source.tokens();
  await issueToken(tokens, { name: 'a', scopes: ['quotes'], rate: null, expiresAt: null });
  tokens.close();
  expected = await dumpData(source.url);
});
afterAll(async () => {
  await source.remove();
  rmSync(folder, { recursive: true });
});

const startMove = (to: string) => spawnTenor(['move', '--from', source.url, '--to', to]);

/** Kills moves after longer and longer times, until one is complete. */
async function killMoves(to: string, isThere: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  await startMove(`sqlite:${join(folder, `timed-${crypto.randomUUID()}.db`)}`).exited;
  const tookMs = performance.now() - started;
  for (let kill = 1; kill <= KILLS && !(await isThere()); kill++) {
    const child = startMove(to);
    await Promise.race([Bun.sleep((tookMs * kill) / KILLS), child.exited]);
    child.kill('SIGKILL');
    await child.exited;
  }
  if (!(await isThere())) expect(await startMove(to).exited).toBe(0);
  expect(await dumpData(to)).toEqual(expected);
}

test('a move that is interrupted ends with status 130, and leaves nothing', async () => {
  const target = join(folder, 'interrupted');
  mkdirSync(target);
  const child = startMove(`sqlite:${join(target, 'x.db')}`);
  const isWriting = () => readdirSync(target).length > 0;
  while (!isWriting()) await Bun.sleep(1);
  child.kill('SIGINT');
  expect(await child.exited).toBe(130);
  expect(await child.stderr.text()).toContain('interrupted; nothing was moved');
  expect(readdirSync(target)).toEqual([]);
});

describe('a move that is killed', () => {
  test('leaves no file at the path, and the next one removes what it left beside', async () => {
    const to = join(folder, 'moved.db');
    await killMoves(`sqlite:${to}`, async () => {
      if (existsSync(to)) expect(await dumpData(`sqlite:${to}`)).toEqual(expected);
      return existsSync(to);
    });
    expect(await startMove(`sqlite:${join(folder, 'other.db')}`).exited).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test.skipIf(explainMissingPostgres() !== undefined)(
    'leaves an empty PostgreSQL database',
    async () => {
      const server = await getSharedPostgres();
      const to = await server.createDatabase();
      await killMoves(to, async () => {
        const tables = await dumpData(to);
        const rows = Object.entries(tables).flatMap(([name, list]) =>
          name === 'secrets' ? [] : list,
        );
        if (rows.length > 0) expect(tables).toEqual(expected);
        return rows.length > 0;
      });
      await server.dropDatabase(to);
    },
  );
});
