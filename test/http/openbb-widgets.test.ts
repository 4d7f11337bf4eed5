import { beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createCorrectionsWidget } from '../../src/openbb/corrections-widget.ts';
import { getWidgetId } from '../../src/openbb/widget.ts';
import { listWidgets } from '../../src/openbb/widgets-json.ts';
import { readFixture } from '../support/fixtures.ts';
import {
  formatWidgetTarget,
  type WidgetColumnEntry,
  type WidgetEntry,
} from '../support/openbb-widgets.ts';
import { buildCorrection } from '../support/publish-at.ts';
import { createFilledStore, createStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const service = useTestServer(async () => {
  const store = await createFilledStore();
  const [first = {}] = readFixture(quotes);
  await store.publish(quotes, [buildCorrection(quotes, first)]);
  return store;
});
const emptyService = useTestServer(createStore);

type Row = Readonly<Record<string, unknown>>;

interface Body {
  readonly data: readonly Row[];
}

let widgets: Readonly<Record<string, WidgetEntry>>;
beforeAll(async () => {
  widgets = await service.getJson('/widgets.json');
});
const findWidget = (id: string) => widgets[id] as WidgetEntry;

const CELL_TYPES = { text: 'string', number: 'number', dateString: 'string' };

function expectColumns(columns: readonly WidgetColumnEntry[], rows: readonly Row[]): void {
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

  test('gives rows with the columns that it declares, by its defaults', async () => {
    const widget = findWidget(id);
    const response = await service.request(formatWidgetTarget(widget));
    expect(response.status).toBe(200);
    expect(response.headers.get('tenor-revision')).not.toBeNull();
    const body = (await response.json()) as Body;
    const rows = body[widget.data.dataKey as 'data'];
    expect(rows.length).toBeGreaterThan(0);
    // Its user chooses the columns.
    if (id === 'openbb_aligned') return expect(Object.keys(rows[0] ?? {})).toContain('period');
    expectColumns(widget.data.table.columnsDefs, rows);
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

  test('has no rows in an empty database', async () => {
    const { [id]: widget } = await emptyService.getJson('/widgets.json');
    const response = await emptyService.request(formatWidgetTarget(widget));
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as Body;
    expect(data).toEqual([]);
  });
});

test('a retired record is a row of the corrections, without a field', () => {
  const { toRows } = createCorrectionsWidget(catalogue);
  const correction = { revision: 2, publishedAt: '2026-07-01T00:00:00Z', change: 'retired' };
  const record = { ...correction, old: quotes.example, new: null };
  const { date, symbol } = quotes.example;
  expect(toRows?.(record, { dataset: quotes.name })).toEqual([
    { ...correction, record: `${date} ${symbol}`, field: null, old: null, new: null },
  ]);
});
