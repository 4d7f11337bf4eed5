import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { branchlessBankingAgents } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { fundsOperation } from '../../src/operations/funds/funds-operation.ts';
import { securitiesOperation } from '../../src/operations/securities/securities-operation.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { readFixture } from '../support/fixtures.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore, createTempFolder } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { createQueryWorkspace, FUND, ONLINE, queryOn } from './query-workspace.ts';

const NO_OPERATION = 'there is no operation "corrections/qoutes"';
const { server, query, queryEach, fetchBody } = createQueryWorkspace();

describe('tenor query --csv, --json and --ndjson', () => {
  const lists = [securitiesOperation, fundsOperation].map(({ name, path }) => ({
    name,
    path,
    words: [],
  }));
  const datasets = catalogue.map(({ name, paths: [path], shape }) => ({
    name,
    path,
    words: shape === 'fund' ? [`fund_id=${FUND}`] : [],
  }));

  const others = ['catalogue', 'corrections/quotes', 'vintages/quotes'].map((name) => ({
    name,
    path: `/${name}`,
    words: [],
  }));

  test.each([...datasets, ...lists, ...others])(
    'print the bytes of the API response: $name',
    async ({ name, path, words }) => {
      const target = [path, ...words].join('?');
      const [csv, ndjson, json] = await queryEach(
        [name, ...words, '--csv'],
        [name, ...words, '--ndjson'],
        [name, ...words, '--json'],
      );
      expect(csv).toEqual({ status: 0, err: '', out: await fetchBody(target, 'text/csv') });
      expect(ndjson?.out).toBe(await fetchBody(target, 'application/x-ndjson'));
      expect(json?.out).toBe(`${await fetchBody(target)}\n`);
    },
  );

  test('print a document that is no list', async () => {
    const { out, status } = await query('/openapi.json', '--json');
    expect([status, out]).toEqual([0, `${await fetchBody('/openapi.json')}\n`]);
  });

  test('accept a path with a query, and parameters', async () => {
    const result = await query('/2.0/bnb/quotes?type=bond', 'limit=1', '--csv');
    expect(result.out).toBe(await fetchBody('/2.0/bnb/quote?type=bond&limit=1', 'text/csv'));
    expect(result.out.split('\r\n')).toHaveLength(3);
  });

  test('are also chosen by the parameter format', async () => {
    const target = '/2.0/bnb/quote?type=bond&limit=1';
    const [csv, path, ndjson] = await queryEach(
      ['quotes', 'type=bond', 'limit=1', 'format=csv'],
      ['/2.0/bnb/quote?format=csv&type=bond', 'limit=1', '--csv'],
      ['quotes', 'type=bond', 'limit=1', 'format=ndjson'],
    );
    for (const result of [csv, path]) expect(result?.out).toBe(await fetchBody(target, 'text/csv'));
    expect(ndjson?.out).toBe(await fetchBody(target, 'application/x-ndjson'));
  });

  test('join all pages with --all', async () => {
    const words = ['quotes', 'from=2026-01-01', 'limit=2', '--all'];
    const [csv, ndjson, json, onePage] = await queryEach(
      [...words, '--csv'],
      [...words, '--ndjson'],
      [...words, '--json'],
      ['quotes', 'from=2026-01-01', '--all', '--json'],
    );
    const target = '/2.0/bnb/quote?from=2026-01-01';
    expect(csv).toEqual({ status: 0, err: '', out: await fetchBody(target, 'text/csv') });
    expect(ndjson?.out).toBe(await fetchBody(target, 'application/x-ndjson'));
    expect(json?.out).toBe(`${await fetchBody(target)}\n`);
    expect(onePage?.out).toBe(`${await fetchBody(target)}\n`);
  });

  test('print one page, and a note on what is missing', async () => {
    const words = ['quotes', 'from=2026-01-01', 'limit=2'];
    for (const format of [[], ['--csv'], ['--json'], ['--ndjson']]) {
      const { status, err } = await query(...words, ...format);
      const note = 'showing 2 of 5 records; use --all for all';
      expect({ status, err }).toEqual({ status: 0, err: `tenor: ${note}\n` });
    }
    const { err } = await query('revisions/1', 'limit=1');
    expect(err).toBe('tenor: showing 1 of 5 changes; use --all for all\n');
    for (const target of ['revisions/1', 'revisions']) {
      const { err: note } = await query(target, 'limit=1', '--json');
      expect(note).toBe('tenor: showing one page, and more match; use --all for all\n');
    }
    const pages = await query('revisions/1', 'limit=2', '--all', '--json');
    expect(pages.out).toBe((await query('revisions/1', '--json')).out);
  });

  test('--count prints the number of records', async () => {
    const [many, series, fund] = await queryEach(
      ['quotes', 'from=2026-01-01', 'limit=2', '--count'],
      [ONLINE, '--count'],
      [fundAllocation.name, `fund_id=${FUND}`, '--count'],
    );
    expect(many).toEqual({ status: 0, err: '', out: '5\n' });
    expect([series?.out, fund?.out]).toEqual(['3\n', '1\n']);
  });
});

