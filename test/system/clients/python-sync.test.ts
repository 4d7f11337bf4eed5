import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { branchlessBankingAgents as agents } from '../../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { revertRevision } from '../../../src/publish/revert-revision.ts';
import { getKey, publishAt } from '../../support/publish-at.ts';
import { quote } from '../../support/quote-fixture.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createStore, createTempFolder, type TestStore } from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { canRun, PYTHON } from '../docs/example-workspace.ts';

const ROOT = join(import.meta.dirname, '../../..');
const hasPython = canRun(PYTHON, '-c', 'import sys; sys.exit(sys.version_info < (3, 9))');
if (!hasPython) console.log(`skipped: ${PYTHON} 3.9 is not installed`);

/** The revision, and how many changes were applied; null if everything was copied. */
type SyncResult = Readonly<Record<string, readonly [revision: number, changes: number | null]>>;

const FORMATS = ['csv', 'parquet', 'duckdb'];

let folder: string;
let server: TestServer;
let worker: ReturnType<typeof startWorker>;
beforeAll(async () => {
  if (!hasPython) return;
  folder = createTempFolder();
  server = await startTestServer(await createStore());
  worker = startWorker();
});
afterAll(async () => {
  if (!hasPython) return;
  worker.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

function startWorker() {
  const child = spawnChild([PYTHON, '-m', 'tests.sync_worker'], {
    cwd: join(ROOT, 'clients/python'),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', no_proxy: '*' },
    stdin: 'pipe',
    stderr: 'inherit',
  });
  const lines = readLines(child.stdout);
  return {
    async sync(
      address: string,
      dataset: string,
      formats: readonly string[] = FORMATS,
    ): Promise<SyncResult> {
      await server.awaitPublished();
      child.stdin.write(`${JSON.stringify([address, dataset, folder, formats])}\n`);
      await child.stdin.flush();
      const { value } = await lines.next();
      if (value === undefined) throw new Error('the copy differs from the export');
      return JSON.parse(value);
    },
    stop: () => child.kill(),
  };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}

const instant = (second: number) => Date.parse('2026-05-01T00:00:00Z') + second * 1_000;

/** Publishes the next of twenty revisions: additions, corrections, retirements, and a revert. */
async function publishNext(store: TestStore, index: number): Promise<void> {
  if (index === 17) {
    const publisher = store.publisher();
    await revertRevision(publisher, catalogue, { revision: 17, author: 'test' });
    publisher.close();
    return;
  }
  if (index % 5 === 4) {
    const provinces = [{ key: index < 10 ? 'punjab' : 'sindh', value: index }];
    const record = { ...agents.example, period: `Jan 20${index + 10}`, provinces };
    await publishAt(store, instant(index), agents, { records: [record] });
    return;
  }
  if (index % 5 === 3) {
    const build = (symbol: string, terms: object) => ({ ...securities.example, symbol, ...terms });
    const unknown = { isin: null, issueDate: null, floating: null };
    const records = [
      build(`a${index}`, { name: 'null, or "none"', ...unknown }),
      build(`B${index}`, { name: null, couponRate: index / 3 }),
      build('_c', { name: index === 8 ? null : `=${index}`, couponRate: index, ...unknown }),
    ];
    await publishAt(store, instant(index), securities, { records });
    return;
  }
  const build = (symbol: string, day: number, volume: number) =>
    quote({ symbol, volume, date: `2026-04-${String(((day + 28) % 28) + 1).padStart(2, '0')}` });
  const symbols = ['A', '=A', '3', 'Ä "x"', "'-b", 'Z'].slice(0, (index % 5) + 3);
  const records = symbols.map((symbol, position) => build(symbol, index * 3 + position, index));
  const corrected = build('A', (index - 1) * 3, index / 3);
  const isRetired = index % 4 === 3;
  const retiredKeys = isRetired ? [getKey(quotes, build('A', (index - 2) * 3, 0))] : [];
  await publishAt(store, instant(index), quotes, { records: [...records, corrected], retiredKeys });
}

describe.skipIf(!hasPython)('sync of the Python client', () => {
  test('keeps copies in step through publications, corrections, retirements and a revert', async () => {
    const kinds = new Set<string>();
    for (let index = 0; index < 20; index += 1) {
      await publishNext(server.store, index);
      // The larger formats are slower, and so skip some revisions.
      const formats = index % 4 === 3 || index === 0 ? FORMATS : ['csv'];
      const results = await worker.sync(server.address, quotes.name, formats);
      for (const [revision, changes] of Object.values(results)) {
        expect(revision).toBe(index + 1);
        kinds.add(changes === null ? 'copied' : changes === 0 ? 'unchanged' : 'applied');
        expect(changes === null).toBe(index === 0);
      }
      if (index % 5 === 4) await worker.sync(server.address, agents.name);
      if (index % 5 !== 3) continue;
      // An identifier is ordered without regard to letter case, and what is unknown is null.
      for (const [, changes] of Object.values(await worker.sync(server.address, securities.name))) {
        expect(changes).toBe(index === 3 ? null : 3);
      }
    }
    expect(kinds).toEqual(new Set(['copied', 'applied', 'unchanged']));
    expect(readdirSync(folder).filter((name) => /\.(part|export)$/.test(name))).toEqual([]);
  });

  test('copies everything if the copy or the database is another one', async () => {
    appendFileSync(join(folder, 'quotes.csv'), 'x');
    writeFileSync(join(folder, 'quotes.csv.part'), 'left by a crash');
    expect((await worker.sync(server.address, quotes.name)).csv).toEqual([20, null]);
    const other = await startTestServer(await createStore());
    await publishAt(other.store, instant(99), quotes, { records: [quote({})] });
    await other.awaitPublished();
    const results = Object.values(await worker.sync(other.address, quotes.name));
    expect(results.every(([revision, changes]) => revision === 1 && changes === null)).toBe(true);
    // The same number of another database is not the same revision.
    const back = Object.values(await worker.sync(server.address, quotes.name));
    expect(back.every(([revision, changes]) => revision === 20 && changes === null)).toBe(true);
    await other.stop();
    expect(existsSync(join(folder, 'quotes.csv.tenor.json'))).toBe(true);
  });
});
