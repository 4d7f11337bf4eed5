import { test } from 'bun:test';
import { createSamplePublications } from '../../scripts/sample/sample-publications.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';
import { getWidgetPath } from '../../src/openbb/widget.ts';
import { OPTION_LISTS } from '../../src/openbb/widget-params.ts';
import { listWidgets } from '../../src/openbb/widgets-json.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { formatRecords, usePinnedTexts } from '../support/pinned-texts.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

// Whole responses over the sample, which is the same on every machine.
const pin = usePinnedTexts('responses.txt');
const FUND = '5a3b0f1e-0000-4000-8000-000000000001';
const DAYS = new Set(['2026-05-29', '2026-06-17', '2026-06-29', '2026-06-30']);
const HEADERS = [
  ...['content-type', 'content-disposition', 'cache-control', 'vary', 'link', 'last-modified'],
  ...['memento-datetime', 'tenor-revision', 'tenor-total-count', 'accept-ranges'],
];
/** How many elements of a long list or lines of a table are kept at its begin and end. */
const [HEAD, TAIL] = [2, 2];

const service = useTestServer(async () => {
  const store = await createStore();
  const publisher = store.publisher();
  for (const publication of createSamplePublications()) {
    const { dataset, records } = publication;
    const kept = records.filter(({ date }) => dataset !== quotes || DAYS.has(String(date)));
    await publishRecords(publisher, { ...publication, records: kept });
  }
  publisher.close();
  return store;
});

const operations = listOperationTargets()
  .filter(({ isEventStream, path }) => !isEventStream && !/tile|checkpoint|proof|keys/.test(path))
  .flatMap(({ target, parameters }) => {
    const known = target.replace(/fund_id=[^&]*/, `fund_id=${FUND}`);
    return 'format' in parameters ? [known, `${known}&format=csv`] : [known];
  });
const SDMX = '/sdmx/2.1';
const targets = [
  ...operations,
  ...['csv', 'json', 'ndjson'].map((format) => `/exports/interbank-offered-rates.${format}`),
  ...['/datasets/net-asset-values', '/widgets.json', '/apps.json', '/live', '/ready'],
  ...listWidgets(catalogue).map(getWidgetPath),
  ...OPTION_LISTS.map(({ path }) => path),
  ...[`${SDMX}/dataflow`, `${SDMX}/structure/TENOR/INTERBANK_OFFERED_RATES?references=all`],
  `${SDMX}/structure/TENOR/IVR_BANKING_ANNUAL_VALUE?references=all&format=json`,
  `${SDMX}/data/IVR_BANKING_ANNUAL_VALUE?lastNObservations=2`,
];

test.each([...new Set(targets)])('pinned (TENOR_PIN=1 writes anew): %s', async (target) => {
  const { status, headers, text } = await fetchRaw(service, target);
  const lines = HEADERS.flatMap((name) =>
    headers.has(name) ? `${name}: ${headers.get(name)}` : [],
  );
  pin(`GET ${target}`, mask(`${status} ${lines.join(' | ')}\n${shorten(text)}`));
});

/** A call of every tool of /mcp that needs no more than this. */
const CALLS: Readonly<Record<string, Record<string, string>>> = {
  describe_datasets: {},
  find_securities: { q: 'pib' },
  get_quotes: { symbol: 'ZZ12TB031226' },
  get_curve: {},
  get_analytics: { symbol: 'Z05PIB151029' },
  get_price: { symbol: 'Z05PIB151029', yield: '11' },
  get_portfolio: { positions: 'Z05PIB151029:1000000' },
  compare_dates: { from: '2026-05-29', to: '2026-06-30' },
  find_funds: {},
  get_fund_allocation: { fund_id: FUND },
  get_series: { dataset: 'payments-market-players' },
  get_aligned: { columns: 'quotes.ytm(symbol=ZZ12TB031226):chg' },
  get_corrections: { dataset: 'quotes' },
  get_vintages: { dataset: 'atm-transactions-quarterly-value' },
  list_revisions: {},
};

test.each(['tools/list', ...Object.keys(CALLS)])(
  'pinned (TENOR_PIN=1 writes anew): %s of /mcp',
  async (name) => {
    const params = { name, arguments: CALLS[name] };
    const { body, headers } =
      name in CALLS ? createMessage('tools/call', params) : createMessage(name);
    const response = await postMessage(service.address, body, headers);
    pin(`POST /mcp ${name}`, mask(shorten(await response.text())));
  },
);

test.each(
  ['arrow', 'parquet', 'xlsx'].flatMap((format) =>
    [
      '/2.0/bnb/quote?',
      '/3.0/alternate/mobile-money-market-share-value?',
      '/2.0/bnb/analytics?',
    ].map((target) => `${target}format=${format}`),
  ),
)('pinned (TENOR_PIN=1 writes anew): the bytes of %s', async (target) => {
  const { bytes } = await fetchRaw(service, target);
  pin(`GET ${target}`, `${bytes.length} bytes, ${Bun.hash(bytes).toString(36)}`);
});

test.each(['/', '/docs', '/embed', '/openapi.json', '/nowhere'])(
  'pinned (TENOR_PIN=1 writes anew): all headers of %s',
  async (target) => {
    const { status, headers } = await fetchRaw(service, target, { accept: 'text/html, */*' });
    for (const name of ['date', 'x-request-id', 'etag', 'content-length', 'last-modified'])
      headers.delete(name);
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
    pin(`headers of ${target}`, mask([String(status), ...lines.toSorted()].join('\n')));
  },
);

test('pinned (TENOR_PIN=1 writes anew): the OpenAPI document, by its parts', () => {
  const { paths, components, ...head } = buildOpenApiDocument(catalogue, '1.2.3') as Document;
  const parts = { ...paths, ...Object.assign({}, ...Object.values(components)), head };
  const hash = (part: unknown) => Bun.hash(JSON.stringify(part)).toString(36);
  const lines = Object.entries(parts).map(([name, part]) => `${name} ${hash(part)}`);
  pin('the parts of /openapi.json', lines.join('\n'));
});

type Document = Readonly<Record<'paths' | 'components', Readonly<Record<string, object>>>>;

/** Without what differs between two runs. */
function mask(text: string): string {
  return text
    .replaceAll(service.address, 'http://server')
    .replaceAll(/"version":"[\d.]+"/g, '"version":"VERSION"')
    .replaceAll(/(cursor(?:=|\\*":\\*"))[\w.-]{20,}/g, '$1CURSOR')
    .replace(/"salt":"\w+"|"salt": "\w+"/, '"salt": "SALT"');
}

/** JSON with a line for each record; of long lists and tables, begin and end. */
function shorten(text: string): string {
  const isJson = /^[[{]/.test(text) && !text.includes('}\n{');
  if (isJson) return formatRecords(shortenValue(JSON.parse(text)));
  if (text.startsWith('<?xml')) return text.trimEnd().replaceAll(/><(?!\/|com:)/g, '>\n<');
  return cut(text.split('\n'), (count) => `… ${count} lines`).join('\n');
}

function shortenValue(value: unknown): unknown {
  if (Array.isArray(value)) return cut(value, (count) => `… ${count}`).map(shortenValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortenValue(one)]));
}

function cut<T>(list: readonly T[], describe: (count: number) => string): (T | string)[] {
  if (list.length <= HEAD + TAIL + 1) return [...list];
  return [...list.slice(0, HEAD), describe(list.length - HEAD - TAIL), ...list.slice(-TAIL)];
}