describe('tenor query rejects', () => {
  const FUND_X = '/3.0/funds/allocation?fund_id=x';

  test.each([
    [['quotes', 'limit=0'], 1, 'parameter "limit" must be a whole number from 1 to 10000, in'],
    [['quotes', 'colour=red'], 1, 'unknown parameter "colour"'],
    [['quotes', 'date=2026-04-08', 'from=2026-04-08'], 1, 'parameter "date" cannot be used'],
    [[ONLINE, 'a\u009b31m=b'], 1, 'unknown parameter "a\\u009b31m"'],
    [['fund-allocation'], 1, 'no fund_id provided'],
    [['fund-allocation', 'fund_id=x', '--csv'], 1, `no_record_found for ${FUND_X}`],
    [['/2.0/bnb/quote/'], 1, 'not_found for /2.0/bnb/quote/'],
    [['/2.0/bnb/quote?type=bond#x'], 1, 'parameter "type" must be one of'],
    [['revisions/99'], 1, 'not_found for /revisions/99'],
    [['/openapi.json'], 1, 'this response is not a table; use --json'],
    [['revisions', '--csv'], 1, '/revisions: the response is not text/csv'],
    [['revisions', '--as-of', '3'], 1, '/revisions does not support --as-of'],
    [['quotes', '--as-of', '99'], 1, 'parameter "as_of" is the number of a revision that does not'],
    [[], 2, 'an OPERATION is required; there are quotes, '],
    [['qoutes'], 2, 'there is no operation "qoutes" (did you mean quotes?); there are quotes, '],
    [
      ['revision'],
      2,
      'there is no operation "revision" (did you mean revisions?); there are quotes, ',
    ],
    [['quotes', 'limit'], 2, '"limit" must be NAME=VALUE'],
    [['quotes', '--csv', '--ndjson'], 2, '--csv and --ndjson cannot be combined'],
    [['quotes', '--csv', 'format=json'], 2, '--csv and format=json cannot be combined'],
    [['quotes', 'format=xlsx'], 2, 'format=xlsx cannot be printed; use --csv, --json or --ndjson'],
    [['quotes', '--width', 'wide'], 2, '--width must be a whole number'],
    [['quotes', 'as_of=1', '--as-of', '1'], 2, '--as-of and as_of=VALUE cannot be combined'],
    [['quotes', '--as-of', 'yesterday'], 2, '--as-of must be a revision'],
    [['quotes', '--token-file', 'x'], 2, '--token-file requires --url or TENOR_URL'],
    [['corrections'], 2, 'corrections requires a dataset: corrections/DATASET, such as'],
    [['corrections', 'dataset=qoutes'], 2, `${NO_OPERATION} (did you mean corrections/quotes?); `],
    [['corrections/qoutes'], 2, `${NO_OPERATION} (did you mean corrections/quotes?); there are `],
    [['events'], 2, 'there is no operation "events"'],
    [['quotes', '--url', 'localhost'], 2, '--url must be the URL of a server'],
    [['quotes', '--url', 'http://a:b@localhost'], 2, '--url must be the URL of a server'],
    [
      ['quotes', '--url', 'http://localhost'],
      2,
      'a token is required: set TENOR_TOKEN or API_TOKEN',
    ],
    [
      ['quotes', '--url', 'http://localhost', '--token-file', '/'],
      2,
      '--token-file / is a folder\n',
    ],
  ])('%j with exit status %d', async (args, status, message) => {
    const result = await query(...args);
    expect(result).toMatchObject({ status, out: '' });
    expect(result.err).toStartWith(`tenor: ${message}`);
    expect(result.err.split('\n')).toHaveLength(2);
  });

  test('an unknown parameter, with the one that may have been meant', async () => {
    const { status, err } = await query('quotes', 'symbl=A');
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: unknown parameter "symbl"; .* \(did you mean symbol\?\)\n$/);
    // Other datasets have this one.
    const changes = await query('changes/fund-allocation', 'since=0', 'fields=date', '--csv');
    expect(changes.err).toStartWith('tenor: unknown parameter "fields"');
    expect(changes.err).not.toContain('did you mean');
  });

  test('before the first start, with what to do', async () => {
    const env = { DATABASE_URL: 'sqlite:/tmp/no-such-folder/t.db' };
    const { status, err } = await runTenor(['query', 'quotes'], env);
    expect(status).toBe(1);
    expect(err).toContain('create one with tenor serve');
    expect(err).toEndWith('to query a running server, set TENOR_URL and TENOR_TOKEN\n');
  });

  test('with --json with the body of the API error', async () => {
    const env = { DATABASE_URL: server.store.url };
    expect(await runTenor(['query', 'fund-allocation', 'fund_id=x', '--json'], env)).toEqual({
      status: 1,
      out: `${await fetchBody(FUND_X)}\n`,
      err: `tenor: no_record_found for ${FUND_X}\n`,
    });
  });
});

