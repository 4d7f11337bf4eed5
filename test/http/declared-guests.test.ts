import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { checkLinkTarget } from '../../src/cli/link-target.ts';
import { issueLink } from '../../src/tokens/issue-token.ts';
import {
  KIBOR_AT,
  KIBOR_DECLARED_AT,
  KIBOR_RECORDS,
  KIBOR_RETIRED_AT,
  startDeclaringServer,
} from '../support/declared-rates.ts';
import { connectMcpClient, PROTOCOL_VERSIONS } from '../support/mcp-client.ts';
import type { WidgetEntry } from '../support/openbb-widgets.ts';
import { issueSecret } from '../support/use-test-server.ts';

let server: Awaited<ReturnType<typeof startDeclaringServer>>;
/** Tokens with the scope of the declaration alone, and with all others that there are. */
let declaredToken: string;
let builtInToken: string;
beforeAll(async () => {
  server = await startDeclaringServer(async (store) => {
    declaredToken = await issueSecret(store, ['datasets']);
    builtInToken = await issueSecret(store, SCOPES);
  });
});
afterAll(() => server.stop());

let mcp: Client;
afterAll(() => mcp.close());

/** The structured content of a result, or the text of an error. */
async function call(name: string, values: Record<string, unknown>, client = mcp) {
  const { isError, content, structuredContent } = await client.callTool({
    name,
    arguments: values,
  });
  if (isError) return (content as { text: string }[])[0]?.text ?? '';
  return structuredContent as Record<string, unknown> & { readonly next: object | null };
}
const getSeries = (values: object, client?: Client) =>
  call('get_series', { dataset: 'kibor', ...values }, client);
const ofTenor = (tenor: string) => KIBOR_RECORDS.filter((record) => record.tenor === tenor);

let openApiTag = '';
const links: Record<string, string> = {};

async function issue(terms: { target: string; scopes: readonly string[] }): Promise<string> {
  const tokens = server.store.tokens();
  const { secret } = await issueLink(tokens, { name: 'x', rate: null, expiresAt: null, ...terms });
  tokens.close();
  return `/links/${secret}`;
}

test('/openapi.json and a new link know nothing of a dataset before it is declared', async () => {
  const response = await server.get('/openapi.json');
  openApiTag = response.headers.get('ETag') ?? '';
  expect(await response.text()).not.toContain('kibor');
  await expect(checkLinkTarget(server.store, '/datasets/kibor')).rejects.toThrow(
    'there is no data at "/datasets/kibor"',
  );
});

test('the tools of /mcp know nothing of a dataset before it is declared', async () => {
  mcp = await connectMcpClient(server.address, PROTOCOL_VERSIONS[0]);
  expect(await getSeries({})).toStartWith('argument "dataset" must be one of atm-');
  expect(JSON.stringify(await mcp.listTools())).not.toContain('kibor');
});

