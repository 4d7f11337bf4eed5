import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { copyFileSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Tenor, type VerifierState } from '../../../clients/typescript/src/index.ts';
import { move } from '../../cli/move-workspace.ts';
import { OTHER_VALUE, REWRITINGS, type Rewriting } from '../../clients/rewritings.ts';
import { findFaults, findProblems, verifyStore } from '../../clients/verify-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { runSql } from '../../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../../support/postgres.ts';
import {
  HISTORY,
  publishHistory,
  publishSteps,
  type Step,
} from '../../support/published-ledger.ts';
import { runTenor } from '../../support/run-tenor.ts';
import {
  checkpoint,
  createPostgresStore,
  createStore,
  createTempFolder,
  ENGINES,
  type SqliteTestStore,
  type TestStore,
} from '../../support/store.ts';
import { startTestServer, TOKEN } from '../../support/test-server.ts';
import { issueSecret } from '../../support/use-test-server.ts';

setDefaultTimeout(120_000);

/** One of each problem that the database can have. */
const KINDS = [
  'another value',
  'another value, before a new revision',
  'no newest revision',
  'another value of a record',
  'a retired record that is current',
  'another status of a record',
  'another declaration of a dataset',
  'another value with all of it, signed with another key',
  'other options of a load',
  'another hash of a revision',
  'a hash that is missing',
  'another key',
] as const;
const AGAIN = 'prices.example/again';
const OTHERS = HISTORY.slice(4).map((step) => ({ ...step, author: 'somebody else' }));

let folder: string;
let forged: SqliteTestStore;
const stores: TestStore[] = [];
beforeAll(async () => {
  folder = createTempFolder();
  forged = await createStore();
  await publishHistory(forged, OTHER_VALUE);
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.remove();
});
afterAll(async () => {
  await forged.remove();
  rmSync(folder, { recursive: true });
});

const ELSEWHERE = ENGINES.filter(({ name }) => name !== 'sqlite');

describe.each(ELSEWHERE)('the ledger of a database, $name:', (engine) => {
  const publish = async (steps = HISTORY) => {
    const store = await engine.createStore();
    stores.push(store);
    await publishHistory(store, steps);
    return store;
  };
  /** The state is the same on every engine: so are instants, salts and key. */
  let state: VerifierState;
  beforeAll(async () => {
    const store = await publish();
    ({ state } = await verifyStore(store));
    await stores.pop()?.remove();
  });

  test.each(KINDS)('a client finds %s', async (kind) => {
    const { steps, edit, problem, isFoundByCheck } = REWRITINGS[kind] as Rewriting;
    const store = await publish(steps);
    await edit?.(store, forged);
    expect(await findProblems(store, { state })).toEqual([problem]);
    expect((await findFaults(store)).length > 0).toBe(isFoundByCheck);
  });
});