test('tenor query --as-of takes a revision, an instant or a day', async () => {
  await using emptyStore = await createStore();
  const publisher = emptyStore.publisher();
  const [first, second, third] = ['2026-01-01', '2026-01-02', '2026-01-05'].map((date) =>
    quote({ date }),
  );
  const noon = '2026-02-01T12:00:00.250Z';
  for (const [record, at] of [
    [first, '2026-01-01T12:00:00.250Z'],
    [second, noon],
    [third, noon],
  ] as const) {
    const change = { dataset: quotes, source: 'test', author: 'test', at: new Date(at) };
    await publishRecords(publisher, { ...change, records: [record] });
  }
  publisher.close();
  const asOf = (when: string, ...args: string[]) =>
    queryOn(emptyStore, 'quotes', '--as-of', when, ...args);
  const cases = [
    ['1', [first]],
    ['2026-01-01T12:00:00.250Z', [first]],
    ['2026-01-31', [first]],
    ['Thu, 01 Jan 2026 12:00:00 GMT', [first]],
    // Both were published at the same instant.
    ['2', [second]],
    ['3', [third]],
    [noon, [third]],
    ['2026-01-01T12:00:00.249Z', []],
    ['0', []],
  ] as const;
  for (const [when, data] of cases) {
    const out = `${JSON.stringify({ status: 'ok', data })}\n`;
    expect({ when, ...(await asOf(when, '--json')) }).toEqual({ when, status: 0, out, err: '' });
  }
  const caption = (await asOf('1')).out.split('\n')[1];
  expect(caption).toBe('1 record · revision 1 of 2026-01-01T12:00:00Z');
  expect((await asOf('2001-01-01')).out).toContain('nothing published by 2001-01-01T23:59:59Z');
});

test('the in-process server throws internal errors instead of sending them', async () => {
  const local = await createInProcessServer(server.store, catalogue);
  local.close();
  await expect(local.get('/2.0/bnb/quote')).rejects.toThrow();
});

test('tenor query knows every operation of the API, and prints changes as a table', async () => {
  for (const operation of [['corrections/quotes'], ['corrections', 'dataset=quotes']]) {
    expect(await query(...operation, '--count')).toMatchObject({ status: 0 });
  }
  const changes = await query('changes', 'dataset=quotes', 'since=0', 'limit=1');
  expect(changes.status).toBe(0);
  expect(changes.out).toMatch(/\n\nchange +date +symbol +isin/);
  const records = await query('changes/quotes', 'since=0', '--all', '--csv');
  expect(records.out).toBe(await fetchBody('/changes/quotes?since=0&limit=10000', 'text/csv'));
});