describe('once a dataset is declared', () => {
  beforeAll(() => server.declare());

  test('/openapi.json has it for a client that has the document of before', async () => {
    const response = await server.get('/openapi.json', '', { 'If-None-Match': openApiTag });
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-cache']);
    expect(await response.json()).toHaveProperty(['paths', '/datasets/kibor']);
  });

  test('a link gives it, with its scope', async () => {
    const target = '/datasets/kibor?tenor=6M&limit=10';
    const { scopes, notes } = await checkLinkTarget(server.store, target);
    expect([scopes, notes]).toEqual([['datasets'], []]);
    const rejection = checkLinkTarget(server.store, '/datasets/kibro');
    await expect(rejection).rejects.toThrow('(did you mean /datasets/kibor?)');
    for (const [name, asOf] of [['now'], ['then', `&as_of=${KIBOR_AT}`]] as const)
      links[name] = await issue({ target: `${target}${asOf ?? ''}`, scopes });
    for (const link of Object.values(links)) {
      const response = await server.get(link, '');
      expect(await response.json()).toEqual({ status: 'ok', data: ofTenor('6M') });
    }
  });

  test('the list of tools names it, and is not to be kept', async () => {
    const result = await mcp.listTools();
    expect(JSON.stringify(result)).toContain('kibor');
    expect(result).toMatchObject({ ttlMs: 0 });
  });

  test('describe_datasets lists it, and describes its dimensions', async () => {
    const { data } = Object(await call('describe_datasets', {}));
    expect(data).toContainEqual(expect.objectContaining({ name: 'kibor', tool: 'get_series' }));
    expect(await call('describe_datasets', { dataset: 'kibor' })).toMatchObject({
      units: { bid: 'percent', offer: 'percent' },
      data: [{ name: 'kibor', dimensions: [{ field: 'tenor', codes: { '6M': 'six months' } }] }],
    });
  });

  test('get_series reads it by periods and dimensions, each as a value or a list', async () => {
    expect(await getSeries({})).toMatchObject({
      data: KIBOR_RECORDS,
      units: { bid: 'percent' },
      next: null,
      address: `${server.address}/datasets/kibor?limit=40&as_of=${KIBOR_AT}`,
    });
    for (const tenor of ['6M', ['6M']])
      expect(await getSeries({ dimensions: { tenor } })).toMatchObject({ data: ofTenor('6M') });
    const both = { dimensions: { tenor: ['6M', '1M'] }, from: '2026-06-02', to: '2026-06-02' };
    expect(await getSeries(both)).toMatchObject({ data: KIBOR_RECORDS.slice(2, 4) });
  });

  test('get_series leads to all of it by next, whose arguments are valid', async () => {
    const read: unknown[] = [];
    let next: object | null = { dimensions: { tenor: ['1M'] }, limit: 2 };
    while (next) {
      const page: { data: unknown[]; next: object | null } = Object(await getSeries(next));
      read.push(...page.data);
      ({ next } = page);
      if (next) expect(next).toMatchObject({ dimensions: { tenor: ['1M'] }, limit: 2 });
    }
    expect(read).toEqual(ofTenor('1M'));
  });

  test.each([
    [{ dimensions: { bank: 'A' } }, 'unknown dimension "bank" of kibor; allowed: tenor'],
    [{ dimensions: { tenor: [] } }, 'argument "dimensions" must be an object of names'],
    [{ dimensions: { tenor: '\ud800' } }, 'argument "dimensions" must be an object of names'],
    [{ dimensions: { tenor: [['6M']] } }, 'argument "dimensions" must be an object of names'],
    [{ dimensions: ['6M'] }, 'argument "dimensions" must be an object of names'],
    [{ dimensions: 'tenor' }, 'argument "dimensions" must be an object of names'],
    [{ from: 'June' }, 'parameter "from" must be'],
    [{ tenor: '6M' }, 'unknown argument "tenor"; allowed: dataset, from, to, dimensions'],
    [{ dataset: 'kibro' }, 'argument "dataset" must be one of atm-'],
  ])('get_series with %p gives the model an error to read', async (values, message) => {
    expect(await getSeries(values)).toStartWith(message);
  });

  test('get_series refuses a dimension of a series that has none', async () => {
    const values = { dataset: 'payments-market-players', dimensions: { tenor: '6M' } };
    expect(await getSeries(values)).toContain('none is taken here');
  });

  test('the tools read it with its scope alone', async () => {
    const [declared, builtIn] = await Promise.all(
      [declaredToken, builtInToken].map((token) =>
        connectMcpClient(server.address, PROTOCOL_VERSIONS[0], token),
      ),
    );
    expect(await getSeries({}, declared)).toMatchObject({ data: KIBOR_RECORDS });
    expect(await call('get_quotes', {}, declared)).toStartWith('forbidden');
    expect(await getSeries({}, builtIn)).toStartWith('forbidden');
    expect(await call('describe_datasets', { dataset: 'kibor' }, builtIn)).toStartWith('forbidden');
    for (const client of [declared, builtIn]) await client?.close();
  });
});

