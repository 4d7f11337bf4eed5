import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { FIXTURE_NAMES, openFixture, useSchemaFixtures } from '../../store/schema-fixtures.ts';
import { retryUntil } from '../../support/eventually.ts';
import { createNextVersion } from '../../support/next-version.ts';
import { runSql } from '../../support/postgres/databases.ts';
import { runTenor, runTenorProcess, startTenorServer } from '../../support/run-tenor.ts';
import { createTempFolder, runSqlite } from '../../support/store.ts';
import { isAlive } from '../../support/workers.ts';

const API_TOKEN = 'a-token-of-more-than-16-characters';
const TARGETS = [
  '/2.0/bnb/quote?from=2026-04-01',
  '/3.0/alternate/online-banking-annual-volume',
  '/exports/quotes.ndjson',
  '/changes/quotes?since=1&until=2',
];
const CLIENTS = 4;

let folder: string;
let next: string[];
beforeAll(() => {
  folder = createTempFolder();
  next = createNextVersion(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));
const { restoreFixture } = useSchemaFixtures();

/** Clients that expect the same bytes of a target, whichever version responds. */
function startLoad() {
  const bodies = new Map<string, string>();
  const statuses = new Set<number | 'closed'>();
  const responded = new Set<string>();
  let address: string | undefined;
  let isOver = false;
  const request = async (target: string) => {
    const headers = { authorization: `Bearer ${API_TOKEN}` };
    const response = await fetch(`${address}${target}`, { headers });
    statuses.add(response.status);
    const body = await response.text();
    if (response.status === 200)
      expect([target, bodies.get(target) ?? body]).toEqual([target, body]);
    if (response.status === 200) bodies.set(target, body);
    responded.add(target);
  };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = client; !isOver; count++) {
      const target = TARGETS[count % TARGETS.length] ?? '';
      if (address !== undefined)
        await request(target).catch((cause) => {
          // The server closes connections when it ends.
          if (cause.matcherResult) throw cause;
          statuses.add('closed');
        });
      await Bun.sleep(5);
    }
  });
  return {
    statuses,
    /** Requests every target from a server from now on, and waits for a response of each. */
    async follow(server: string) {
      address = server;
      responded.clear();
      await retryUntil(30_000, async () => expect(responded.size).toBe(TARGETS.length));
    },
    async end() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

describe.each(FIXTURE_NAMES)('a database of %s', (name) => {
  test('is migrated under load: the earlier version says so and ends, and the next one sends the same bytes', async () => {
    const url = await restoreFixture(name);
    await openFixture(url, 'migrate');
    const env = { DATABASE_URL: url, API_TOKEN, SAMPLE_DATA: 'off' };
    const earlier = await startTenorServer(env);
    const load = startLoad();
    await load.follow(earlier.address);
    expect([...load.statuses]).toEqual([200]);

    const printed = await runTenorProcess(['migrate', '--print'], env, { command: next });
    expect(printed.out).toContain('ALTER TABLE revisions ADD COLUMN note TEXT;');
    const migrated = await runTenorProcess(['migrate'], env, { command: next });
    expect(migrated).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^tenor: migrated the database \S+ from schema 21 to 22\n$/),
    });
    while (isAlive(earlier.pid)) await Bun.sleep(50);
    expect((await earlier.stop()).status).toBe(1);
    expect(earlier.err()).toMatch(/"event":"store.migrated","from":21,"to":22/);

    const rejected = await runTenor(['revisions'], env);
    expect([rejected.status, rejected.err]).toEqual([
      1,
      expect.stringMatching(/its schema is version 22, and this Tenor knows versions up to 21/),
    ]);
    const again = await runTenorProcess(['migrate'], env, { command: next });
    expect(again).toMatchObject({ status: 0, out: 'Everything is up to date.\n' });

    const later = await startTenorServer(env, [...next, 'serve']);
    load.statuses.clear();
    await load.follow(later.address);
    await load.end();
    expect([...load.statuses].filter((status) => status !== 'closed')).toEqual([200]);
    const headers = { authorization: `Bearer ${API_TOKEN}` };
    const read = async (target: string) =>
      (await fetch(`${later.address}${target}`, { headers })).text();
    expect(JSON.parse(await read('/revisions?limit=1')).data).toMatchObject([{ revision: 7 }]);
    await later.stop();
  }, 120_000);

  test('is rejected if it is of an earlier version than the first release', async () => {
    const url = await restoreFixture(name);
    if (name.startsWith('sqlite'))
      runSqlite(url.slice('sqlite:'.length), 'PRAGMA user_version = 20');
    else await runSql(url, 'UPDATE tenor_schema SET version = 20');
    for (const preparation of ['none', 'migrate'] as const)
      await expect(openFixture(url, preparation)).rejects.toThrow(
        /its schema is version 20, from before the first release, whose version is 21; load/,
      );
  });
});
