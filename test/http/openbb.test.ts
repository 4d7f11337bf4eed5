import { beforeAll, describe, expect, test } from 'bun:test';
import { couponRates } from '../../src/catalogue/datasets/coupon-rates.ts';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { holidays } from '../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents,
  paymentsMarketPlayers,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { HttpResponse } from '../../src/http/responses/response.ts';
import { getWidgetId } from '../../src/openbb/widget.ts';
import { createTools } from '../../src/operations/mcp/tools/create-tools.ts';
import { createDefaultsReader } from '../../src/operations/openbb/widget-defaults.ts';
import { securitiesOperation } from '../../src/operations/securities/securities-operation.ts';
import { createPrincipal } from '../../src/tokens/principal.ts';
import { readFixture } from '../support/fixtures.ts';
import { formatWidgetTarget, type WidgetEntry } from '../support/openbb-widgets.ts';
import { buildCorrection, publishAt } from '../support/publish-at.ts';
import { createFilledStore, FILLED_DATASETS } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const [{ fund_id: FUND_ID } = {}] = readFixture(fundAllocation);
const secrets = { funds: '', alternate: '' };

const service = useTestServer(async () => {
  const store = await createFilledStore();
  // Quotes are the first dataset, so that their revision is the first, and corrected by the last.
  const [first = {}] = readFixture(quotes);
  await store.publish(quotes, [buildCorrection(quotes, first)]);
  const records = [buildCorrection(funds, funds.example)];
  await publishAt(store, Date.now(), funds, { records, sample: true });
  secrets.funds = await issueSecret(store, ['funds']);
  secrets.alternate = await issueSecret(store, ['alternate']);
  return store;
});

let widgets: Readonly<Record<string, WidgetEntry>>;
beforeAll(async () => {
  widgets = await service.getJson('/widgets.json');
});
const findWidget = (id: string) => widgets[id] as WidgetEntry;

