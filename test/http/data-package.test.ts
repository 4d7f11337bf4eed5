import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { branchlessBankingAgents } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { readFixture } from '../support/fixtures.ts';
import { findLink } from '../support/follow-links.ts';
import { publishAt } from '../support/publish-at.ts';
import { createStore, fillStore } from '../support/store.ts';
import { errorMessage, startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';
import { DECODERS } from '../tabular/decode-formats.ts';

const PATH = '/datapackage.json';
const RELATIVE_PATH = {
  type: 'string',
  pattern: '^(?=[^./~])(?!file:)((?!/\\.\\./)(?!:\\/\\/).)*$',
};
const LICENCES = {
  type: 'array',
  minItems: 1,
  items: { anyOf: [{ required: ['name'] }, { required: ['path'] }] },
};
const SOURCES = { type: 'array', items: { minProperties: 1, properties: { path: RELATIVE_PATH } } };

/** The rules of the profile, version 2.0, for what a package has here. */
const isPackage = addFormats(new Ajv({ strict: false })).compile({
  required: ['resources'],
  properties: {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name: { type: 'string', pattern: '^[-a-z0-9._/]+$' },
    version: { type: 'string' },
    created: { type: 'string', format: 'date-time' },
    licenses: LICENCES,
    sources: SOURCES,
    resources: {
      type: 'array',
      minItems: 1,
      items: {
        required: ['name', 'path'],
        properties: {
          name: { type: 'string', pattern: '^[-a-z0-9._/]+$' },
          path: RELATIVE_PATH,
          type: { const: 'table' },
          mediatype: { type: 'string', pattern: '^(.+)/(.+)$' },
          licenses: LICENCES,
          sources: SOURCES,
          schema: {
            required: ['fields'],
            properties: {
              fields: {
                type: 'array',
                minItems: 1,
                items: {
                  required: ['name'],
                  properties: {
                    type: { enum: ['string', 'number', 'integer', 'date', 'boolean'] },
                    constraints: {
                      properties: { enum: { type: 'array', minItems: 1, uniqueItems: true } },
                    },
                  },
                },
              },
              primaryKey: { type: 'array', minItems: 1, uniqueItems: true },
            },
          },
        },
      },
    },
  },
});

interface PackageField {
  readonly name: string;
  readonly type: keyof typeof CELL_PATTERNS;
  readonly constraints?: { readonly required?: boolean; readonly enum?: readonly string[] };
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
const CELL_PATTERNS = {
  string: /^/,
  number: NUMBER,
  integer: /^-?\d+$/,
  date: /^\d{4}-\d\d-\d\d$/,
  boolean: /^(true|false)$/,
};

/** Whether a cell of a CSV file is as its field declares. */
function isDeclared(cell: string | null, { type, constraints = {} }: PackageField): boolean {
  if (cell === null) return !constraints.required;
  return CELL_PATTERNS[type].test(cell) && (constraints.enum?.includes(cell) ?? true);
}

describe('/datapackage.json', () => {
  let service: TestServer;
  let quotesOnly: string;
  beforeAll(async () => {
    const store = await fillStore(await createStore());
    quotesOnly = await issueSecret(store, ['quotes']);
    service = await startTestServer(store);
  });
  afterAll(async () => {
    await service.stop();
  });

  test('is a Data Package whose fields are the columns of every export, in their order', async () => {
    const descriptor = await service.getJson(PATH);
    isPackage(descriptor);
    expect(isPackage.errors).toBeNull();
    const names = descriptor.resources.map(({ name }: { name: string }) => name);
    expect(names).toEqual(catalogue.map(({ name }) => name));
    for (const { path, schema } of descriptor.resources) {
      const file = await service.request(`/${path}`);
      const csv = await DECODERS.csv(new Uint8Array(await file.arrayBuffer()));
      expect(schema.fields.map(({ name }: PackageField) => name)).toEqual(csv.names);
      const wrong = csv.rows.flatMap((cells) =>
        cells.filter((cell, index) => !isDeclared(cell as string | null, schema.fields[index])),
      );
      expect(wrong).toEqual([]);
      const keys = csv.rows.map((cells) =>
        (schema.primaryKey ?? csv.names).map((name: string) => cells[csv.names.indexOf(name)]),
      );
      expect(new Set(keys.map(String)).size).toBe(csv.rows.length);
    }
  });

  test('has the unit of each figure, and of nothing else', async () => {
    const { resources } = await service.getJson(PATH);
    const units = resources[0].schema.fields.flatMap((field: { name: string; unit?: string }) =>
      field.unit === undefined ? [] : [[field.name, field.unit]],
    );
    expect(units).toContainEqual(['lastPrice', 'per 100 of face value']);
    expect(units).toContainEqual(['ytm', 'percent']);
    expect(units.map(([name]: [string]) => name)).not.toContain('symbol');
    const shares = resources.find(({ name }: { name: string }) => name === 'fund-allocation');
    expect(shares.schema.fields.at(-1)).toMatchObject({ name: 'value', unit: 'percent' });
  });

  test('needs a token, and describes what the token may read', async () => {
    expect((await service.request(PATH, { authorization: '' })).status).toBe(401);
    const headers = { authorization: `Bearer ${quotesOnly}` };
    const { resources } = await service.getJson(PATH, headers);
    const names = resources.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['quotes', 'securities', 'holidays', 'coupon-rates', 'datasets']);
    const wrong = await service.request(`${PATH}?limit=1`);
    expect(wrong.status).toBe(400);
    expect(await errorMessage(wrong)).toContain('"limit"');
  });

  test('as of a revision has the columns and the files of that revision', async () => {
    const [first] = readFixture(branchlessBankingAgents);
    const revision = Number((await service.request(PATH)).headers.get('tenor-revision'));
    const provinces = [{ key: 'punjab', value: 1 }];
    await service.store.publish(branchlessBankingAgents, [{ ...first, provinces }]);
    const find = async (target: string) => {
      const { version, resources } = await service.getJson(target);
      const { path, schema } = resources.find(
        ({ name }: { name: string }) => name === branchlessBankingAgents.name,
      );
      const [header] = (await (await service.request(`/${path}`)).text()).split('\r\n');
      expect(schema.fields.map(({ name }: PackageField) => name).join()).toBe(header);
      return { version, path, header };
    };
    const past = await find(`${PATH}?as_of=${revision}`);
    expect(past).toMatchObject({
      version: String(revision),
      path: `exports/${branchlessBankingAgents.name}.csv?as_of=${revision}`,
    });
    const before = await find(`${PATH}?as_of=2001-01-01`);
    expect(before.version).toBe('0');
    const required = { 'tenor-revision': String(revision + 1) };
    await service.request(PATH, required);
    const present = await find(PATH);
    expect(present).toMatchObject({
      version: String(revision + 1),
      path: `exports/${branchlessBankingAgents.name}.csv`,
    });
    expect(present.header).not.toBe(past.header);
  });

  test('tells the files that data was loaded from, and their licences', async () => {
    const [record = {}] = readFixture(quotes);
    await publishAt(service.store, Date.now(), quotes, {
      records: [{ ...record, volume: 1 }],
      source: 'eod.csv',
      files: [{ name: 'eod.csv', bytes: 1, sha256: '00' }],
      options: { options: { licence: 'CC-BY-4.0' } },
    });
    const descriptor = await service.getJson(PATH, {
      'tenor-revision': String(await service.store.reader().revision()),
    });
    expect(descriptor.resources[0]).toMatchObject({
      licenses: [{ name: 'CC-BY-4.0' }],
      sources: [{ title: 'eod.csv', path: 'revisions?dataset=quotes' }],
    });
    expect(descriptor.sources).toEqual(descriptor.resources[0].sources);
    for (const other of [descriptor, descriptor.resources.at(-1)])
      expect(other).not.toHaveProperty('licenses');
  });

  test('does not tell what came from files whose load was reverted', async () => {
    const [record = {}] = readFixture(funds);
    const files = [{ name: 'wrong.csv', bytes: 1, sha256: '00' }];
    const options = { options: { replace: true, licence: 'CC0-1.0' } };
    const publisher = service.store.publisher();
    const readOrigins = async () => {
      const { resources } = await service.getJson(PATH, {
        'tenor-revision': String(await service.store.reader().revision()),
      });
      const { sources, licenses } = resources.find(
        ({ name }: { name: string }) => name === funds.name,
      );
      return [licenses, sources?.map(({ title }: { title: string }) => title)];
    };
    const before = await readOrigins();
    const loaded = await publishAt(service.store, Date.now(), funds, {
      records: [{ ...record, name: 'Wrong' }],
      source: 'wrong.csv',
      files,
      options,
    });
    expect(await readOrigins()).toEqual([[{ name: 'CC0-1.0' }], ['wrong.csv']]);
    const revert = async (revision = 0) => {
      const result = await revertRevision(publisher, catalogue, { revision, author: 'test' });
      return result.revision.revision;
    };
    const reverting = await revert(loaded?.revision);
    expect(await readOrigins()).toEqual(before);
    await revert(reverting);
    expect(await readOrigins()).toEqual([[{ name: 'CC0-1.0' }], ['wrong.csv']]);
    publisher.close();
  });

  test('is what responses with records of a dataset, and its files, are described by', async () => {
    const [fund] = readFixture(fundAllocation);
    for (const { name, paths, shape } of catalogue) {
      const query = shape === 'fund' ? `?fund_id=${fund?.fund_id}` : '';
      // The catalogue has other fields than declarations.
      const own = name === datasets.name ? [] : paths.map((path) => path + query);
      for (const target of [...own, `/exports/${name}.csv`, `/changes/${name}?since=0`]) {
        const { headers } = await service.request(target);
        expect([target, findLink(headers, 'describedby')]).toEqual([target, PATH]);
      }
    }
    for (const target of ['/2.0/bnb/curve', '/revisions', '/catalogue'])
      expect(findLink((await service.request(target)).headers, 'describedby')).toBeUndefined();
  });
});
