import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import type { PeriodUnit } from '../../src/catalogue/model/period-unit.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { declaredAt, withDeclarations } from '../support/declaring-store.ts';
import { readFixture } from '../support/fixtures.ts';
import { fetchPages, findLink, parseRecords } from '../support/follow-links.ts';
import { createDocumentReader, escapePointer } from '../support/openapi-document.ts';
import { encodeRow } from '../support/publish-at.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { DECODERS, type TableName } from '../tabular/decode-formats.ts';

const TENOR = { field: 'tenor', title: 'Tenor', codes: { '1M': 'one month', '6M': 'six months' } };

const declare = (name: string, kind: PeriodUnit, more: Partial<Declaration> = {}) =>
  createDeclaredDataset({
    name,
    title: name,
    period: { kind, field: 'when' },
    measures: [
      { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate', required: true },
      { field: 'offer', title: 'Offer', unit: 'percent', kind: 'rate' },
    ],
    ...more,
  });
const rates = declare('rates', 'day', {
  dimensions: [
    { ...TENOR, codesStrict: true },
    { field: 'bank', title: 'Bank' },
  ],
});
/** One for each kind of period, and other ways to write one of their periods. */
const DECLARED: readonly (readonly [Dataset, label: string, spellings: readonly string[]])[] = [
  [rates, '2026-01-02', []],
  [declare('weeks', 'week'), '2026-W01', ['2025-12-29', '2026-01-04']],
  [declare('months', 'month', { dimensions: [TENOR] }), 'Jan 2026', ['2026-01', '2026-01-31']],
  [
    declare('quarters', 'quarter', { period: { kind: 'quarter', field: 'when', yearStart: 7 } }),
    'Q3 FY2026',
    ['2026-01-01', '2026-03-31'],
  ],
  [
    declare('years', 'year', { period: { kind: 'year', field: 'when', yearStart: 7 } }),
    'FY2026',
    ['2025-07-01', '2026-06-30'],
  ],
];
const SHIPPED = catalogue.filter(({ shape }) => shape === 'series');
const declared = DECLARED.map(([dataset]) => dataset);
const SERIES = [...SHIPPED, ...declared];
/** The first revision with a record of a declared dataset. */
const DECLARED_AT = SHIPPED.length + 1;
const declarations = declared.map(({ declaration }) =>
  declaredAt(DECLARED_AT, declaration as unknown as Declaration),
);

const findOrdinal = ({ period }: Dataset, record: AnyRecord) =>
  period?.kind.toOrdinal(String(record[period.field])) ?? 0;

/** Fixtures of the ten, or some periods around the turn of the year. */
function listRecords(dataset: Dataset): readonly AnyRecord[] {
  if (SHIPPED.includes(dataset)) return readFixture(dataset);
  const { kind } = dataset.period ?? {};
  const newest = kind?.findOrdinal(parseDay('2026-01-02')) ?? 0;
  const dimensions = dataset.declaration?.dimensions ?? [];
  const tenors = dimensions.length > 0 ? ['6M', '1M'] : [''];
  const banks = dimensions.length > 1 ? ['b', 'B', 'ä b'] : [''];
  return [-1, 1, 0].flatMap((offset) =>
    tenors.flatMap((tenor) =>
      banks.map((bank, index) => ({
        when: kind?.formatLabel(newest + offset),
        ...(tenor && { tenor }),
        ...(bank && { bank }),
        bid: offset + index / 10,
        offer: index === 1 ? null : 2,
      })),
    ),
  );
}

const compareBytes = (a: unknown, b: unknown) =>
  Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

/** The first fixture of each of the ten is provisional. */
function listExpected(dataset: Dataset, sort: 'asc' | 'desc' = 'desc'): AnyRecord[] {
  const direction = sort === 'asc' ? 1 : -1;
  const isShipped = SHIPPED.includes(dataset);
  return listRecords(dataset)
    .map((record, index) => (isShipped ? { ...record, status: index === 0 ? 'P' : 'A' } : record))
    .toSorted(
      (a: AnyRecord, b: AnyRecord) =>
        direction * (findOrdinal(dataset, a) - findOrdinal(dataset, b)) ||
        compareBytes(a.tenor, b.tenor) ||
        compareBytes(a.bank, b.bank),
    );
}

async function publishSeries(store: TestStore): Promise<void> {
  const publisher = store.publisher();
  for (const dataset of SERIES) {
    const rows = listRecords(dataset).map((record, index) =>
      encodeRow(dataset, record, SHIPPED.includes(dataset) && index === 0 ? 'P' : 'A'),
    );
    await publisher.publish({ dataset, source: 'test', author: 'test', rows: [rows] });
  }
  publisher.close();
}

for (const { name: engine, createStore } of ENGINES) {
  describe(`${engine}: /datasets/{name}`, () => {
    let store: TestStore;
    let server: InProcessServer;
    beforeAll(async () => {
      store = await createStore();
      await publishSeries(store);
      const declaring = withDeclarations(store, async (revision) =>
        revision < DECLARED_AT ? NONE_DECLARED : { since: DECLARED_AT, declarations, retired: [] },
      );
      server = await createInProcessServer(declaring, catalogue);
    });
    afterAll(async () => {
      server.close();
      await store.remove();
    });
    const get = (target: string, headers?: Record<string, string>) => server.get(target, headers);
    const getRecords = async (target: string) => parseRecords(await (await get(target)).text());

    describe.each(SERIES.map((dataset) => [dataset.name, dataset] as const))(
      '%s',
      (name, dataset) => {
        const path = `/datasets/${name}`;
        const all = listExpected(dataset);

        test('has all records in pages, in both orders, and says how many there are', async () => {
          for (const sort of ['desc', 'asc'] as const) {
            const pages = await fetchPages(get, `${path}?limit=2&sort=${sort}`);
            expect(pages.flat()).toEqual(listExpected(dataset, sort));
            expect(pages).toHaveLength(Math.ceil(all.length / 2));
          }
          const { headers } = await get(`${path}?limit=1`, { Prefer: 'count=exact' });
          expect(headers.get('Tenor-Total-Count')).toBe(String(all.length));
        });

        test('has the same records in all formats, with the fields that a request names', async () => {
          expect(await (await get(path)).text()).toBe(JSON.stringify({ status: 'ok', data: all }));
          expect(await getRecords(`${path}?format=ndjson`)).toEqual(all);
          const fields = Object.keys(all[0] ?? {}).filter(
            (field) => !Array.isArray(all[0]?.[field]),
          );
          for (const [format, decode] of Object.entries(DECODERS) as [
            TableName,
            typeof DECODERS.csv,
          ][]) {
            const target = `${path}?format=${format}&fields=${fields.toReversed()}`;
            const { names, rows } = await decode(await (await get(target)).bytes());
            expect(names).toEqual(fields);
            expect(rows.map((row) => row.map(String))).toEqual(
              all.map((record) => fields.map((field) => String(record[field]))),
            );
          }
        });

        test('has the records between two periods', async () => {
          const label = String(all[1]?.[dataset.period?.field ?? '']);
          const ordinal = findOrdinal(dataset, all[1] ?? {});
          const select = (isSelected: (ordinal: number) => boolean) =>
            all.filter((record) => isSelected(findOrdinal(dataset, record)));
          const period = encodeURIComponent(label);
          expect(await getRecords(`${path}?from=${period}`)).toEqual(
            select((each) => each >= ordinal),
          );
          expect(await getRecords(`${path}?to=${period}`)).toEqual(
            select((each) => each <= ordinal),
          );
          const only = select((each) => each === ordinal);
          expect(await getRecords(`${path}?from=${period}&to=${period}`)).toEqual(only);
        });

        test('is unknown as of revisions before its declaration, and unchanged by later ones', async () => {
          const isShipped = SHIPPED.includes(dataset);
          expect((await get(`${path}?as_of=${DECLARED_AT - 1}`)).status).toBe(
            isShipped ? 200 : 404,
          );
          const { status, headers } = await get(path);
          const etag = headers.get('ETag') ?? '';
          expect([status, (await get(path, { 'If-None-Match': etag })).status]).toEqual([200, 304]);
          expect(await getRecords(`${path}?as_of=${SERIES.length}`)).toEqual(all);
        });
      },
    );

    test.each(DECLARED.map((each) => [each[0].name, ...each] as const))(
      'takes other spellings of periods of %s',
      async (name, dataset, label, spellings) => {
        const expected = listExpected(dataset).filter(({ when }) => when === label);
        expect(expected).not.toHaveLength(0);
        for (const text of [label, ...spellings]) {
          const period = encodeURIComponent(text);
          const target = `/datasets/${name}?from=${period}&to=${period}`;
          expect([text, await getRecords(target)]).toEqual([text, expected]);
        }
      },
    );

    test('selects by values of dimensions, of which an unknown one matches nothing', async () => {
      const all = listExpected(rates);
      const expectRecords = async (query: string, isSelected: (record: AnyRecord) => boolean) =>
        expect([query, await getRecords(`/datasets/rates?${query}`)]).toEqual([
          query,
          all.filter(isSelected),
        ]);
      await expectRecords('tenor=1M', ({ tenor }) => tenor === '1M');
      await expectRecords('tenor=6M,1M&bank=B', ({ bank }) => bank === 'B');
      await expectRecords('bank=%C3%A4+b,b,b', ({ bank }) => bank !== 'B');
      await expectRecords('bank=x', () => false);
      await expectRecords(
        'bank=x,B&from=2026-01-02',
        ({ bank, when }) => bank === 'B' && String(when) >= '2026-01-02',
      );
      expect(await getRecords('/datasets/months?tenor=9M')).toEqual([]);
    });

    test('stays with the revision of the first page', async () => {
      const first = await get('/datasets/rates?limit=16');
      const next = findLink(first.headers, 'next') ?? '';
      const [oldest = {}] = listExpected(rates, 'asc');
      await store.publish(rates, [{ ...oldest, bid: 99 }]);
      expect(await getRecords(next)).toEqual(listExpected(rates).slice(16));
      expect(JSON.stringify(await getRecords('/datasets/rates?limit=99'))).toContain(':99');
    });
  });
}

describe('a server with declared datasets', () => {
  let store: TestStore;
  let server: InProcessServer;
  beforeAll(async () => {
    store = await (ENGINES[0] as (typeof ENGINES)[number]).createStore();
    await publishSeries(store);
    const declaring = withDeclarations(store, async () => ({
      since: 1,
      declarations,
      retired: [],
    }));
    server = await createInProcessServer(declaring, catalogue);
  });
  afterAll(async () => {
    server.close();
    await store.remove();
  });

  const DAY = 'a day such as 2024-01-31, 2024 or 2024-01 for its first or last day';
  test.each([
    [
      'rates?colour=red',
      'unknown parameter "colour"; allowed: from, to, tenor, bank, limit, cursor, sort, frequency, year_start, aggregate, min_share, partial, units, fields, as_of, format',
    ],
    [
      'weeks?tenor=1M',
      'unknown parameter "tenor"; allowed: from, to, limit, cursor, sort, frequency, year_start, aggregate, min_share, partial, units, fields, as_of, format',
    ],
    ['rates?from=Jan+2026', `parameter "from" must be ${DAY}`],
    ['rates?to=2026-02-30', `parameter "to" must be ${DAY}`],
    [
      'rates?from=',
      `parameter "from" is empty; it must be ${DAY}; with frequency, a period of that as well`,
    ],
    [
      'rates?from=2026-01-01&from=2026-01-01',
      'parameter "from" is given more than once; give it once',
    ],
    [
      'weeks?from=2026-W54',
      'parameter "from" must be a week such as 2024-W05, 2024 or 2024-01 for its first or last week, or a day in it as YYYY-MM-DD',
    ],
    [
      'months?to=2026-13',
      'parameter "to" must be a month such as Jan 2024, 2024-01, 2024 for its first or last month, or a day in it as YYYY-MM-DD',
    ],
    [
      'quarters?to=Q1+2026',
      'parameter "to" must be a quarter such as Q3 FY2024, 2024 or 2024-01 for its first or last quarter, or a day in it as YYYY-MM-DD',
    ],
    [
      'quarters?from=2026-Q1',
      'parameter "from" must be a quarter such as Q3 FY2024, 2024 or 2024-01 for its first or last quarter, or a day in it as YYYY-MM-DD',
    ],
    [
      'years?to=2026',
      'parameter "to" must be a year such as FY2024, a month in it as 2024-01, or a day in it as YYYY-MM-DD',
    ],
    ['months?from=2026-02&to=2026-01-31', 'parameter "from" must not be later than "to"'],
    [
      'rates?tenor=9M',
      'parameter "tenor" must be at most 50 of 1M, 6M, separated by commas, and without space around each; one with a comma in double quotes',
    ],
    [
      'rates?tenor=1M,9M',
      'parameter "tenor" must be at most 50 of 1M, 6M, separated by commas, and without space around each; one with a comma in double quotes',
    ],
    [
      'rates?bank=a,',
      'parameter "bank" must be at most 50 values, separated by commas, and without space around each; one with a comma in double quotes',
    ],
    [
      `rates?bank=${Array.from({ length: 51 })}`,
      'parameter "bank" must be at most 50 values, separated by commas, and without space around each; one with a comma in double quotes',
    ],
    ['rates?sort=up', 'parameter "sort" must be one of desc, asc'],
    [
      'rates?fields=bid',
      'parameter "fields" cannot be used with JSON, which has all fields; give "format" as one of csv, ndjson, arrow, parquet, xlsx',
    ],
    [
      'rates?format=csv&fields=ask',
      'parameter "fields" must be names separated by commas, each once, of when, tenor, bank, bid, offer, observed, expected; "ask" is not one of them',
    ],
    [
      'rates?as_of=999',
      'parameter "as_of" is the number of a revision that does not exist; the newest is 15',
    ],
  ])('rejects %s', async (target, message) => {
    const response = await server.get(`/datasets/${target}`);
    expect([response.status, await errorMessage(response)]).toEqual([400, message]);
  });

  test.each(['nothing', 'quotes', 'securities', 'Rates', 'rates.csv'])(
    'has nothing at the name %s, which no series has',
    async (name) => {
      const response = await server.get(`/datasets/${name}`);
      expect([response.status, await errorMessage(response)]).toEqual([404, 'not_found']);
    },
  );

  test('describes each of them, in pages of the catalogue, as its schema says', async () => {
    const get = (target: string) => server.get(target);
    const [all = []] = await fetchPages(get, '/catalogue');
    expect(all.map(({ name }) => name)).toEqual(
      [...catalogue, ...declared].map(({ name }) => name),
    );
    for (const limit of [7, all.length]) {
      const pages = await fetchPages(get, `/catalogue?limit=${limit}`);
      expect(pages.flat()).toEqual(all);
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    }
    const entry = all.find(({ name }) => name === 'rates');
    expect(entry).toMatchObject({
      path: '/datasets/rates',
      aliases: [],
      key: ['when', 'tenor', 'bank'],
      period: { field: 'when', kind: 'daily' },
      coverage: { first: '2026-01-01', last: '2026-01-03', count: 18 },
    });
    const { isValid } = createDocumentReader(await (await get('/openapi.json')).json());
    expect(isValid(`${getPointer('/catalogue')}/schema`, { status: 'ok', data: all })).toBe(true);
  });

  test('has a path for each of them in the OpenAPI document, which describes its responses', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
    const document: any = await (await server.get('/openapi.json')).json();
    const { isValid } = createDocumentReader(document);
    for (const { name, parameters, example } of declared) {
      const path = `/datasets/${name}`;
      const { operationId, parameters: described } = document.paths[path].get;
      expect(operationId).toBe(`dataset-${name}`);
      const names = described.flatMap((each: { name?: string }) => each.name ?? []);
      expect(names).toEqual(Object.keys(parameters));
      const body = await (await server.get(path)).json();
      for (const value of [body, { status: 'ok', data: [example] }])
        expect([name, isValid(`${getPointer(path)}/schema`, value)]).toEqual([name, true]);
    }
  });

  test('has the key and columns of each of them in the data package', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
    const { resources }: any = await (await server.get('/datapackage.json')).json();
    for (const { name, fields, declaration } of declared) {
      const { path, schema } = resources.find(
        (resource: { name: string }) => resource.name === name,
      );
      expect(path).toBe(`exports/${name}.csv`);
      const dimensions = declaration?.dimensions?.map(({ field }) => field) ?? [];
      expect(schema.primaryKey).toEqual(['when', ...dimensions]);
      const names = schema.fields.map((field: { name: string }) => field.name);
      expect(names).toEqual(Object.keys(fields));
    }
  });
});

const getPointer = (path: string) =>
  `/paths/${escapePointer(path)}/get/responses/200/content/application~1json`;