describe('widgets.json', () => {
  test('has a table for each dataset but declarations, holidays and coupon rates', () => {
    const tables = FILLED_DATASETS.filter((each) => each !== holidays && each !== couponRates).map(
      getWidgetId,
    );
    expect(Object.keys(widgets)).toEqual(expect.arrayContaining(tables));
    for (const other of [datasets, holidays, couponRates])
      expect(Object.keys(widgets)).not.toContain(getWidgetId(other));
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

  test('has a chart of each table whose rows are points in time or on the curve, with its columns', () => {
    const charts = Object.entries(widgets).flatMap(([id, { data }]) =>
      data.table.chartView ? [{ id, ...data.table }] : [],
    );
    const ids = charts.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'openbb_curve',
        'openbb_security',
        getWidgetId(paymentsMarketPlayers),
      ]),
    );
    expect(ids).not.toContain(getWidgetId(branchlessBankingAgents));
    for (const { id, chartView, columnsDefs } of charts) {
      const { enabled, chartType = '', cellRangeCols } = chartView ?? {};
      const [axis, ...series] = (cellRangeCols?.[chartType] ?? []).map((name) => {
        const { chartDataType } = columnsDefs.find(({ field }) => field === name) ?? {};
        return chartDataType;
      });
      expect([id, enabled]).toEqual([id, true]);
      expect(['category', 'time']).toContain(axis ?? '');
      expect([id, new Set(series)]).toEqual([id, new Set(['series'])]);
    }
  });

  test('says which figures are made up, and what to beware of', () => {
    expect(findWidget('openbb_funds').source).toEqual(['Tenor: sample data, not real']);
    const { source, description } = findWidget('openbb_quotes');
    expect(source).toEqual(['Tenor']);
    for (const note of quotes.notes) expect(description).toContain(note);
  });

  test('names tools of the MCP server that its dashboard names, which take its parameters', async () => {
    const [{ mcp_servers: servers }] = await service.getJson('/apps.json');
    const [{ name, url, authType }] = servers;
    expect([url, authType]).toEqual([`${service.address}/mcp`, 'token']);
    const tools = new Map(createTools(catalogue).map((tool) => [tool.name, tool]));
    const matches = Object.values(widgets).filter(({ mcp_tool }) => mcp_tool);
    expect(matches).toHaveLength(8);
    for (const { params, mcp_tool } of matches) {
      expect(mcp_tool?.mcp_server).toBe(name);
      const names = Object.keys(tools.get(mcp_tool?.tool_id ?? '')?.parameters ?? {});
      for (const { paramName } of params) expect(names).toContain(paramName);
    }
  });

  test('has the address of the MCP server as the client sees it', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const [{ mcp_servers: servers }] = await service.getJson('/apps.json', headers);
    expect(servers[0].url).toBe(`${service.address.replace('http:', 'https:')}/mcp`);
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
    expect(groups.map(({ paramName }) => paramName)).toEqual(['date', 'symbol', 'as_of']);
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
    const security = findWidget('openbb_security');
    const response = await service.request(formatWidgetTarget(security, asOf));
    expect(response.headers.get('tenor-revision')).toBe('1');
    expect(response.headers.get('cache-control')).toContain('immutable');
    const memento = response.headers.get('memento-datetime') ?? '';
    expect(new Date(memento).getTime()).toBeGreaterThan(0);
    const early = { 'accept-datetime': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    expect((await service.getJson('/openbb/security', early)).data).toEqual([]);
    expect(await service.getJson('/openbb/options/securities', early)).toEqual([]);
  });

  test('show by default a security or fund that was there as of the revision', async () => {
    const early = { 'accept-datetime': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    for (const name of ['security', 'fund-allocation']) {
      expect((await service.getJson(`/openbb/${name}`)).data).not.toEqual([]);
      expect((await service.getJson(`/openbb/${name}`, early)).data).toEqual([]);
    }
    const beforeFunds = await service.request('/openbb/fund-allocation?as_of=1');
    expect(beforeFunds.headers.get('cache-control')).toContain('immutable');
    expect(beforeFunds.headers.get('link')).not.toContain(`fund_id=${FUND_ID}`);
  });

  test('do not have a revision that does not exist', async () => {
    const target = formatWidgetTarget(findWidget('openbb_curve'), { as_of: '999' });
    const response = await service.request(target);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain('"as_of"');
  });

  test('are not sent again while they are not modified', async () => {
    const target = formatWidgetTarget(findWidget('openbb_fund-allocation'));
    const etag = (await service.request(target)).headers.get('etag') ?? '';
    expect((await service.request(target, { 'if-none-match': etag })).status).toBe(304);
  });

  test('show a series from its oldest period on, as charts are read', async () => {
    const series = findWidget(getWidgetId(paymentsMarketPlayers));
    const { data } = await service.getJson(formatWidgetTarget(series));
    const { data: records } = await service.getJson(paymentsMarketPlayers.paths[0]);
    expect(data).toEqual(records.toReversed());
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

test('the symbol that widgets begin with is of fixed interest, quoted last and for the longest time', async () => {
  const security = {
    couponRate: 10,
    floating: null,
    firstDate: '2026-01-02',
    lastDate: '2026-06-30',
  };
  const findDefault = async (securities: Readonly<Record<string, object>>) => {
    const listed = Object.entries(securities).map(([symbol, differing]) => ({
      symbol,
      ...security,
      ...differing,
    }));
    const respondToTarget = async (target: string): Promise<HttpResponse> => ({
      status: 200,
      body: JSON.stringify({ data: target.includes('securities') ? listed : [] }),
      headers: new Headers(),
      revision: 1,
    });
    return (await createDefaultsReader([])(createPrincipal('t'), respondToTarget)).symbol;
  };
  const older = { firstDate: '2020-01-02' };
  expect(
    await findDefault({
      FLOATER: { ...older, floating: true },
      BILL: { ...older, couponRate: null },
      GONE: { ...older, lastDate: '2026-06-29' },
      NEVER: { ...older, lastDate: null },
      NEWER: {},
      BOND: { firstDate: '2026-01-01' },
    }),
  ).toBe('BOND');
  expect(await findDefault({ FLOATER: { floating: true } })).toBe('FLOATER');
  expect(await findDefault({})).toBeUndefined();
});
