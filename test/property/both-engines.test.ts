import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { getAuxiliaryTable } from '../../src/schema/auxiliary-table.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { anyRequest, type TestRequest } from '../support/both-engines/arbitrary-requests.ts';
import { runScenario } from '../support/both-engines/run-scenario.ts';
import { anyScenario, NAMES } from '../support/both-engines/scenarios.ts';
import {
  createStorePair,
  type ServerPair,
  type StorePair,
} from '../support/both-engines/store-pair.ts';
import { fetchRaw, pickLastingHeaders } from '../support/fetch-raw.ts';
import { findLink } from '../support/follow-links.ts';
import { withConnection } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createTempFolder, type TestStore } from '../support/store.ts';
import type { TestServer } from '../support/test-server.ts';

// Many worlds, on a machine that may have other things to do.
setDefaultTimeout(180_000);

let folder: string;
beforeAll(() => {
  folder = createTempFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

const MOST_PAGES = 40;

describe.skipIf(explainMissingPostgres() !== undefined)('both engines', () => {
  test('send the same bytes for any request after any history', async () => {
    const requests = fc.array(anyRequest, { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(anyScenario, requests, async (world, drafts) => {
        await using pair = await createStorePair();
        const { sqlite, postgres } = pair;
        const outcomes = await runScenario(sqlite, world, folder);
        expect(await runScenario(postgres, world, folder)).toEqual(outcomes);
        await expectSameTables(pair);

        const about = { names: world.names, instants: await instantsOf(sqlite) };
        await using services = await pair.startServers();
        for (const draft of drafts) await expectSameAnswers(services, draft(about));
      }),
      { numRuns: 16, interruptAfterTimeLimit: 60_000 },
    );
  });

  test('find and order names by their bytes, and keep every digit of a number', async () => {
    await using pair = await createStorePair();
    const records = NAMES.map((symbol, index) =>
      quote({
        symbol,
        isin: NAMES.at(-index) ?? '',
        lastPrice: NUMBERS[index % NUMBERS.length] ?? 0,
      }),
    );
    const [one, other] = [pair.sqlite, pair.postgres];
    for (const store of [one, other]) await publishAt(store, 0, quotes, { records });
    await using services = await pair.startServers();
    const headers = { accept: 'text/csv', prefer: 'count=exact' };
    await expectSameAnswers(services, { method: 'GET', target: '/2.0/bnb/quote?limit=7', headers });
    for (const name of NAMES) {
      const target = `/2.0/bnb/quote?symbol=${encodeURIComponent(name)}`;
      await expectSameAnswers(services, { method: 'GET', target, headers: {} });
    }
    const { data } = await services.postgres.getJson('/2.0/bnb/quote');
    const inOrder = NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect((data as Quote[]).map(({ symbol }) => symbol)).toEqual(inOrder);
    expect(new Set((data as Quote[]).map(({ lastPrice }) => lastPrice))).toEqual(new Set(NUMBERS));
  });
});

test.skipIf(explainMissingPostgres() !== undefined)(
  'a database that cannot store every text is rejected before anything is in it',
  async () => {
    const server = await getSharedPostgres();
    const name = `tenor_test_latin_${crypto.randomUUID().replaceAll('-', '')}`;
    const making = `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`;
    await withConnection(server.url(), (sql) => sql.unsafe(making));
    const opening = openStore(server.url(name), catalogue);
    await expect(opening).rejects.toThrow(StoreUnusableError);
    await expect(opening).rejects.toThrow(/its encoding is LATIN1; make one with ENCODING 'UTF8'/);
    await server.dropDatabase(server.url(name));
  },
);

/** The ends of what a double can tell apart, and some whose shortest decimals are long. */
const NUMBERS = [
  ...[0, 0.1, 0.1 + 0.2, 1 / 3, 100, 95.4545, 1e-7, 123456789.12345679, -4.2e-301],
  ...[Number.MIN_VALUE, Number.EPSILON, 2 ** 53 - 1, -(2 ** 53 - 1)],
];

/** Asks both the same, and follows the links that they give. */
async function expectSameAnswers({ sqlite, postgres }: ServerPair, asked: TestRequest) {
  let next: string | undefined = asked.target;
  for (let page = 0; next !== undefined && page < MOST_PAGES; page++) {
    const asking = { ...asked, target: next };
    const [reply, counterpart] = await Promise.all([
      askOf(sqlite, asking),
      askOf(postgres, asking),
    ]);
    expect({ asking, ...counterpart }).toEqual({ asking, ...reply });
    expect(reply.status).toBeLessThan(500);
    next = findLink(new Headers(reply.headers), 'next');
  }
}

/** A reply as far as it depends on what was asked for. */
async function askOf(service: TestServer, { method, target, headers }: TestRequest) {
  const { status, bytes, headers: told } = await fetchRaw(service, target, headers, method);
  return { status, headers: pickLastingHeaders(told), body: Buffer.from(bytes).toString('latin1') };
}

async function instantsOf(store: TestStore): Promise<string[]> {
  const rows = await store.query('SELECT published_at AS instant FROM revisions');
  return rows.map(({ instant }) => String(instant));
}

/** That both hold the same texts for the same time, in the same ledger; and that all is whole. */
async function expectSameTables({ sqlite, postgres }: StorePair): Promise<void> {
  const tables = catalogue.flatMap((dataset) =>
    [getStorageTable(dataset), getAuxiliaryTable(dataset) ?? []].flat(),
  );
  const rows = tables.map(
    ({
      currentTable,
      historyTable,
    }) => `SELECT '${currentTable}' AS kept, record, since, NULL AS until FROM ${currentTable}
      UNION ALL SELECT '${historyTable}', record, since, until FROM ${historyTable}`,
  );
  const kept = async (store: TestStore) =>
    (await store.query(rows.join(' UNION ALL '))).map((row) => JSON.stringify(row)).toSorted();
  const ledger = (store: TestStore) => store.query('SELECT * FROM revisions ORDER BY revision');
  expect(await kept(postgres)).toEqual(await kept(sqlite));
  expect(await ledger(postgres)).toEqual(await ledger(sqlite));
  for (const store of [sqlite, postgres]) {
    const inspector = store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
  }
}
