import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifierState } from '../../clients/typescript/src/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { moveStore } from '../../src/store/move-store.ts';
import { type KeyReplacement, openStore } from '../../src/store/open-store.ts';
import { getSignersFile } from '../../src/store/sqlite/signers-file.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { copyStore } from '../support/copy-store.ts';
import { retireKibor } from '../support/declared-rates.ts';
import { change, HISTORY, publishHistory, publishSteps } from '../support/published-ledger.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore, type SqliteTestStore } from '../support/store.ts';
import { ADDED, OTHER_VALUE, REWRITINGS, type Rewriting } from './rewritings.ts';
import { findFaults, findProblems, verifyStore } from './verify-store.ts';

const { removing } = closeAfterEach();
let published: SqliteTestStore;
let backup: SqliteTestStore;
let forged: SqliteTestStore;
/** What a client has kept of all six revisions, and of the four that the backup has. */
let state: VerifierState;
let earlierState: VerifierState;
beforeAll(async () => {
  published = await createStore();
  await publishHistory(published, HISTORY.slice(0, BACKUP_SIZE));
  backup = await copyStore(published);
  ({ state: earlierState } = await verifyStore(published));
  await publishSteps(published, HISTORY.slice(BACKUP_SIZE));
  ({ state } = await verifyStore(published));
  forged = await createStore();
  await publishHistory(forged, OTHER_VALUE);
});
afterAll(() => Promise.all([published, backup, forged].map((store) => store.remove())));
const BACKUP_SIZE = 4;

const copy = async (store: SqliteTestStore) => removing(await copyStore(store));

async function replaceKey(store: SqliteTestStore, replacement: KeyReplacement = {}) {
  const publisher = store.publisher();
  await publisher.replaceLedgerKey(replacement).finally(() => publisher.close());
}

describe('a client that has verified the ledger before finds', () => {
  test.each(Object.entries(REWRITINGS))('%s', async (_, rewriting) => {
    const store = await rewrite(rewriting);
    expect(await findProblems(store, { state }, rewriting.tamper)).toEqual([rewriting.problem]);
    expect((await findFaults(store)).length > 0).toBe(rewriting.isFoundByCheck);
  });

  async function rewrite({ steps, edit }: Rewriting) {
    if (!steps) {
      const store = await copy(published);
      await edit?.(store, forged);
      return store;
    }
    const store = removing(await createStore());
    await publishHistory(store, steps);
    return store;
  }
});

test.each([
  `UPDATE ledger_hashes SET hash = '${'0'.repeat(64)}' WHERE level = 2`,
  'DELETE FROM ledger_hashes WHERE level = 2',
])(
  'hashes that are made of others, and that no client reads, are found by a check: %s',
  async (sql) => {
    const store = await copy(published);
    await change(store, sql);
    expect(await findProblems(store, { state })).toEqual([]);
    expect(await findFaults(store)).not.toEqual([]);
  },
);

test('a client that has kept nothing does not find what was signed with the real key', async () => {
  expect(await verifyStore(forged)).toMatchObject({ size: 6, isKeyFirstSeen: true });
});

const HONEST: Readonly<Record<string, (store: SqliteTestStore) => Promise<unknown>>> = {
  'nothing that happened': async () => {},
  'more revisions': (store) => publishSteps(store, [ADDED]),
  'a new key, twice': async (store) => {
    await replaceKey(store);
    await publishSteps(store, [ADDED]);
    await replaceKey(store);
  },
  'a reverted revision': async (store) => {
    const publisher = store.publisher();
    await revertRevision(publisher, catalogue, { revision: 6, author: 'publisher' });
    publisher.close();
  },
  'a retired dataset': retireKibor,
};

describe('a client calls honest', () => {
  test.each(Object.entries(HONEST))('%s', async (_, act) => {
    const store = await copy(published);
    await act(store);
    const { previousSize } = await verifyStore(store, { state, datasets: ['quotes', 'datasets'] });
    expect(previousSize).toBe(6);
    expect(await findFaults(store)).toEqual([]);
  });

  test.each([/^\/ledger\/checkpoint/, /^\/ledger\/keys/, /^\/ledger\/proof/, /^\/ledger\/tile/])(
    'a new revision and a new key right after its request of %s',
    async (path) => {
      const store = await copy(published);
      let isFirst = true;
      const publishOnce = async (body: Buffer) => {
        if (isFirst) {
          isFirst = false;
          await publishSteps(store, [ADDED]);
          await replaceKey(store);
        }
        return body;
      };
      const { size, previousSize } = await verifyStore(store, { state }, [path, publishOnce]);
      expect([size >= 6, previousSize]).toEqual([true, 6]);
    },
  );

  test('a backup, and a database that was moved', async () => {
    const source = await copy(published);
    const file = join(source.path, '..', 'backup.db');
    expect((await runTenor(['backup', file], { DATABASE_URL: source.url })).status).toBe(0);
    const moved = `${file}.moved`;
    const urls = { from: source.url, to: `sqlite:${moved}` };
    await moveStore({ ...urls, catalogue, onRows: async () => {} });
    for (const path of [file, moved]) {
      const store = { ...source, ...(await openStore(`sqlite:${path}`, catalogue)) };
      expect((await verifyStore(store, { state })).state).toMatchObject({ root: state.root });
      await publishSteps(store, [ADDED]);
      expect((await verifyStore(store, { state })).size).toBe(7);
    }
  });
});

