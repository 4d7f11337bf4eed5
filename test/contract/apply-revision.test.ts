import { afterEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import {
  FollowError,
  type FollowedRevision,
  type StoredLogEntry,
} from '../../src/store/open-store.ts';
import { readFixture } from '../support/fixtures.ts';
import { applyRevisions, readRevision, readRevisions } from '../support/followed-revisions.ts';
import {
  a,
  HISTORY,
  publishHistory,
  publishSteps,
  type Step,
} from '../support/published-ledger.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

/** A record of another letter case, and one of every dataset. */
const STEPS: readonly Step[] = [
  ...HISTORY,
  { dataset: quotes, records: [{ ...a, symbol: 'a' }], retired: [a], day: 7 },
  ...catalogue.map((dataset) => ({ dataset, records: readFixture(dataset), day: 8 })),
  { dataset: online, records: [{ ...online.example, total: 1 }], status: 'P' as const, day: 9 },
];

const stores: TestStore[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.remove();
});

describe.each(ENGINES)('a database that follows another: $name', ({ createStore }) => {
  const create = async () => {
    const store = await createStore();
    stores.push(store);
    return store;
  };
  const createSource = async (steps = STEPS) => {
    const source = await create();
    await publishHistory(source, steps);
    return source;
  };

  test('has the same tables, and no fault', async () => {
    const [source, follower] = [await createSource(), await create()];
    const size = STEPS.length;
    await applyRevisions(follower, ...(await readRevisions(source, size)));
    const tables = await listTables(source);
    expect(tables).toContain('quotes_past');
    for (const table of tables)
      expect([table, await readTable(follower, table)]).toEqual([
        table,
        await readTable(source, table),
      ]);
    expect(await check(follower)).toEqual([]);
  });

  test('has only the digest of a revision that may not be read', async () => {
    const [source, follower] = [await createSource(HISTORY), await create()];
    const followed = await readRevisions(source, HISTORY.length);
    const sourceReader = source.reader();
    const hidden = (await sourceReader.logEntry(4)) as StoredLogEntry;
    const { checkpoint, keys } = followed[3] as FollowedRevision;
    const publishedAt = '2026-08-04T00:00:00.000Z';
    const placeholder = { revision: 4, digest: hidden.digest, publishedAt, checkpoint, keys };
    await applyRevisions(follower, ...followed.slice(0, 3), placeholder, ...followed.slice(4));
    const reader = follower.reader();
    expect(await reader.checkpoint()).toBe(await sourceReader.checkpoint());
    expect(await reader.logEntry(4)).toEqual({ text: null, digest: hidden.digest });
    expect(await reader.ledgerEntry(4)).toMatchObject({ dataset: '', author: '', added: 0 });
    reader.close();
    sourceReader.close();
    expect(await check(follower)).toEqual([]);
  });

  test('takes the next revision only, and another checkpoint of the newest', async () => {
    const [source, follower] = [await createSource(HISTORY.slice(0, 3)), await create()];
    const [first, second, third] = await readRevisions(source, 3);
    await applyRevisions(follower, first);
    expect(await findProblem(applyRevisions(follower, third))).toBe('not-next');
    await applyRevisions(follower, second, third);
    const publisher = source.publisher();
    await publisher.replaceLedgerKey({});
    publisher.close();
    const { keys, checkpoint } = await readRevision(source, 3);
    expect(keys).toHaveLength(2);
    await applyRevisions(follower, { revision: 3, keys, checkpoint });
    for (const table of ['revision_digests', 'ledger_keys'])
      expect(await readTable(follower, table)).toEqual(await readTable(source, table));
  });

  test('publishes nothing itself', async () => {
    const [source, follower] = [await createSource(HISTORY), await create()];
    await applyRevisions(follower, await readRevision(source, 1));
    await expect(publishSteps(follower, HISTORY.slice(5))).rejects.toThrow(
      'A database that follows another publishes nothing',
    );
    expect(await readTable(follower, 'revisions')).toHaveLength(1);
  });

  test('stores nothing of a revision that is not as its log has it', async () => {
    const [source, follower] = [await createSource(HISTORY.slice(0, 1)), await create()];
    const followed = await readRevision(source, 1);
    const { entry = '', checkpoint } = followed;
    const lines = [...(followed.lines as readonly string[][])].flat();
    const altered: readonly [Partial<FollowedRevision>, FollowError['problem']][] = [
      [{ entry: entry.replace('publisher', 'another') }, 'rewritten'],
      [{ entry: `${entry} ` }, 'altered-entry'],
      [{ entry: '[]' }, 'altered-entry'],
      [{ entry: entry.replace('"quotes"', '"yields"') }, 'rewritten'],
      [{ checkpoint: checkpoint.replace('\n1\n', '\n2\n') }, 'rewritten'],
      [{ lines: [lines.slice(1)] }, 'altered-changes'],
      [{ lines: [lines, lines] }, 'altered-changes'],
      [{ lines: [['{']] }, 'altered-changes'],
      [
        { lines: [lines.map((line) => line.replace('"volume":', '"volume":1'))] },
        'altered-changes',
      ],
    ];
    for (const [change, problem] of altered)
      expect([
        change,
        await findProblem(applyRevisions(follower, { ...followed, ...change })),
      ]).toEqual([change, problem]);
    for (const table of ['revisions', 'quotes_now', 'ledger_keys', 'ledger_hashes'])
      expect(await readTable(follower, table)).toEqual([]);
    await applyRevisions(follower, followed);
    expect(await check(follower)).toEqual([]);
  });

  test('does not go on from revisions of its own', async () => {
    const [source, own] = [await createSource(HISTORY.slice(0, 2)), await create()];
    await publishSteps(own, HISTORY.slice(0, 1));
    expect(await findProblem(applyRevisions(own, await readRevision(source, 2)))).toBe(
      'unknown-key',
    );
  });
});

async function findProblem(promise: Promise<unknown>): Promise<string | undefined> {
  const cause = await promise.catch((error) => error);
  return cause instanceof FollowError ? cause.problem : undefined;
}

const OWN_TABLES = /^(secrets|ledger_signers|tokens|schema_\w+|sqlite_\w+|followed_\w+|store_\w+)$/;

async function listTables(store: TestStore): Promise<string[]> {
  const sql = store.url.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_master WHERE type = 'table'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
  const rows = (await store.query(sql)) as unknown as readonly { name: string }[];
  return rows.map(({ name }) => name).filter((name) => !OWN_TABLES.test(name));
}

/** In whatever order. */
async function readTable(store: TestStore, table: string): Promise<unknown[]> {
  const rows = await store.query(`SELECT * FROM ${table}`);
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .map((text) => JSON.parse(text));
}

async function check(store: TestStore): Promise<readonly unknown[]> {
  const inspector = await store.inspector();
  try {
    return (await checkDatabase(inspector, catalogue)).faults;
  } finally {
    inspector.close();
  }
}