test.each([
  ['changes', ['since=0']],
  ['corrections', []],
])('tenor query %s --csv ends if the next page has other columns', async (name, filters) => {
  const { name: dataset } = branchlessBankingAgents;
  const withKeys = (key: string) => (record: AnyRecord, index: number) => ({
    ...record,
    provinces: [{ key: `${key}${index}`, value: 1 }],
  });
  const store = await createStore();
  for (const key of ['A', 'B']) {
    const records = readFixture(branchlessBankingAgents).slice(0, 2);
    await store.publish(branchlessBankingAgents, records.map(withKeys(key)));
  }
  const run = (...args: string[]) => queryOn(store, `${name}/${dataset}`, ...filters, ...args);
  const page = await run('limit=1', '--csv');
  expect(page.err).toBe('tenor: showing one page, and more match; use --all for all\n');
  expect(await run('limit=1', '--csv', '--all')).toEqual({
    status: 1,
    out: page.out,
    err: 'tenor: the next page has other columns; use a larger limit, or --ndjson\n',
  });
  const countLines = ({ out }: { out: string }) => out.trimEnd().split('\n').length;
  expect(countLines(await run('--csv', '--all'))).toBe(2 * countLines(page) - 1);
  expect(countLines(await run('limit=1', '--ndjson', '--all'))).toBe(2);
});

