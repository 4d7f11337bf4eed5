import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import type { ObservationStatus } from '../../src/catalogue/model/observation-status.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { declareIn } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { DESCRIBED_BY, findLink } from '../support/follow-links.ts';
import { buildCorrection, encodeRow, getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import {
  createStore,
  ENGINES,
  FILLED_DATASETS,
  fillStore,
  type TestStore,
} from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const { closing, removing } = closeAfterEach();

const [early, late] = ['2026-06-01', '2026-06-02'];
const bill = (date: string, lastPrice: number) => quote({ symbol: 'BILL', date, lastPrice });
const bond = (date: string, lastPrice: number) =>
  quote({ symbol: 'BOND', isin: 'ZZ7', type: 'bond', date, lastPrice });
const fund = (fund_id: string) => ({ ...fundAllocation.example, fund_id });
const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

/** Quotes in 1 to 4: a bill is corrected, retired and published again; two funds in 5. */
async function publishFive(store: TestStore): Promise<TestStore> {
  const publish = (revision: number, change: Parameters<typeof publishAt>[3]) =>
    publishAt(store, instant(revision), quotes, change);
  await publish(1, { records: [bill(early, 1), bond(early, 1), bill(late, 1)] });
  await publish(2, { records: [bill(late, 2)] });
  await publish(3, { retiredKeys: [getKey(quotes, bill(late, 2))] });
  await publish(4, { records: [bill(late, 1)] });
  await publishAt(store, instant(5), fundAllocation, { records: [fund('A'), fund('b')] });
  return store;
}

const state = (record: object, since: number, until?: number) => {
  const [published, withdrawn] = [instant(since), until && `"${instant(until)}"`];
  const text = serializeRecord(quotes, { ...record }).slice(0, -1);
  return `${text},"since":${since},"published":"${published}","until":${until ?? null},"withdrawn":${withdrawn ?? null}}`;
};
const STATES = [
  state(bill(late, 1), 1, 2),
  state(bill(late, 2), 2, 3),
  state(bill(late, 1), 4),
  state(bill(early, 1), 1),
  state(bond(early, 1), 1),
];
const envelope = (...texts: readonly string[]) => `{"status":"ok","data":[${texts.join()}]}`;
const pick = (indexes: readonly number[]) =>
  envelope(...indexes.map((index) => STATES[index] ?? ''));

describe('/vintages/{dataset}', () => {
  const service = useTestServer(async () => publishFive(await createStore()));
  const get = (target: string, headers: Record<string, string> = {}) =>
    service.request(`/vintages/${target}`, headers);

  test('lists every state in the order of the dataset, then by revision', async () => {
    const response = await get('quotes');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('tenor-revision')).toBe('5');
    expect(response.headers.get('link')).toBe(DESCRIBED_BY);
    const etag = response.headers.get('etag') ?? '';
    expect(await response.text()).toBe(envelope(...STATES));
    expect((await get('quotes', { 'if-none-match': etag })).status).toBe(304);
  });

  test.each([
    ['symbol=bill', [0, 1, 2, 3]],
    ['symbol=zz7', [4]],
    ['symbol=zz7,bond,BILL', [0, 1, 2, 3, 4]],
    ['symbol=nobody', []],
    ['type=bond', [4]],
    [`date=${late}`, [0, 1, 2]],
    [`from=${early}&to=${late}&sort=asc`, [4, 3, 0, 1, 2]],
    [`to=${early}`, [3, 4]],
    ['release=first', [0, 3, 4]],
    [`release=first&from=${late}`, [0]],
    ['limit=2', [0, 1]],
  ])('quotes?%s has states %j, from the store and from the cache', async (query, expected) => {
    for (const _ of ['store', 'cache'])
      expect(await (await get(`quotes?${query}`)).text()).toBe(pick(expected));
  });

  test('as_of hides what came later, and is for ever', async () => {
    const expected = [
      [state(bill(late, 1), 1), ...STATES.slice(3)],
      [STATES[0], state(bill(late, 2), 2), ...STATES.slice(3)],
      [STATES[0], STATES[1], ...STATES.slice(3)],
      STATES,
    ] as string[][];
    for (const [index, states] of expected.entries()) {
      const response = await get(`quotes?as_of=${index + 1}`);
      expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      expect(await response.text()).toBe(envelope(...states));
      const memento = await get('quotes', { 'accept-datetime': instant(index + 1) });
      expect(memento.headers.get('memento-datetime')).not.toBeNull();
      expect(await memento.text()).toBe(envelope(...states));
    }
    expect(await (await get('fund-allocation?as_of=4')).text()).toBe(envelope());
  });

  test('funds need no fund_id, and an unknown one is no error', async () => {
    const ids = async (query: string) => {
      const { data } = await service.getJson(`/vintages/fund-allocation${query}`);
      return data.map(({ fund_id }: { fund_id: string }) => fund_id);
    };
    expect(await ids('')).toEqual(['A', 'b']);
    expect(await ids('?fund_id=B')).toEqual(['b']);
    expect(await ids('?fund_id=B,a')).toEqual(['A', 'b']);
    expect(await ids('?fund_id=nobody')).toEqual([]);
  });

  test.each([
    ['quotes?release=last', 'parameter "release" must be first'],
    ['quotes?release=', 'parameter "release" is empty; it must be first'],
    ['quotes?sort=asc', 'parameter "sort" can be "asc" only with "from" or "to"'],
    [`quotes?date=${early}&from=${early}`, 'parameter "date" cannot be used with "from" or "to"'],
    [`quotes?from=${late}&to=${early}`, 'parameter "from" must not be later than "to"'],
    [
      'quotes?fund_id=A',
      'unknown parameter "fund_id"; allowed: symbol, date, from, to, type, sort',
    ],
    ['quotes?fields=ytm', 'parameter "fields" cannot be used with JSON'],
    [
      'fund-allocation?fields=a&format=csv',
      'unknown parameter "fields"; allowed: fund_id, release',
    ],
    [
      'atm-transactions-annual-volume?from=x',
      'parameter "from" must be a year such as 2024, FY24 or',
    ],
    [
      'atm-transactions-annual-volume?from=',
      'parameter "from" is empty; it must be a year such as 2024, FY24 or',
    ],
    ['atm-transactions-annual-volume?from=2024&to=2023', 'parameter "from" must not be later than'],
    ['atm-transactions-annual-volume?units=chg', 'unknown parameter "units"; allowed: from, to'],
    ['securities?name=x', 'unknown parameter "name"; allowed: symbol, release, limit, cursor'],
    ['datasets?symbol=x', 'unknown parameter "symbol"; allowed: name, release, limit, cursor'],
  ])('%s is rejected: %s', async (target, message) => {
    const response = await get(target);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toStartWith(message);
  });
});

