import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { DECLARATION_SCHEMA } from '../../src/catalogue/model/declaration.ts';
import { BackgroundThread } from '../../src/http/background/background-thread.ts';
import { handleRequest } from '../../src/http/pipeline/handle-request.ts';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { ReplaceableDatabase } from '../../src/http/server/replaceable-database.ts';
import { type ScrubbingServer, startServer } from '../../src/http/server/start-server.ts';
import { NOTHING_SEEN, type ReaderSource } from '../../src/store/open-store.ts';
import { createPrincipal } from '../../src/tokens/principal.ts';
import {
  DECLARATION,
  DECLARED,
  DECLARED_AT,
  declaredAt,
  RETIRED_AT,
  SHIPPED,
  withDeclarations,
} from '../support/declaring-store.ts';
import { readFixture } from '../support/fixtures.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { quote } from '../support/quote-fixture.ts';
import { createEventReader } from '../support/read-events.ts';
import { createTestContext } from '../support/request-context.ts';
import { startThreadInProcess } from '../support/start-thread-in-process.ts';
import { createStore, type SqliteTestStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

const { name } = DECLARED;
const path = `/datasets/${name}`;
const RECORDS = readFixture(DECLARED);
/** Targets of one dataset. */
const TARGETS = [
  path,
  `/exports/${name}.csv`,
  `/changes/${name}?since=0`,
  `/corrections/${name}`,
  `/vintages/${name}`,
];

/** Lists of what the token may read. */
const LISTS = ['/catalogue', '/revisions', '/datapackage.json', '/widgets.json'];

/** Publishes up to a revision, of which two have records of the declared dataset. */
async function publishUpTo(store: SqliteTestStore, last: number): Promise<void> {
  const reader = store.reader();
  for (let next = (await reader.revision()) + 1; next <= last; next++) {
    if (next === DECLARED_AT) await store.publish(DECLARED, RECORDS);
    else await store.publish(quotes, [quote({ symbol: `ZZ${next}` })]);
  }
  reader.close();
}

const asOf = (target: string, revision: number) =>
  `${target}${target.includes('?') ? '&' : '?'}as_of=${revision}`;

describe('a server', () => {
  let store: SqliteTestStore;
  let server: ScrubbingServer;
  /** With the built-in scopes, and with that of the declaration. */
  let builtInToken: string;
  let declaredToken: string;
  beforeAll(async () => {
    store = await createStore();
    await publishUpTo(store, 2);
    builtInToken = await issueSecret(store, SCOPES);
    declaredToken = await issueSecret(store, ['datasets']);
    const declaring = withDeclarations(store);
    server = await startServer({
      store: declaring,
      startThread: () => startThreadInProcess(() => declaring.reader(), SHIPPED),
      catalogue: SHIPPED,
      settings: SERVER_SETTINGS,
      emit() {},
    });
  });
  afterAll(async () => {
    await server.stop();
    await store.remove();
  });

  const get = (target: string, headers: Record<string, string> = {}) =>
    fetch(`${server.address}${target}`, {
      headers: { Authorization: `Bearer ${TOKEN}`, ...headers },
    });
  const getStatuses = (targets: readonly string[], headers?: Record<string, string>) =>
    Promise.all(targets.map(async (target) => (await get(target, headers)).status));
  const seen = (revision: number) => ({ 'Tenor-Revision': String(revision) });

  const mentions = async (...request: Parameters<typeof get>) =>
    (await (await get(...request)).text()).includes(name);

  /** Where the name of the dataset stands. */
  async function findMentions(): Promise<Record<string, boolean>> {
    const metrics = await server.monitor.collectMetrics();
    const tools = createMessage('tools/list');
    const list = await postMessage(server.address, tools.body, tools.headers);
    const ofDatasets = metrics.filter((family) => family.name.startsWith('tenor_dataset'));
    return {
      catalogue: await mentions('/catalogue'),
      dataPackage: await mentions('/datapackage.json'),
      openApi: await mentions('/openapi.json'),
      ownOpenApi: await mentions(`${path}/openapi.json`, { Authorization: '' }),
      widgets: await mentions('/widgets.json'),
      tools: (await list.text()).includes(name),
      metrics: JSON.stringify(ofDatasets).includes(name),
    };
  }
  const everywhere = (isMentioned: boolean) => ({
    catalogue: isMentioned,
    dataPackage: isMentioned,
    openApi: isMentioned,
    ownOpenApi: isMentioned,
    widgets: isMentioned,
    tools: isMentioned,
    metrics: isMentioned,
  });

  test('tells everybody what can be declared', async () => {
    const response = await get('/schemas/dataset.json', { Authorization: '' });
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(DECLARATION_SCHEMA)));
  });

  test('knows nothing of a dataset before it is declared', async () => {
    expect(await getStatuses(TARGETS)).toEqual([404, 404, 404, 404, 404]);
    expect(await findMentions()).toEqual(everywhere(false));
  });

  test('serves it to a client that has seen its declaration, and mentions it everywhere', async () => {
    await publishUpTo(store, 4);
    expect(await getStatuses(TARGETS, seen(4))).toEqual([200, 200, 200, 200, 200]);
    expect(await findMentions()).toEqual(everywhere(true));
    const { data } = (await (await get(path)).json()) as { data: unknown[] };
    expect(data).toHaveLength(RECORDS.length);
    const lines = (await (await get(`/exports/${name}.csv`)).text()).trim().split('\n');
    expect(lines).toHaveLength(1 + RECORDS.length);
  });

  test('refuses it to a token without its scope', async () => {
    const headers = { Authorization: `Bearer ${builtInToken}` };
    expect(await getStatuses(TARGETS, headers)).toEqual([403, 403, 403, 403, 403]);
    // Whether a dataset is known is for those only who have a token, of whatever scope.
    expect(await getStatuses(['/datasets/none'], headers)).toEqual([404]);
    expect(await getStatuses(['/datasets/none'], { Authorization: '' })).toEqual([401]);
    for (const target of LISTS) expect(await mentions(target, headers)).toBe(false);
  });

  test('serves it, and nothing else, to a token with its scope alone', async () => {
    const headers = { Authorization: `Bearer ${declaredToken}` };
    expect(await getStatuses(TARGETS, headers)).toEqual([200, 200, 200, 200, 200]);
    expect(await getStatuses(['/2.0/bnb/quote', '/exports/quotes.csv'], headers)).toEqual([
      403, 403,
    ]);
    for (const target of LISTS) {
      const text = await (await get(target, headers)).text();
      expect([target, text.includes(name), text.includes('/quote')]).toEqual([target, true, false]);
    }
  });

  test('has not got it as of earlier revisions', async () => {
    const earlier = TARGETS.map((target) => asOf(target, 2));
    expect(await getStatuses(earlier)).toEqual([404, 404, 404, 404, 404]);
    expect(await mentions('/catalogue?as_of=2')).toBe(false);
  });

  test('serves it as of the revisions that had it once it is retired', async () => {
    const page = await get(`/changes/${name}?since=0&limit=2`);
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    await publishUpTo(store, 6);
    expect(await getStatuses(TARGETS, seen(6))).toEqual([404, 404, 404, 404, 404]);
    expect(await findMentions()).toEqual(everywhere(false));
    const earlier = TARGETS.map((target) => asOf(target, RETIRED_AT - 1));
    expect(await getStatuses(earlier)).toEqual([200, 200, 200, 200, 200]);
    expect(await mentions('/catalogue?as_of=4')).toBe(true);
    const headers = { Authorization: `Bearer ${builtInToken}` };
    expect(await getStatuses(earlier, headers)).toEqual([403, 403, 403, 403, 403]);
    expect(await getStatuses(earlier, { Authorization: '' })).toEqual([401, 401, 401, 401, 401]);
    // A walk that was begun before goes on.
    const rest = await get(next);
    expect([rest.status, rest.headers.get('Tenor-Revision')]).toEqual([200, '4']);
  });

  test('sends the events of its revisions to tokens with its scope', async () => {
    const readIds = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': '1' };
      const { body } = await get('/events', headers);
      const events = createEventReader(body);
      const ids: number[] = [];
      while (ids.at(-1) !== 6) ids.push((await events.nextEvent())?.id ?? 6);
      await events.close();
      return ids;
    };
    expect(await readIds(TOKEN)).toEqual([2, 3, 4, 5, 6]);
    expect(await readIds(builtInToken)).toEqual([2, 4, 5, 6]);
  });
});

