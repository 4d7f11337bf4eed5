import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { getStorageTable } from '../../../src/schema/storage-table.ts';
import { openStore, StoreUnusableError } from '../../../src/store/open-store.ts';
import { anyRequest, type TestRequest } from '../../support/both-engines/arbitrary-requests.ts';
import { runScenario } from '../../support/both-engines/run-scenario.ts';
import { anyScenario, NAMES } from '../../support/both-engines/scenarios.ts';
import {
  createStorePair,
  type ServerPair,
  type StorePair,
} from '../../support/both-engines/store-pair.ts';
import { fetchRaw, pickLastingHeaders } from '../../support/fetch-raw.ts';
import { findLink } from '../../support/follow-links.ts';
import { withConnection } from '../../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../../support/postgres.ts';
import { publishAt } from '../../support/publish-at.ts';
import { type Quote, quote } from '../../support/quote-fixture.ts';
import { createTempFolder, REPETITIONS, type TestStore } from '../../support/store.ts';
import type { TestServer } from '../../support/test-server.ts';

setDefaultTimeout(180_000);

let folder: string;
beforeAll(() => {
  folder = createTempFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

const MOST_PAGES = 40;

describe.skipIf(explainMissingPostgres() !== undefined)('both engines', () => {
  test('send the same bytes for any request after any history', async () => {
    const requests = fc.array(anyRequest, { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(anyScenario, requests, async (scenario, drafts) => {
        await using pair = await createStorePair();
        const { sqlite, postgres } = pair;
        const outcomes = await runScenario(sqlite, scenario, folder);
        expect(await runScenario(postgres, scenario, folder)).toEqual(outcomes);
        await expectSameTables(pair);

        const context = { names: scenario.names, instants: await readInstants(sqlite) };
        await using services = await pair.startServers();
        for (const draft of drafts) await expectSameResponses(services, draft(context));
      }),
      { numRuns: 12 * REPETITIONS, interruptAfterTimeLimit: 150_000 * REPETITIONS },
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
    await expectSameResponses(services, {
      method: 'GET',
      target: '/2.0/bnb/quote?limit=7',
      headers,
    });
    for (const name of NAMES) {
      const target = `/2.0/bnb/quote?symbol=${encodeURIComponent(name)}`;
      await expectSameResponses(services, { method: 'GET', target, headers: {} });
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
    const statement = `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`;
    await withConnection(server.url(), (sql) => sql.unsafe(statement));
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

/** Sends a request to both, and follows the links. */
async function expectSameResponses({ sqlite, postgres }: ServerPair, request: TestRequest) {
  let next: string | undefined = request.target;
  for (let page = 0; next !== undefined && page < MOST_PAGES; page++) {
    const pageRequest = { ...request, target: next };
    const [reply, counterpart] = await Promise.all([
      fetchReply(sqlite, pageRequest),
      fetchReply(postgres, pageRequest),
    ]);
    expect({ pageRequest, ...counterpart }).toEqual({ pageRequest, ...reply });
    expect(reply.status).toBeLessThan(500);
    next = findLink(new Headers(reply.headers), 'next');
  }
}

/** The part of a response that depends on the request alone. */
async function fetchReply(service: TestServer, { method, target, headers }: TestRequest) {
  const reply = await fetchRaw(service, target, headers, method);
  const body = Buffer.from(reply.bytes).toString('latin1');
  return { status: reply.status, headers: pickLastingHeaders(reply.headers), body };
}

async function readInstants(store: TestStore): Promise<string[]> {
  const rows = await store.query('SELECT published_at AS instant FROM revisions');
  return rows.map(({ instant }) => String(instant));
}

/** Asserts that both have the same records, history and ledger, without faults. */
async function expectSameTables({ sqlite, postgres }: StorePair): Promise<void> {
  const tables = catalogue.map(getStorageTable);
  const rows = tables.map(
    ({
      currentTable,
      historyTable,
    }) => `SELECT '${currentTable}' AS kept, record, since, NULL AS until FROM ${currentTable}
      UNION ALL SELECT '${historyTable}', record, since, until FROM ${historyTable}`,
  );
  const readRows = async (store: TestStore) =>
    (await store.query(rows.join(' UNION ALL '))).map((row) => JSON.stringify(row)).toSorted();
  const ledger = (store: TestStore) => store.query('SELECT * FROM revisions ORDER BY revision');
  expect(await readRows(postgres)).toEqual(await readRows(sqlite));
  expect(await ledger(postgres)).toEqual(await ledger(sqlite));
  for (const store of [sqlite, postgres]) {
    const inspector = store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
  }
}
