import { beforeAll, describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';
import { declareKibor, kibor } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { RECORDED_NAME, recordInheritedLookups } from '../support/inherited-names.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { formatWidgetTarget, type WidgetEntry } from '../support/openbb-widgets.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const service = useTestServer(async () => {
  const store = await createFilledStore();
  await declareKibor(store);
  return store;
});

// The last one is found wherever any name is looked up; the first are what objects have besides.
const NAMES = ['__proto__', 'constructor', RECORDED_NAME];
const [fund = {}] = readFixture(fundAllocation);

interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Endpoint {
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
}

const endpoints: readonly Endpoint[] = listEndpoints();

function listEndpoints(): Endpoint[] {
  const document = buildOpenApiDocument([...catalogue, kibor], '1.2.3') as {
    readonly paths: Readonly<Record<string, { get?: Omit<Endpoint, 'path'> }>>;
  };
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    // Streams of events never end, and documents take no parameters.
    get && path !== '/events' ? [{ path, parameters: get.parameters ?? [] }] : [],
  );
}

/** A target of an endpoint, with an example of what it needs. */
function formatTarget(
  { path, parameters }: Endpoint,
  chosen: Readonly<Record<string, string>> = {},
): string {
  const values = new Map(
    parameters
      .filter(({ required }) => required)
      .map(({ name, example }) => [name, name === 'fund_id' ? String(fund.fund_id) : `${example}`]),
  );
  for (const [name, value] of Object.entries(chosen)) values.set(name, value);
  const inPath = new Set(parameters.filter((each) => each.in === 'path').map(({ name }) => name));
  const query = [...values].filter(([name]) => !inPath.has(name));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => values.get(name) ?? name);
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

/** What a response is, if it is neither an error of the request nor a result without records. */
async function describeOther(target: string): Promise<string | undefined> {
  const response = await service.request(target);
  const text = await response.text();
  if ([400, 404].includes(response.status)) return undefined;
  const body = response.status === 200 && JSON.parse(text);
  const isEmpty = body.status === 'error' || (Array.isArray(body.data) && body.data.length === 0);
  return isEmpty ? undefined : `${target}: ${response.status} ${text.slice(0, 80)}`;
}

describe('a name that every object inherits', () => {
  test('is recorded if it is looked up in an object that does not have it', async () => {
    const table: Readonly<Record<string, number>> = { own: 1 };
    const lookUp = async (name: string) => expect(table[name]).toBe(table.own && undefined);
    expect(await recordInheritedLookups(() => lookUp(RECORDED_NAME))).toHaveLength(1);
    expect(await recordInheritedLookups(() => lookUp('other'))).toEqual([]);
    expect(RECORDED_NAME in table).toBe(false);
  });

  test('is listed with every parameter of the operations of the service', () => {
    const paths = endpoints.map(({ path }) => path);
    for (const { shape, paths: own } of catalogue)
      if (shape !== 'reference') expect(paths).toEqual(expect.arrayContaining([...own]));
    expect(paths).toContain('/2.0/bnb/analytics');
    expect(paths).toContain('/datasets/kibor');
    expect(endpoints.flatMap(({ parameters }) => parameters).length).toBeGreaterThan(200);
  });

  test('is an invalid value of a parameter, or one that no record has', async () => {
    const places = await recordInheritedLookups(async () => {
      for (const endpoint of endpoints)
        for (const { name } of endpoint.parameters.filter((each) => each.in !== 'header'))
          for (const value of NAMES)
            expect(await describeOther(formatTarget(endpoint, { [name]: value }))).toBeUndefined();
    });
    expect(places).toEqual([]);
  });

  test('is an unknown parameter, and an unknown path', async () => {
    const places = await recordInheritedLookups(async () => {
      for (const name of NAMES) {
        expect((await service.request(`/${name}`)).status).toBe(404);
        for (const endpoint of endpoints.filter(({ parameters }) => parameters.length > 0)) {
          const target = formatTarget(endpoint);
          const separator = target.includes('?') ? '&' : '?';
          const { status } = await service.request(`${target}${separator}${name}=1`);
          if (status !== 404) expect([target, name, status]).toEqual([target, name, 400]);
        }
      }
    });
    expect(places).toEqual([]);
  });
});

describe('a name that every object inherits, in OpenBB Workspace', () => {
  let widgets: readonly WidgetEntry[];
  beforeAll(async () => {
    widgets = Object.values(await service.getJson('/widgets.json'));
  });

  test('is an invalid value of a parameter of a widget, or one without rows', async () => {
    expect(widgets.length).toBeGreaterThan(20);
    const places = await recordInheritedLookups(async () => {
      for (const widget of widgets) {
        const usual = await (await service.request(formatWidgetTarget(widget))).text();
        for (const { paramName } of [...widget.params, { paramName: 'theme' }])
          for (const value of NAMES) {
            const target = formatWidgetTarget(widget, { [paramName]: value });
            const response = await service.request(target);
            if (response.status !== 200) expect([target, response.status]).toEqual([target, 400]);
            // The board shows all securities, whichever is selected.
            if (widget.endpoint === 'openbb/board' && paramName === 'symbol') continue;
            const isUsual = (await response.text()) === usual;
            expect([target, isUsual && hasRows(usual)]).toEqual([target, false]);
          }
      }
    });
    expect(places).toEqual([]);
  });

  const hasRows = (text: string) => !/^(?:\[\]|\{"status":"ok","data":\[\]\})$/.test(text);
});

test('a name that every object inherits is an invalid argument, dimension or tool of MCP', async () => {
  const send = async (method: string, params: object = {}) => {
    const { body, headers } = createMessage(method, { ...params });
    const response = await postMessage(service.address, body, headers);
    return (await response.json()) as McpResponse;
  };
  /** What is neither an error nor empty. */
  const call = async (name: string, sent: object) => {
    const { error, result } = await send('tools/call', { name, arguments: sent });
    const data = result?.structuredContent?.data;
    const isEmpty = Array.isArray(data) && data.length === 0;
    return error?.code === -32602 || result?.isError || isEmpty ? undefined : [sent, error, data];
  };
  const { tools = [] } = (await send('tools/list')).result ?? {};
  expect(tools.length).toBeGreaterThan(10);
  expect(await call('get_series', { dataset: 'kibor' })).toBeDefined();
  const places = await recordInheritedLookups(async () => {
    for (const value of NAMES) {
      expect(await call(value, {})).toBeUndefined();
      const dimensions = Object.fromEntries([[value, ['1M']]]);
      expect(await call('get_series', { dataset: 'kibor', dimensions })).toBeUndefined();
      for (const { name, inputSchema } of tools) {
        const { required = [], properties } = inputSchema;
        const needed = required.map((each) => [each, NEEDED[each]] as const);
        for (const sent of [...Object.keys(properties).map((each) => [each, value]), [value, '1']])
          expect(await call(name, Object.fromEntries([...needed, sent]))).toBeUndefined();
      }
    }
  });
  expect(places).toEqual([]);
}, 60_000);

interface McpResponse {
  readonly error?: { readonly code: number };
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly data?: unknown };
    readonly tools?: readonly {
      readonly name: string;
      readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] };
    }[];
  };
}

/** An argument that a tool needs. */
const NEEDED: Readonly<Record<string, string>> = {
  dataset: 'kibor',
  fund_id: String(fund.fund_id),
  from: '2026-04-07',
  to: '2026-04-08',
  columns: 'kibor.bid(tenor=1M)',
};