describe('a request whose result is of a revision with other declarations', () => {
  test('is planned again', async () => {
    await using store = await createStore();
    await publishUpTo(store, 2);
    const server = await createInProcessServer(withDeclarations(store), SHIPPED);
    await publishUpTo(store, 3);
    const catalogue = await server.get('/catalogue');
    expect([
      catalogue.headers.get('Tenor-Revision'),
      (await catalogue.text()).includes(name),
    ]).toEqual([...['3', true]]);
    expect((await server.get(`/exports/${name}.ndjson`)).status).toBe(200);
    await publishUpTo(store, 5);
    expect((await server.get(`/exports/${name}.ndjson`)).status).toBe(404);
    server.close();
  });

  test('is cached for those only who may read what is declared', async () => {
    await using store = await createStore();
    await publishUpTo(store, 2);
    const { reader } = withDeclarations(store);
    const authenticate = (token: string) => {
      return createPrincipal(token, token === 'all' ? {} : { scopes: new Set(['quotes']) });
    };
    const context = await createTestContext(reader(), { authenticate, datasets: SHIPPED });
    const { database, getDataRoutes } = context;
    const routes = getDataRoutes(database.catalogues.current);
    const get = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}`, Host: 'localhost' };
      const request = new Request('http://localhost/catalogue', { headers });
      const response = await handleRequest(context, request, routes.find('/catalogue'));
      return (await response.text()).includes(name);
    };
    expect([await get('all'), await get('some')]).toEqual([false, false]);
    await publishUpTo(store, 3);
    await database.newestRevision.advanceTo(3);
    const answers = [await get('all'), await get('all'), await get('some'), await get('some')];
    expect(answers).toEqual([true, true, false, false]);
    database.reader.close();
  });

  test('fails if no result is of the revision that was seen', async () => {
    await using store = await createStore();
    await publishUpTo(store, 2);
    const declaring = withDeclarations(store);
    const reader = () => ({ ...declaring.reader(), revision: async () => DECLARED_AT });
    const server = await createInProcessServer({ ...declaring, reader }, SHIPPED);
    const response = server.get('/catalogue');
    await expect(response).rejects.toThrow('what was read is of revision 2, not 3');
    server.close();
  });
});

test('a background thread works on the datasets that are declared at the revision of a job', async () => {
  await using store = await createStore();
  await publishUpTo(store, 4);
  const { measures } = DECLARATION;
  const shorter = { ...DECLARATION, measures: measures.slice(0, 2), checks: [] };
  const declaring = withDeclarations(store, async (revision) =>
    revision < 4
      ? { since: 3, declarations: [declaredAt(3)], retired: [] }
      : { since: 4, declarations: [declaredAt(4, shorter)], retired: [] },
  );
  const revisions = { newestSeen: () => NOTHING_SEEN, observeRevision: () => {} };
  const ignore = () => {};
  const start = () => startThreadInProcess(() => declaring.reader(), SHIPPED);
  const source = store.readerSource as ReaderSource;
  const thread = new BackgroundThread(source, revisions, ignore, ignore, start);
  const readHeader = async (revision: number) => {
    const file = { dataset: name, format: 'csv', revision, newest: 4 } as const;
    const chunks = thread.exportFile(file, new AbortController().signal);
    const [header = ''] = Buffer.concat(await Array.fromAsync(chunks))
      .toString()
      .split('\n');
    return header.trim().split(',').length;
  };
  expect(await Promise.all([3, 4].map(readHeader))).toEqual([1 + measures.length, 3]);
  await thread.stop();
});

test('a cursor that was not made here names no revision, and changes nothing of later ones', async () => {
  await using store = await createStore();
  await publishUpTo(store, 2);
  const server = await createInProcessServer(withDeclarations(store), SHIPPED);
  const forge = (revision: number) =>
    Buffer.from(`${'\0'.repeat(16)}["x",${revision},0,"a"]`).toString('base64url');
  for (const revision of [0, 1, 5, 2_000_000_000, 9_999_999_999]) {
    const response = await server.get(`/2.0/bnb/quote?cursor=${forge(revision)}`);
    expect([revision, response.status]).toEqual([revision, 400]);
  }
  await publishUpTo(store, 3);
  expect((await server.get(`/exports/${name}.csv`)).status).toBe(200);
  server.close();
});

test('a database that takes the place of another one has catalogues of its own', async () => {
  const [first, second] = [await createStore(), await createStore()];
  await publishUpTo(first, DECLARED_AT);
  await publishUpTo(second, 1);
  const declaring = withDeclarations(first);
  let isCurrent = true;
  const reader = () => ({ ...declaring.reader(), isCurrent: () => isCurrent });
  const reopen = async () => withDeclarations(second);
  const replaceable = await ReplaceableDatabase.open(
    { ...declaring, reader, reopen },
    {
      catalogue: SHIPPED,
      metrics: new RequestMetrics(),
      emit() {},
      reportAllocatedBytes() {},
      eventStreams: { restart() {} },
      scrubber: { restart() {}, suspect() {} },
    },
  );
  expect(replaceable.database.catalogues.current.find(name)).toBeDefined();
  isCurrent = false;
  await replaceable.reopenIfReplaced();
  expect(replaceable.database.catalogues.current.find(name)).toBeUndefined();
  await replaceable.close();
  for (const store of [first, second]) await store.remove();
});
