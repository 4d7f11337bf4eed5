import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Fields } from '../../src/catalogue/model/field.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { catalogueOperation } from '../../src/operations/catalogue/catalogue-operation.ts';
import { fundsOperation } from '../../src/operations/funds/funds-operation.ts';
import { securitiesOperation } from '../../src/operations/securities/securities-operation.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { retryUntil } from '../support/eventually.ts';
import { readFixture } from '../support/fixtures.ts';
import { DESCRIBED_BY } from '../support/follow-links.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, createStore } from '../support/store.ts';
import { errorMessage, startTestServer } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

setDefaultTimeout(120_000);

const CATALOGUE = '/catalogue';
const SECURITIES = '/2.0/bnb/securities';
const FUNDS = '/3.0/funds';
const operations: readonly Operation[] = [
  catalogueOperation(catalogue),
  securitiesOperation,
  fundsOperation,
];
const paths = operations.map(({ path }) => path);

const ajv = new Ajv({ strict: false });
addFormats(ajv);

/** The errors of a body by the schema of its operation; undefined where it is valid. */
function findSchemaErrors({ dataSchema }: Operation, body: { data: unknown }): unknown {
  const validate = ajv.compile(dataSchema);
  return validate(body.data) ? undefined : validate.errors;
}

const service = useTestServer(createFilledStore);

const asOf = (instant: string) => ({ 'accept-datetime': instant });

describe('/catalogue', () => {
  test('lists every dataset, in the order of the catalogue', async () => {
    const { status, data } = await service.getJson(CATALOGUE);
    expect(status).toBe('ok');
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    expect(names(data)).toEqual(names(catalogue));
  });

  describe.each(catalogue.map((dataset, index) => [dataset.name, dataset, index] as const))(
    '%s',
    (name, dataset, index) => {
      // biome-ignore lint/suspicious/noExplicitAny: what an entry holds is what the tests find out
      let entry: any;
      beforeAll(async () => {
        entry = (await service.getJson(CATALOGUE)).data[index];
      });

      test('has its name, title and paths', () => {
        const { title, description, scope, shape } = dataset;
        expect(entry).toMatchObject({ name, title, meaning: description, scope, shape });
        expect([entry.path, ...entry.aliases]).toEqual([...dataset.paths]);
        const period = dataset.period;
        expect(entry.period).toEqual(
          period ? { field: period.field, kind: period.kind.name } : null,
        );
      });

      test('has the description and unit of each field', () => {
        expectFields(entry.fields, dataset.fields);
        for (const key of entry.key) expect(Object.keys(dataset.fields)).toContain(key);
        const keys = readFixture(dataset).map((record) =>
          entry.key.map((field: string) => String(record[field])).join(),
        );
        expect(new Set(keys).size).toBe(keys.length);
      });

      test('has each parameter, and whether it is required', () => {
        const listed = entry.parameters.map(({ name }: { name: string }) => name);
        expect(listed).toEqual(Object.keys(dataset.parameters));
        for (const { name, meaning, rule, required, example } of entry.parameters) {
          const declared = dataset.parameters[name];
          expect(declared).toMatchObject({ description: meaning, requirement: rule });
          expect(required).toBe(name === 'fund_id');
          expect(declared?.parse(example)).toBeDefined();
        }
      });

      test('has its chart, consistency checks and notes', () => {
        const { notes, chart, checks } = dataset;
        expect(entry).toMatchObject({ notes, chart, checks });
        if (chart) expect(Object.keys(entry.chart)).toEqual(['kind', 'fields', 'total']);
      });

      test('has every format, and the paths of its exports', () => {
        const types = Object.values(RESPONSE_FORMATS).map(({ mediaType }) => mediaType);
        expect(entry.formats.map(({ mediaType }: { mediaType: string }) => mediaType)).toEqual(
          types,
        );
        expect(entry.exports).toEqual(
          EXPORT_FORMATS.map((format) => ({ format, path: `/exports/${name}.${format}` })),
        );
      });

      test('has its coverage and its last revision', () => {
        if (dataset === datasets) {
          expect(entry).toMatchObject({ coverage: { count: 0 }, lastRevision: null });
          return;
        }
        expect(entry.coverage.count).toBe(readFixture(dataset).length);
        const { publishedAt, ...last } = entry.lastRevision;
        expect(last).toEqual({ revision: index + 1, source: 'test', sample: false });
        expect(new Date(publishedAt).toISOString()).toBe(publishedAt);
      });

      test('has its schedule, and when its next data is due', () => {
        expect(entry.schedule).toEqual(dataset.schedule);
        if (!dataset.schedule) {
          expect(entry.nextDue).toBeNull();
          return;
        }
        expect(Object.keys(entry.nextDue)).toEqual(['period', 'dueAt', 'lateAt']);
        expect(entry.nextDue.dueAt < entry.nextDue.lateAt).toBe(true);
      });
    },
  );
});