describe('OpenBB Workspace', () => {
  const getJson = async (target: string, token?: string) =>
    JSON.parse(await (await server.get(target, token)).text());

  test('has a table of it, with codes of dimensions to choose from', async () => {
    const widgets: Record<string, WidgetEntry> = await getJson('/widgets.json');
    const { openbb_datasets_kibor: table } = widgets;
    expect(table).toMatchObject({ type: 'table', category: 'Datasets', source: ['Tenor'] });
    const names = (widget?: WidgetEntry) => widget?.params.map(({ paramName }) => paramName);
    expect(names(table)).toEqual([
      ...['from', 'to', 'tenor', 'limit', 'frequency', 'year_start', 'aggregate', 'min_share'],
      ...['partial', 'units', 'as_of'],
    ]);
    expect(table?.params[0]).toMatchObject({ type: 'date', value: null });
    expect(table?.params[2]).toMatchObject({
      multiSelect: true,
      options: [
        { label: '1M: one month', value: '1M' },
        { label: '6M: six months', value: '6M' },
      ],
    });
  });

  test('shows its rows', async () => {
    const table = await getJson('/openbb/datasets/kibor?tenor=1M&limit=2');
    expect(table).toEqual({ status: 'ok', data: ofTenor('1M').slice(0, 2) });
  });

  test('has a tab of its tables, and none of it for a token without its scope', async () => {
    const [app] = await getJson('/apps.json', declaredToken);
    expect(Object.keys(app.tabs)).toEqual(['datasets', 'corrections']);
    expect(JSON.stringify(await getJson('/apps.json', builtInToken))).not.toContain('kibor');
    expect(JSON.stringify(await getJson('/widgets.json', builtInToken))).not.toContain('kibor');
    const statuses = [declaredToken, builtInToken].map(
      async (token) => (await server.get('/openbb/datasets/kibor', token)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 403]);
  });
});

test('once it is retired, tools read it as of the revisions that had it, and finish what was begun', async () => {
  const { next } = Object(await getSeries({ limit: 2 }));
  await server.retire();
  expect(JSON.stringify(await mcp.listTools())).not.toContain('kibor');
  expect(await (await server.get('/widgets.json')).text()).not.toContain('kibor');
  expect(await getSeries({})).toStartWith('argument "dataset" must be one of atm-');
  expect(await getSeries({ as_of: KIBOR_AT })).toMatchObject({ data: KIBOR_RECORDS });
  expect(await getSeries(next)).toMatchObject({ data: KIBOR_RECORDS.slice(2, 4) });
});

test('once it is retired, links give what it was as of the revisions that had it', async () => {
  const target = `/datasets/kibor?limit=10&as_of=${KIBOR_AT}`;
  expect(await checkLinkTarget(server.store, target)).toEqual({ scopes: ['datasets'], notes: [] });
  const statuses = Object.values(links).map(async (link) => (await server.get(link, '')).status);
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

test('the ledger has its revisions, declared and retired, for those who may read them', async () => {
  const listRevisions = async (token?: string) => {
    const { data } = JSON.parse(await (await server.get('/revisions', token)).text());
    return data.map((each: Record<string, unknown>) => `${each.revision} ${each.dataset}`);
  };
  const declarations = [`${KIBOR_RETIRED_AT} datasets`, `${KIBOR_DECLARED_AT} datasets`];
  const records = [`${KIBOR_RETIRED_AT - 1} kibor`, `${KIBOR_AT} kibor`];
  const sort = (list: readonly string[]) => list.toSorted().toReversed();
  expect(await listRevisions()).toEqual(sort([...declarations, ...records, '1 quotes']));
  expect(await listRevisions(declaredToken)).toEqual(sort([...declarations, ...records]));
  expect(await listRevisions(builtInToken)).toEqual(sort([...declarations, '1 quotes']));
  const getStatuses = (target: string) =>
    Promise.all(
      [declaredToken, builtInToken].map(async (token) => (await server.get(target, token)).status),
    );
  expect(await getStatuses(`/revisions/${KIBOR_AT}`)).toEqual([200, 403]);
  expect(await getStatuses(`/revisions/${KIBOR_DECLARED_AT}`)).toEqual([200, 200]);
  expect(await getStatuses('/revisions?dataset=kibor')).toEqual([200, 403]);
  const { data } = JSON.parse(await (await server.get(`/revisions/${KIBOR_AT}`)).text());
  expect(data.changes).toHaveLength(KIBOR_RECORDS.length);
});