describe('tenor verify', () => {
  const file = () => join(folder, 'state.json');
  const run = async (url: string, ...args: string[]) =>
    runTenor(args, { DATABASE_URL: url, API_TOKEN: TOKEN });
  const verify = (url: string, ...args: string[]) => run(url, 'verify', '--state', file(), ...args);
  const create = async (
    steps: readonly Step[],
    createEmpty: () => Promise<TestStore> = createStore,
  ) => {
    const store = await createEmpty();
    stores.push(store);
    await publishHistory(store, steps);
    return store;
  };
  afterEach(() => rmSync(file(), { force: true }));

  test.each([
    'another value',
    'no revision 5, with the next one in its place',
    'another salt',
    'another key',
  ])('exits with 1 and keeps its file after %s', async (kind) => {
    const { steps, edit, problem } = REWRITINGS[kind] as Rewriting;
    const published = await create(HISTORY);
    expect(await verify(published.url)).toMatchObject({ status: 0, err: '' });
    const kept = readFileSync(file(), 'utf8');
    const store = await create(steps ?? HISTORY);
    await edit?.(store, forged);
    const server = await startTestServer(store);
    stores.pop();
    const alarm = await verify(published.url, server.address, '--json');
    await server.stop();
    expect([alarm.status, JSON.parse(alarm.out)]).toMatchObject([1, { problems: [problem] }]);
    expect(readFileSync(file(), 'utf8')).toBe(kept);
    expect((await verify(published.url)).status).toBe(0);
  });

  test('verifies what a token may read, and says how much it may not', async () => {
    const store = await create(HISTORY);
    const secret = await issueSecret(store, ['quotes']);
    const server = await startTestServer(store);
    stores.pop();
    const { status, out } = await runTenor(['verify', server.address], { TENOR_TOKEN: secret });
    await server.stop();
    expect([status, out]).toEqual([
      0,
      expect.stringContaining('Not readable with this token, or not in this mirror: 2 revisions.'),
    ]);
    expect(out).toContain('Records that match their publication: quotes 3');
  });

  test('waits after a backup was restored until a restart is made and accepted', async () => {
    const published = await create(HISTORY);
    await verify(published.url);
    const { url } = await create(HISTORY.slice(0, 4));
    expect(await verify(url)).toMatchObject({
      status: 5,
      err: expect.stringContaining('behind: '),
    });
    expect((await run(url, 'ledger', 'restart', '--name', AGAIN)).out).toContain(AGAIN);
    const waiting = await verify(url);
    expect([waiting.status, waiting.err]).toEqual([
      1,
      expect.stringContaining(`--accept-restart ${AGAIN}`),
    ]);
    expect(await verify(url, '--accept-restart', AGAIN)).toMatchObject({ status: 0, err: '' });
    expect(await verify(url)).toMatchObject({ status: 0, err: '' });
  });

  const withPostgres = describe.skipIf(explainMissingPostgres() !== undefined);
  withPostgres('with PostgreSQL', () => {
    test('goes on after a move there, and back', async () => {
      const source = await create(HISTORY);
      await verify(source.url);
      const target = await createPostgresStore();
      stores.push(target);
      const back = `sqlite:${join(folder, 'back.db')}`;
      for (const [from, to] of [
        [source.url, target.url],
        [target.url, back],
      ] as const) {
        expect(await move(from, to)).toMatchObject({ status: 0, err: '' });
        expect(await verify(to)).toMatchObject({ status: 0, err: '' });
        expect(await run(to, 'ledger', 'rotate-key')).toMatchObject({ status: 0 });
        const { status, out } = await verify(to);
        expect([status, out]).toEqual([0, expect.stringContaining('The key was replaced')]);
      }
      expect((await run(back, 'check')).out).toContain(' 0 faults');
    });

    test('waits after an accepted loss until a restart is made and accepted', async () => {
      const published = await create(HISTORY);
      await verify(published.url);
      const { url } = await create(HISTORY.slice(0, 5), createPostgresStore);
      expect((await run(url, 'migrate', '--accept-loss', '6')).status).toBe(0);
      expect((await verify(url)).err).toContain('behind: ');
      const reverted = await run(url, 'revert', '5');
      expect(reverted.err).toContain('this database was restored with 5 revisions');
      const restarted = await run(url, 'ledger', 'restart', '--name', AGAIN);
      expect(restarted.out).toContain('It begins after revision 5.');
      expect((await verify(url)).err).toContain('restarted: ');
      expect(await verify(url, '--accept-restart', AGAIN)).toMatchObject({ status: 0, err: '' });
    });
  });
});

/** Puts a backup of four revisions in the place of a database, under its running server. */
const RESTORES: Readonly<Record<string, (restored: TestStore) => Promise<void>>> = {
  async sqlite({ url }) {
    const path = url.slice('sqlite:'.length);
    await using backup = await createStore();
    await publishHistory(backup, HISTORY.slice(0, 4));
    checkpoint(backup.path);
    copyFileSync(backup.path, `${path}.restored`);
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(`${path}.restored`, path);
  },
  async postgres({ url }) {
    const databases = await getSharedPostgres();
    const backup = await createPostgresStore();
    await publishHistory(backup, HISTORY.slice(0, 4));
    const [name, backupName] = [url, backup.url].map((each) => new URL(each).pathname.slice(1));
    await databases.dropDatabase(url);
    await runSql(databases.url(), `ALTER DATABASE ${backupName} RENAME TO ${name}`);
    await runTenor(['migrate', '--accept-loss', '6'], { DATABASE_URL: url });
  },
};

describe.each(ENGINES.filter(({ name }) => name in RESTORES))(
  'under a server, $name:',
  (engine) => {
    test('a restored backup and a restart are seen without what the server kept of before', async () => {
      const store = await (engine.name === 'sqlite' ? createStore() : createPostgresStore());
      await publishHistory(store);
      await using server = await startTestServer(store);
      const client = new Tenor({ baseUrl: server.address, token: TOKEN, tries: 1 });
      const { state } = await client.verify();
      await RESTORES[engine.name]?.(store);
      await retryUntil(30_000, async () => {
        await expect(client.verify({ state, logOnly: true })).rejects.toThrow('is behind');
      });
      const restart = ['ledger', 'restart', '--name', AGAIN];
      expect((await runTenor(restart, { DATABASE_URL: store.url })).err).toBe('');
      await expect(client.verify({ state })).rejects.toThrow(`--accept-restart ${AGAIN}`);
      const accepted = await client.verify({ state, acceptRestart: AGAIN });
      expect(accepted).toMatchObject({ size: 4, restart: { commonSize: 4 } });
      // Of the same numbers as those that are gone.
      await publishSteps(store, OTHERS);
      expect(await client.verify({ state: accepted.state })).toMatchObject({
        size: 6,
        previousSize: 4,
      });
    });
  },
);