describe('the formats of /vintages/{dataset}', () => {
  const service = useTestServer(async () => {
    const store = await fillStore(await createStore());
    for (const dataset of catalogue) {
      const [first = {}] = readFixture(dataset);
      await store.publish(dataset, [buildCorrection(dataset, first)]);
    }
    return store;
  });
  const readCsv = async (target: string) =>
    (await (await service.request(target)).text()).split('\r\n');

  test.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    '%s: rows that are valid are those of the export, before four columns',
    async (name, dataset) => {
      const [header = '', ...rows] = await readCsv(`/vintages/${name}?format=csv&limit=10000`);
      const end = `${dataset.shape === 'series' ? ',status' : ''},since,published,until,withdrawn`;
      expect(header).toEndWith(end);
      const valid = rows.filter((row) => /,\d+,[\dTZ:.-]+,,$/.test(row));
      const cut = valid.map((row) =>
        row
          .split(',')
          .slice(0, -end.split(',').length + 1)
          .join(),
      );
      const [columns = '', ...exported] = await readCsv(`/exports/${name}.csv`);
      expect(`${columns}${end}`).toBe(header);
      expect([...cut, '']).toEqual(exported);
      expect(rows.length > valid.length + 1).toBe(FILLED_DATASETS.includes(dataset));
    },
  );

  test.each(Object.values(RESPONSE_FORMATS))(
    '$mediaType: every dataset sends its states, and an empty table',
    async ({ mediaType, contentType, extension }) => {
      for (const { name } of catalogue) {
        for (const query of ['', '?as_of=1']) {
          const response = await service.request(`/vintages/${name}${query}`, {
            accept: mediaType,
          });
          expect([name, query, response.status]).toEqual([name, query, 200]);
          expect(response.headers.get('content-type')).toBe(contentType);
          if (extension !== 'json')
            expect(response.headers.get('content-disposition')).toBe(
              `attachment; filename="${name}-vintages.${extension}"`,
            );
          await response.arrayBuffer();
        }
      }
    },
  );
});

