import { beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { securitiesOperation } from '../../src/catalogue/operations/discovery.ts';
import { listWidgets } from '../../src/openbb/list-widgets.ts';
import { getWidgetId } from '../../src/openbb/widget.ts';
import { readFixture } from '../support/fixtures.ts';
import { buildCorrection } from '../support/publish-at.ts';
import { createFilledStore, createStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const secrets = { funds: '', alternate: '' };

const service = useTestServer(async () => {
  const store = await createFilledStore();
  // Quotes are the first dataset, so that their revision is the first, and corrected by the last.
  const [first = {}] = readFixture(quotes);
  await store.publish(quotes, [buildCorrection(quotes, first)]);
  secrets.funds = await issueSecret(store, ['funds']);
  secrets.alternate = await issueSecret(store, ['alternate']);
  return store;
});
const emptyService = useTestServer(createStore);

interface Param {
  readonly paramName: string;
  readonly type: string;
  readonly value: string | number | null;
  readonly options?: readonly { readonly value: string }[];
  readonly optionsEndpoint?: string;
}

interface Column {
  readonly field: string;
  readonly cellDataType: 'text' | 'number' | 'dateString';
}

interface WidgetEntry {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly type: 'chart' | 'table';
  readonly endpoint: string;
  readonly params: readonly Param[];
  readonly data?: { readonly dataKey: string; readonly table: { readonly columnsDefs: Column[] } };
}

type Row = Readonly<Record<string, unknown>>;

/** Rows of a table, or traces and layout of a figure. */
interface Body {
  readonly data: readonly Row[];
  readonly layout?: {
    readonly paper_bgcolor: string;
    readonly annotations?: readonly { readonly text: string }[];
  };
}

let widgets: Readonly<Record<string, WidgetEntry>>;
beforeAll(async () => {
  widgets = await service.getJson('/widgets.json');
});
const findWidget = (id: string) => widgets[id] as WidgetEntry;

/** The target as Workspace asks for it: a parameter that is not chosen is empty. */
function formatWidgetTarget(
  { endpoint, params }: WidgetEntry,
  chosen: Record<string, string> = {},
) {
  const values = params.map(({ paramName, value }) => [paramName, String(value ?? '')]);
  const query = { ...Object.fromEntries(values), theme: 'dark', ...chosen };
  return `/${endpoint}?${new URLSearchParams(query)}`;
}

const CELL_TYPES = { text: 'string', number: 'number', dateString: 'string' };

function expectColumns(columns: readonly Column[], rows: readonly Row[]): void {
  const fields = columns.map(({ field }) => field).toSorted();
  expect(fields.filter((field) => field.includes('.'))).toEqual([]);
  for (const row of rows) {
    expect(Object.keys(row).toSorted()).toEqual(fields);
    for (const { field, cellDataType } of columns) {
      const value = row[field] ?? null;
      if (value !== null) expect([field, typeof value]).toEqual([field, CELL_TYPES[cellDataType]]);
      if (value !== null && cellDataType === 'dateString')
        expect(value).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  }
}

const declared = listWidgets(catalogue).map((widget) => [getWidgetId(widget)] as const);

describe.each(declared)('the widget %s', (id) => {
  test('is declared as Workspace requires', () => {
    const widget = findWidget(id);
    for (const key of ['name', 'description', 'category'] as const)
      expect(widget[key]).not.toBe('');
    expect(id).toBe(widget.endpoint.replaceAll('/', '_'));
    expect(widget.params.map(({ paramName }) => paramName)).toContain('as_of');
    for (const { optionsEndpoint } of widget.params.filter(({ type }) => type === 'endpoint'))
      expect(optionsEndpoint).toMatch(/^openbb\/options\//);
  });

  test('gives what it declares by its defaults: rows with its columns, or a figure and its rows', async () => {
    const widget = findWidget(id);
    const response = await service.request(formatWidgetTarget(widget));
    expect(response.status).toBe(200);
    expect(response.headers.get('tenor-revision')).not.toBeNull();
    const body = (await response.json()) as Body;
    if (widget.data) {
      const rows = body[widget.data.dataKey as 'data'];
      expect(rows.length).toBeGreaterThan(0);
      return expectColumns(widget.data.table.columnsDefs, rows);
    }
    expect(body.layout?.paper_bgcolor).toBe('#151518');
    const light = await service.getJson(formatWidgetTarget(widget, { theme: 'light' }));
    expect(light.layout.paper_bgcolor).toBe('#FFFFFF');
    for (const { x, y } of body.data) expect(x).toHaveLength(Number((y as unknown[]).length));
    const rows: Row[] = await service.getJson(formatWidgetTarget(widget, { raw: 'true' }));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flatMap(Object.values).some((value) => typeof value === 'object' && value)).toBe(
      false,
    );
  });

  test('rejects what is unknown or invalid, naming the parameter', async () => {
    const widget = findWidget(id);
    const expectRejected = async (name: string, value: string) => {
      const response = await service.request(formatWidgetTarget(widget, { [name]: value }));
      expect([name, response.status]).toEqual([name, 400]);
      expect(await errorMessage(response)).toContain(`"${name}"`);
    };
    await expectRejected('colour', 'red');
    await expectRejected('theme', 'red');
    await expectRejected('as_of', 'yesterday');
    const checked = widget.params.filter(({ type, options }) => options || type !== 'text');
    for (const { paramName } of checked.filter(({ type }) => type !== 'endpoint'))
      await expectRejected(paramName, 'nonsense');
  });

  test('has no rows, or a figure without data, in an empty database', async () => {
    const { [id]: widget } = await emptyService.getJson('/widgets.json');
    const response = await emptyService.request(formatWidgetTarget(widget));
    expect(response.status).toBe(200);
    const { data, layout } = (await response.json()) as Body;
    expect(data).toEqual([]);
    if (layout) expect(layout.annotations?.[0]?.text).toBe('No data');
  });
});

describe('widgets.json', () => {
  test('has a table for each dataset, and a chart for each that has one', () => {
    const tables = catalogue.map(getWidgetId);
    const charts = catalogue
      .filter(({ chart }) => chart)
      .map((each) => `${getWidgetId(each)}-chart`);
    expect(Object.keys(widgets)).toEqual(expect.arrayContaining([...tables, ...charts]));
  });

  test('has only what the scopes of the token allow, and its endpoints refuse the rest', async () => {
    const headers = { authorization: `Bearer ${secrets.alternate}` };
    const readable = await service.getJson('/widgets.json', headers);
    const dataset = readable.openbb_corrections.params[0];
    const allowed = catalogue.filter(({ scope }) => scope === 'alternate').map(({ name }) => name);
    expect(dataset.options.map(({ value }: { value: string }) => value)).toEqual(allowed);
    for (const [id, widget] of Object.entries(widgets)) {
      const { status } = await service.request(`/${widget.endpoint}`, headers);
      expect([id, status]).toEqual([id, id in readable ? 200 : 403]);
    }
    expect((await service.request('/openbb/options/funds', headers)).status).toBe(403);
  });

  test('needs a token, as everything that it names does', async () => {
    for (const path of ['/widgets.json', '/apps.json', '/openbb/quotes', '/openbb/options/funds'])
      expect((await service.request(path, { authorization: '' })).status).toBe(401);
  });
});

describe('apps.json', () => {
  test('has a dashboard of existing widgets that do not overlap, and share what they have', async () => {
    const [app] = await service.getJson('/apps.json');
    const items = Object.values<{
      layout: { i: string; x: number; y: number; w: number; h: number }[];
    }>(app.tabs).map(({ layout }) => layout);
    expect(Object.keys(app.tabs)).toEqual([
      'market',
      'security',
      'funds',
      'payments',
      'corrections',
    ]);
    for (const layout of items) {
      const cells = layout.flatMap(({ x, y, w, h }) =>
        Array.from(
          { length: w * h },
          (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`,
        ),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(Math.max(...layout.map(({ x, w }) => x + w))).toBeLessThanOrEqual(40);
    }
    const shown = items.flat().map(({ i }) => i);
    expect(shown.filter((id) => !(id in widgets))).toEqual([]);
    const groups: { paramName: string; widgetIds: string[] }[] = app.groups;
    expect(groups.map(({ paramName }) => paramName)).toEqual([
      'date',
      'symbol',
      'fund_id',
      'as_of',
    ]);
    for (const { paramName, widgetIds } of groups) {
      for (const id of widgetIds) {
        expect(shown).toContain(id);
        expect(findWidget(id).params.map((param) => param.paramName)).toContain(paramName);
      }
    }
  });

  test('has the tabs of the scopes of the token', async () => {
    const headers = { authorization: `Bearer ${secrets.funds}` };
    const [app] = await service.getJson('/apps.json', headers);
    expect(Object.keys(app.tabs)).toEqual(['funds', 'corrections']);
  });
});

describe('widgets', () => {
  test('show what the operation gives as of a revision, or of the instant of Accept-Datetime', async () => {
    const asOf = { as_of: '1' };
    const board = await service.getJson(formatWidgetTarget(findWidget('openbb_board'), asOf));
    expect(board).toEqual(await service.getJson('/2.0/bnb/quote?limit=10000&as_of=1'));
    expect(board).not.toEqual(await service.getJson('/2.0/bnb/quote?limit=10000'));
    const chart = findWidget('openbb_quotes-chart');
    const response = await service.request(formatWidgetTarget(chart, asOf));
    expect(response.headers.get('tenor-revision')).toBe('1');
    expect(response.headers.get('cache-control')).toContain('immutable');
    const memento = response.headers.get('memento-datetime') ?? '';
    expect(new Date(memento).getTime()).toBeGreaterThan(0);
    const early = { 'accept-datetime': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    expect((await service.getJson('/openbb/quotes-chart', early)).data).toEqual([]);
    expect(await service.getJson('/openbb/options/securities', early)).toEqual([]);
  });

  test('do not have a revision that does not exist', async () => {
    const target = formatWidgetTarget(findWidget('openbb_curve-chart'), { as_of: '999' });
    const response = await service.request(target);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain('"as_of"');
  });

  test('are not sent again while they are not modified', async () => {
    const target = formatWidgetTarget(findWidget('openbb_fund-allocation-chart'));
    const etag = (await service.request(target)).headers.get('etag') ?? '';
    expect((await service.request(target, { 'if-none-match': etag })).status).toBe(304);
    const light = target.replace('dark', 'light');
    expect((await service.request(light, { 'if-none-match': etag })).status).toBe(200);
  });

  test('show an unknown fund as one without rows', async () => {
    const fund = findWidget('openbb_fund-allocation');
    const body = await service.getJson(formatWidgetTarget(fund, { fund_id: 'nobody' }));
    expect(body).toEqual({ status: 'ok', data: [] });
  });

  test('show each corrected value before and after', async () => {
    const [first = {}] = readFixture(quotes);
    const { data } = await service.getJson(
      formatWidgetTarget(findWidget('openbb_corrections'), { dataset: 'quotes' }),
    );
    const correction = buildCorrection(quotes, first);
    const [field = ''] = Object.keys(first).filter((name) => first[name] !== correction[name]);
    expect(data).toEqual([
      expect.objectContaining({
        record: `${first.date} ${first.symbol}`,
        field,
        old: String(first[field]),
        new: String(correction[field]),
        change: 'corrected',
      }),
    ]);
  });
});

describe('options', () => {
  test('are bare lists of labels and values, one for each security and fund', async () => {
    const options = await service.getJson('/openbb/options/securities?theme=dark&as_of=');
    const { data } = await service.getJson(securitiesOperation.path);
    expect(options.map(({ value }: { value: string }) => value)).toEqual(
      data.map(({ symbol }: { symbol: string }) => symbol),
    );
    const funds = await service.getJson('/openbb/options/funds');
    for (const option of [...options, ...funds]) {
      expect(Object.keys(option)).toEqual(['label', 'value', 'extraInfo']);
      expect(option.label).not.toBe('');
    }
  });
});

describe('what Workspace sends besides', () => {
  test.each(['theme=dark', 'raw=true', 'symbol='])(
    '%s is tolerated under /openbb/ only',
    async (query) => {
      expect((await service.request(`/openbb/quotes?${query}`)).status).toBe(200);
      for (const path of ['/2.0/bnb/quote', '/widgets.json', '/apps.json'])
        expect((await service.request(`${path}?${query}`)).status).toBe(400);
    },
  );

  test.each([
    ['/openbb/quotes', true],
    ['/widgets.json', true],
    ['/apps.json', true],
    ['/2.0/bnb/quote', false],
  ])('a preflight of %s may name any header: %p', async (path, isAllowed) => {
    const requested = 'authorization, x-api-key, x-openbb-user, no name';
    const headers = { authorization: '', 'access-control-request-headers': requested };
    const response = await service.request(path, headers, 'OPTIONS');
    expect(response.status).toBe(204);
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ') ?? [];
    expect(allowed).toContain('Authorization');
    expect(allowed.includes('x-openbb-user')).toBe(isAllowed);
    expect(allowed).not.toContain('no name');
  });
});