describe('tenor query --url', () => {
  const remote = (address: string, token: string, ...args: string[]) =>
    runTenor(['query', ...args, '--url', address], { API_TOKEN: token });

  /** The result of a query of quotes on a server that responds like this. */
  async function queryServer(respond: (request: Request) => Response, ...args: string[]) {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond });
    const address = `http://127.0.0.1:${other.port}`;
    try {
      const { err, ...rest } = await remote(address, 't', 'quotes', ...args);
      const note = `tenor: querying ${address}\n`;
      expect(err).toStartWith(note);
      return { ...rest, err: err.slice(note.length) };
    } finally {
      await other.stop(true);
    }
  }

  test('fails if a server cuts the changes of a revision without a next page', async () => {
    const data = { revision: 7, added: 3, corrected: 0, retired: 0, changes: [{}] };
    const server = Bun.serve({ port: 0, fetch: () => Response.json({ status: 'ok', data }) });
    const address = `http://127.0.0.1:${server.port}`;
    const calls = [['--all'], ['--all', '--json'], ['--json'], ['cursor=x', '--all', '--json']];
    const results = await Promise.all(
      calls.map((args) => remote(address, 't', 'revisions/7', ...args)),
    );
    expect(results.map(({ status }) => status)).toEqual([1, 1, 1, 0]);
    for (const { err } of results.slice(0, 3)) {
      expect(err).toEndWith(
        'tenor: the server sent only 1 of 3 changes, and no link to the others\n',
      );
    }
    await server.stop(true);
  });

  test('fetches all pages of a server, and prints its URL', async () => {
    const words = ['quotes', 'from=2026-01-01', 'limit=2', '--all', '--csv'];
    expect(await remote(`${server.address}/`, TOKEN, ...words)).toEqual({
      status: 0,
      out: (await query(...words)).out,
      err: `tenor: querying ${server.address}\n`,
    });
  });

  test('has its URL and token in TENOR_URL and TENOR_TOKEN too, which options override', async () => {
    const env = { TENOR_URL: server.address, TENOR_TOKEN: TOKEN, API_TOKEN: 'no' };
    const [fromEnvironment, overridden, invalid] = await Promise.all([
      runTenor(['query', 'quotes', '--count'], env),
      runTenor(['query', 'quotes', '--url', 'http://127.0.0.1:1'], env),
      runTenor(['query', 'quotes'], { TENOR_URL: 'localhost' }),
    ]);
    expect(fromEnvironment).toEqual({
      status: 0,
      out: '3\n',
      err: `tenor: querying ${server.address}\n`,
    });
    expect(overridden.err).toContain('cannot reach http://127.0.0.1:1: ');
    expect(invalid.err).toStartWith('tenor: TENOR_URL must be the URL of a server');
  });

  test('fails if a server does not say that a response is as of a revision', async () => {
    const respond = () =>
      new Response('{}\n', { headers: { 'content-type': 'application/x-ndjson' } });
    const { status, out, err } = await queryServer(respond, '--as-of', '3');
    expect([status, out]).toEqual([1, '']);
    expect(err).toBe('tenor: /2.0/bnb/quote does not support --as-of\n');
  });

  test('does not wait longer than a minute for its turn', async () => {
    const headers = { 'retry-after': '61' };
    const { status, err } = await queryServer(() => new Response('', { status: 429, headers }));
    expect([status, err]).toEqual([1, 'tenor: /2.0/bnb/quote was answered with status 429\n']);
  });

  test('reads the database if TENOR_URL is empty', async () => {
    const env = { TENOR_URL: '', DATABASE_URL: server.store.url };
    const result = await runTenor(['query', 'quotes', '--count'], env);
    expect(result).toEqual({ status: 0, out: '3\n', err: '' });
  });

  test('takes the token from a file, or else from API_TOKEN', async () => {
    const folder = createTempFolder();
    const file = join(folder, 'token');
    writeFileSync(file, `${TOKEN}\n`);
    const accepted = await remote(server.address, 'no', 'quotes', '--count', '--token-file', file);
    expect(accepted).toMatchObject({ status: 0, out: '3\n' });
    const rejected = await remote(server.address, 'no', 'quotes', '--count');
    expect(rejected).toMatchObject({ status: 1, out: '' });
    expect(rejected.err).toEndWith('tenor: unauthorized_request for /2.0/bnb/quote\n');
    rmSync(folder, { recursive: true });
  });

  test('reports an unreachable server, and a status without a message', async () => {
    const unreachable = await remote('http://127.0.0.1:1', 't', 'quotes');
    expect(unreachable).toMatchObject({ status: 1, out: '' });
    expect(unreachable.err).toContain('tenor: cannot reach http://127.0.0.1:1: ');
    expect(await queryServer(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))).toEqual({
      status: 1,
      out: '',
      err: 'tenor: /2.0/bnb/quote was answered with status 502\n',
    });
  });

  test('does not follow redirects', async () => {
    const paths: string[] = [];
    const { err } = await queryServer(({ url }) => {
      paths.push(new URL(url).pathname);
      return new Response(null, { status: 302, headers: { Location: '/elsewhere' } });
    });
    expect(err).toBe('tenor: /2.0/bnb/quote was answered with status 302\n');
    expect(paths).toEqual(['/2.0/bnb/quote']);
  });

  test('waits for Retry-After when it is rate limited', async () => {
    let count = 0;
    const body = { status: 'error', message: 'too_many_requests' };
    const respond = () => {
      if (count++ > 0) return Response.json({ status: 'ok', data: [] });
      return Response.json(body, { status: 429, headers: { 'Retry-After': '0' } });
    };
    expect(await queryServer(respond, '--json')).toEqual({
      status: 0,
      out: '{"status":"ok","data":[]}\n',
      err: 'tenor: rate limited; retrying in 0 s\n',
    });
  });

  test('prints a note if a revision is published between two pages', async () => {
    const links = '</2.0/bnb/quote>; rel="first", </2.0/bnb/quote?cursor=x>; rel="next"';
    const respond = ({ url }: Request) => {
      const isFirst = !url.includes('cursor=x');
      const headers = new Headers({ 'Tenor-Revision': isFirst ? '7' : '8' });
      if (isFirst) headers.set('Link', links);
      return Response.json({ status: 'ok', data: [isFirst ? 1 : 2] }, { headers });
    };
    expect(await queryServer(respond, '--all', '--json')).toEqual({
      status: 0,
      out: '{"status":"ok","data":[1,2]}\n',
      err: 'tenor: a new revision was published between pages; use --as-of 7 to read one revision\n',
    });
  });
});