describe('vintages of a declared dataset', () => {
  const BID = { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' } as const;
  const RATES: Declaration = {
    name: 'rates',
    title: 'Rates',
    period: { kind: 'month', field: 'month' },
    dimensions: [{ field: 'tenor', title: 'Tenor' }],
    measures: [BID],
  };
  const EXTENDED = { ...RATES, measures: [BID, { ...BID, field: 'offer', title: 'Offer' }] };
  const rates = createDeclaredDataset(RATES);
  const extended = createDeclaredDataset(EXTENDED);
  const record = { month: 'Jan 2026', tenor: '1M', bid: 1 };

  async function publish(
    store: TestStore,
    dataset: typeof rates,
    records: readonly AnyRecord[],
    status?: ObservationStatus,
  ) {
    const publisher = store.publisher();
    const rows = [records.map((each) => encodeRow(dataset, each, status))];
    await publisher.publish({ dataset, source: 'a', author: 'a', rows });
    publisher.close();
  }

  /** Declared in 1; corrected in its status alone in 3; a measure in 4; retired in 6, and back in 7. */
  async function createServer() {
    const store = removing(await createStore());
    await declareIn(store, RATES);
    await publish(store, rates, [record, { ...record, tenor: '6M' }], 'P');
    await publish(store, rates, [record]);
    await declareIn(store, EXTENDED);
    await publish(store, extended, [{ ...record, bid: 2, offer: 3 }]);
    const retiredKeys = [getKey(extended, record)];
    await publishAt(store, Date.now(), extended, { retiredKeys });
    await publish(store, extended, [{ ...record, offer: null }]);
    return closing(await createInProcessServer(store, catalogue));
  }

  const withoutInstants = ({ published: _, withdrawn: __, ...vintage }: AnyRecord) => vintage;

  test('show a change of status alone, a measure that came later, and a record that came back', async () => {
    const server = await createServer();
    const read = async (query: string) => {
      const response = await server.get(`/vintages/rates${query}`);
      const { data } = (await response.json()) as { data?: AnyRecord[] };
      return [response.status, data?.map(withoutInstants)];
    };
    const [provisional, final] = [{ status: 'P' }, { status: 'A' }];
    const added = { ...record, offer: null };
    const states = [
      { ...added, ...provisional, since: 2, until: 3 },
      { ...added, ...final, since: 3, until: 5 },
      { ...record, bid: 2, offer: 3, ...final, since: 5, until: 6 },
      { ...added, ...final, since: 7, until: null },
      { ...added, tenor: '6M', ...provisional, since: 2, until: null },
    ];
    expect(await read('')).toEqual([200, states]);
    expect(await read('?tenor=1M&from=2026-01&to=Jan 2026')).toEqual([200, states.slice(0, 4)]);
    expect(await read('?tenor=6M,12M')).toEqual([200, states.slice(4)]);
    expect(await read('?from=2026-02')).toEqual([200, []]);
    expect(await read('?as_of=3&tenor=1M')).toEqual([
      200,
      [
        { ...record, ...provisional, since: 2, until: 3 },
        { ...record, ...final, since: 3, until: null },
      ],
    ]);
    expect(await read('?as_of=5&tenor=1M&release=first')).toEqual([200, states.slice(0, 1)]);
    expect(await read('?as_of=1')).toEqual([200, []]);
  });

  test('come in pages that stay with the measures of the first one', async () => {
    const store = removing(await createStore());
    await declareIn(store, RATES);
    await publish(store, rates, [record, { ...record, tenor: '6M' }]);
    const server = closing(await createInProcessServer(store, catalogue));
    const first = await server.get('/vintages/rates?limit=1');
    await declareIn(store, EXTENDED);
    const second = await server.get(findLink(first.headers, 'next') ?? '');
    const { data } = (await second.json()) as { data: AnyRecord[] };
    expect(data.map(withoutInstants)).toEqual([
      { ...record, tenor: '6M', status: 'A', since: 2, until: null },
    ]);
  });

  test('take the dimensions of the dataset, and no other filter', async () => {
    const server = await createServer();
    const rejected = await server.get('/vintages/rates?symbol=A');
    expect(await errorMessage(rejected)).toStartWith(
      'unknown parameter "symbol"; allowed: from, to, tenor, limit, cursor, sort, release, fields',
    );
    const target = '/vintages/rates?tenor=6M&fields=tenor,status';
    const [header, row] = (await (await server.get(`${target}&format=csv`)).text()).split('\r\n');
    expect(header).toBe('tenor,status,since,published,until,withdrawn');
    const line = JSON.parse(await (await server.get(`${target}&format=ndjson`)).text());
    expect(Object.keys(line).join()).toBe(header ?? '');
    expect(Object.values(line).join()).toBe(row ?? '');
  });
});

describe.each(ENGINES)('on $name, the first states', ({ createStore: create }) => {
  /** In 1 a bill, which has another type and ISIN in 2, and is retired in 3 and published again in 4. */
  const corrected = { ...bill(early, 1), type: 'bond', isin: 'ZZ8' } as const;
  const last = { ...corrected, lastPrice: 3 };

  test.each<[string, readonly number[], readonly number[]]>([
    ['', [1, 1], [1, 2, 4, 1]],
    ['type=tbill', [1], [1]],
    ['type=bond', [1], [2, 4, 1]],
    ['symbol=bill', [1], [1, 2, 4]],
    ['symbol=ZZ8', [], [2, 4]],
    ['symbol=ZZ8,bill', [1], [1, 2, 4]],
    [`type=bond&date=${early}`, [1], [2, 4, 1]],
    [`type=bond&from=${late}`, [], []],
  ])('of all are found before a filter is met: quotes?%s', async (query, first, all) => {
    await using store = await create();
    await publishAt(store, instant(1), quotes, { records: [bill(early, 1), bond(early, 1)] });
    await publishAt(store, instant(2), quotes, { records: [corrected] });
    await publishAt(store, instant(3), quotes, { retiredKeys: [getKey(quotes, corrected)] });
    await publishAt(store, instant(4), quotes, { records: [last] });
    const server = closing(await createInProcessServer(store, catalogue));
    const read = async (more: string) => {
      const response = await server.get(`/vintages/quotes?${query}${more}`);
      const { data } = (await response.json()) as { data: readonly { readonly since: number }[] };
      return data.map(({ since }) => since);
    };
    expect(await read('&release=first')).toEqual([...first]);
    expect(await read('')).toEqual([...all]);
    for (const asOf of [1, 2, 3, 4]) {
      expect(await read(`&release=first&as_of=${asOf}`)).toEqual([...first]);
      expect(await read(`&as_of=${asOf}`)).toEqual(all.filter((since) => since <= asOf));
    }
  });
});

test('a symbol selects states of reference data, in any letter case', async () => {
  const store = removing(await createStore());
  for (const name of ['first', 'second'])
    await publishAt(store, Date.now(), securities, {
      records: ['A', 'b'].map((symbol) => ({ ...securities.example, symbol, name })),
    });
  const server = closing(await createInProcessServer(store, catalogue));
  const response = await server.get('/vintages/securities?symbol=B,x');
  const { data } = (await response.json()) as { data: AnyRecord[] };
  expect(data.map(({ symbol, name, since }) => [symbol, name, since])).toEqual([
    ['b', 'first', 1],
    ['b', 'second', 2],
  ]);
});