const OTHERS = HISTORY.slice(BACKUP_SIZE).map((step) => ({ ...step, author: 'somebody else' }));
const AGAIN = 'prices.example/again';

describe('after a backup was restored', () => {
  test('that nothing was published to, it is behind, also one of before a new key', async () => {
    const rotated = await copy(published);
    await replaceKey(rotated);
    for (const kept of [state, (await verifyStore(rotated, { state })).state]) {
      expect(await findProblems(await copy(backup), { state: kept })).toEqual([
        { problem: 'behind' },
      ]);
    }
  });

  test.each([
    ['that as many other revisions were published to', OTHERS, 'forked'],
    ['that more revisions were published to', [...OTHERS, ADDED], 'rewritten'],
  ] as const)('%s, a client is alarmed', async (_, steps, problem) => {
    const store = await copy(backup);
    await publishSteps(store, steps);
    expect(await findProblems(store, { state })).toEqual([{ problem }]);
    expect(await findFaults(store)).toEqual([]);
  });

  const RESTARTS = [
    ['before anything is published', [], {}],
    ['after other revisions, with the last common one', OTHERS, { size: BACKUP_SIZE }],
    ['without its key', [], { isLost: true }],
  ] as const;
  test.each(RESTARTS)('and the log restarted %s, a client waits', async (_, steps, replacement) => {
    const store = await copy(backup);
    await publishSteps(store, steps);
    const { isLost = false }: KeyReplacement = replacement;
    if (isLost) rmSync(getSignersFile(store.path));
    await replaceKey(store, { name: AGAIN, ...replacement });
    expect(await findFaults(store)).toEqual([]);
    for (const acceptRestart of [undefined, 'another'])
      for (const kept of [state, earlierState])
        expect(await findProblems(store, { state: kept, acceptRestart })).toEqual([
          { problem: 'restarted' },
        ]);
    const accepted = await verifyStore(store, { state, acceptRestart: AGAIN });
    const restart = { origin: AGAIN, commonSize: BACKUP_SIZE, isSigned: !isLost };
    expect(accepted).toMatchObject({ restart, previousSize: null });
    const compared = await verifyStore(store, { state: earlierState, acceptRestart: AGAIN });
    expect(compared).toMatchObject({ restart, previousSize: BACKUP_SIZE });
    await publishSteps(store, [ADDED]);
    const next = await verifyStore(store, { state: accepted.state });
    expect(next).toMatchObject({ restart: null, previousSize: accepted.size });
  });

  test('a restart that says more is the same than there is does not help', async () => {
    const store = await copy(backup);
    await publishSteps(store, OTHERS);
    await replaceKey(store, { name: AGAIN });
    const problems = await findProblems(store, { state, acceptRestart: AGAIN });
    expect(problems).toEqual([{ problem: 'forked' }]);
  });

  test('a client that knows a later key than the backup waits if that key has signed the restart', async () => {
    const [rotated, restored, unsigned] = [
      await copy(published),
      await copy(backup),
      await copy(backup),
    ];
    await replaceKey(rotated);
    const { state: kept } = await verifyStore(rotated);
    await replaceKey(unsigned, { name: AGAIN });
    expect(await findProblems(unsigned, { state: kept })).toEqual([{ problem: 'unknown-key' }]);
    const keys = readFileSync(getSignersFile(rotated.path));
    appendFileSync(getSignersFile(restored.path), keys);
    await replaceKey(restored, { name: AGAIN });
    for (const each of [kept, state]) {
      expect(await findProblems(restored, { state: each })).toEqual([{ problem: 'restarted' }]);
      const accepted = await verifyStore(restored, { state: each, acceptRestart: AGAIN });
      expect(accepted.restart).toMatchObject({ commonSize: BACKUP_SIZE, isSigned: true });
    }
  });
});