function expectFields(listed: unknown, fields: Fields): void {
  expect(Array.isArray(listed)).toBe(true);
  const list = listed as Record<string, unknown>[];
  expect(list.map(({ name }) => name)).toEqual(Object.keys(fields));
  for (const { name, kind, type, meaning, unit, fields: nested } of list) {
    const field = fields[String(name)];
    expect({ kind, type, meaning }).toEqual({
      kind: field?.kind,
      type: field?.schema.type,
      meaning: field?.description,
    });
    expect(unit).toBe(field?.unit ?? null);
    // A figure without a unit is no figure.
    if (type === 'number' || type === 'integer') expect(unit).toBeString();
    if (field?.itemFields) expectFields(nested, field.itemFields);
    else expect(nested).toBeNull();
  }
}

describe.each(operations.map((operation) => [operation.path, operation] as const))(
  '%s',
  (path, operation) => {
    test('rejects every other parameter, and an invalid Accept-Datetime', async () => {
      const listParameters = `${path === CATALOGUE ? '' : 'q, '}limit, cursor, fields, `;
      for (const query of ['?as', '?x', '?symbol=a']) {
        const response = await service.request(path + query);
        expect(response.status).toBe(400);
        const message = await errorMessage(response);
        expect(message).toStartWith('unknown parameter "');
        expect(message).toEndWith(`"; allowed: ${listParameters}as_of, format`);
      }
      expect((await service.request(path, asOf('yesterday'))).status).toBe(400);
    });

    test('responds by its schema before the first revision', async () => {
      await using empty = await startTestServer(await createStore());
      const response = await empty.request(path);
      expect(response.headers.get('tenor-revision')).toBe('0');
      const body = (await response.json()) as { data: Record<string, unknown>[] };
      expect(findSchemaErrors(operation, body)).toBeUndefined();
      if (path !== CATALOGUE) expect(body.data).toEqual([]);
      for (const { coverage, lastRevision, nextDue } of body.data) {
        expect(coverage).toEqual({ first: null, last: null, count: 0 });
        expect(lastRevision).toBeNull();
        expect(nextDue).toBeNull();
      }
    });
  },
);

describe('discovery of changing data', () => {
  const toInstant = (day: number) => `2026-03-0${day}T10:00:00.000Z`;
  const old = quote({ symbol: 'OLD', date: '2020-01-01', maturityDate: '2020-06-30' });
  const recent = quote({ symbol: 'RECENT', date: '2026-02-27' });
  const fund = { ...fundAllocation.example, periods: [], rows: [] };
  const changing = useTestServer(async () => {
    const store = await createStore();
    await publishAt(store, toInstant(1), quotes, { records: [old] });
    await publishAt(store, toInstant(2), quotes, {
      records: [recent],
      source: 'feed',
      sample: true,
    });
    await publishAt(store, toInstant(3), fundAllocation, { records: [fund] });
    await publishAt(store, toInstant(4), quotes, { retiredKeys: [getKey(quotes, old)] });
    await publishAt(store, toInstant(5), quotes, {
      records: [{ ...recent, isin: 'ZZ0000000CHG' }],
    });
    return store;
  });

  const listed = async (path: string, instant?: string) => {
    const response = await changing.request(path, instant === undefined ? {} : asOf(instant));
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    return { headers: response.headers, data, revision: response.headers.get('tenor-revision') };
  };
  const requestCoverage = async (instant?: string) => {
    const [entry] = (await listed(CATALOGUE, instant)).data;
    return [entry?.coverage, (entry?.lastRevision as { revision: number } | null)?.revision];
  };
  const symbols = async (instant?: string) =>
    (await listed(SECURITIES, instant)).data.map(({ symbol, isin }) => `${symbol} ${isin}`);

  test('coverage is that of each instant, and the current one', async () => {
    // Twice: from the store and from the cache.
    for (const _ of [1, 2]) {
      expect(await requestCoverage('2026-02-01T00:00:00Z')).toEqual([
        { first: null, last: null, count: 0 },
        undefined,
      ]);
      const first = { first: '2020-01-01', last: '2020-01-01', count: 1 };
      expect(await requestCoverage(toInstant(1))).toEqual([first, 1]);
      const both = { first: '2020-01-01', last: '2026-02-27', count: 2 };
      expect(await requestCoverage(toInstant(2))).toEqual([both, 2]);
      expect(await requestCoverage(toInstant(3))).toEqual([both, 2]);
      const one = { first: '2026-02-27', last: '2026-02-27', count: 1 };
      expect(await requestCoverage(toInstant(4))).toEqual([one, 4]);
      expect(await requestCoverage()).toEqual([one, 5]);
    }
  });

  test('what is due next follows the data of each instant, and nothing follows sample data', async () => {
    const requestDuePeriod = async (instant?: string) => {
      const [entry] = (await listed(CATALOGUE, instant)).data;
      return (entry?.nextDue as { period: string } | null)?.period;
    };
    expect(await requestDuePeriod(toInstant(1))).toBe('2020-01-02');
    expect(await requestDuePeriod(toInstant(3))).toBeUndefined();
    expect(await requestDuePeriod()).toBe('2026-03-02');
  });

  test('securities are those of each instant, with their terms of the time', async () => {
    const oldSecurity = `OLD ${old.isin}`;
    for (const _ of [1, 2]) {
      expect(await symbols('2026-02-01T00:00:00Z')).toEqual([]);
      expect(await symbols(toInstant(1))).toEqual([oldSecurity]);
      expect(await symbols(toInstant(3))).toEqual([oldSecurity, `RECENT ${recent.isin}`]);
      expect(await symbols(toInstant(4))).toEqual([`RECENT ${recent.isin}`]);
      expect(await symbols()).toEqual(['RECENT ZZ0000000CHG']);
    }
  });

  test('funds are those of each instant, including one without periods', async () => {
    expect((await listed(FUNDS, toInstant(2))).data).toEqual([]);
    const { data } = await listed(FUNDS);
    const { fund_id, frequency } = fund;
    const names = { name: null, category: null, manager: null };
    expect(data).toEqual([{ fund_id, frequency, firstPeriod: null, lastPeriod: null, ...names }]);
    expect(findSchemaErrors(fundsOperation, { data })).toBeUndefined();
    const [, entry] = (await listed(CATALOGUE)).data;
    expect(entry?.coverage).toEqual({ first: null, last: null, count: 1 });
  });

  test.each(paths)(
    '%s as of an instant names its revision and when it was published',
    async (path) => {
      const { headers, revision } = await listed(path, '2026-03-02T12:00:00Z');
      expect(revision).toBe('2');
      expect(headers.get('memento-datetime')).toBe('Mon, 02 Mar 2026 10:00:00 GMT');
      const links = path === CATALOGUE ? '' : `${DESCRIBED_BY}, `;
      expect(headers.get('link')).toBe(`${links}<${path}>; rel="original timegate"`);
      expect(headers.get('vary')).toContain('Accept-Datetime');
      const before = await listed(path, 'Thu, 01 Jan 1970 00:00:00 GMT');
      expect(before.revision).toBe('0');
      expect(before.headers.get('memento-datetime')).toBe('Thu, 01 Jan 1970 00:00:00 GMT');
      const future = await listed(path, '2100-01-01T00:00:00Z');
      expect(future.revision).toBe('5');
      expect(future.data).toEqual((await listed(path)).data);
    },
  );

  test('a running server lists new records, with any characters in a symbol', async () => {
    const symbol = '</script>"\\ ü';
    await changing.store.publish(quotes, [quote({ symbol, date: '2026-03-06' })]);
    await retryUntil(1_000, async () => {
      expect(await symbols()).toEqual([`${symbol} ${quotes.example.isin}`, 'RECENT ZZ0000000CHG']);
    });
    expect((await requestCoverage())[0]).toEqual({
      first: '2026-02-27',
      last: '2026-03-06',
      count: 2,
    });
  });
});
