import { beforeAll, describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { type Dataset, PUBLIC_SCOPE, SCOPES } from '../../src/catalogue/model/dataset.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { declareKibor, kibor } from '../support/declared-rates.ts';
import { createStore, fillStore } from '../support/store.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';
import { DECODERS, type TableName } from '../tabular/decode-formats.ts';

/** None, each alone, and all: scopes do not depend on each other. */
const ALL_SCOPES: readonly string[] = [...SCOPES, kibor.scope];
const SCOPE_SETS = [[], ...ALL_SCOPES.map((scope) => [scope]), ALL_SCOPES];
/** Every token reads declarations. */
const canRead = (scopes: readonly string[], { scope }: Dataset) =>
  [...scopes, PUBLIC_SCOPE].includes(scope);
const DATASETS = [...catalogue, kibor];
const FORMATS = ['application/json', 'text/csv'];

const secrets = new Map<readonly string[], string>();
const service = useTestServer(async () => {
  const store = await fillStore(await createStore());
  await declareKibor(store);
  for (const scopes of SCOPE_SETS) secrets.set(scopes, await issueSecret(store, scopes));
  return store;
});

/** The revision that published each dataset. */
let revisions: ReadonlyMap<string, number>;
beforeAll(async () => {
  const { data } = await service.getJson('/revisions?limit=100');
  const published = data as { dataset: string; revision: number }[];
  revisions = new Map(published.map(({ dataset, revision }) => [dataset, revision]));
});

/** Every target whose response comes from one dataset. */
const getTargets = ({ name, paths, shape }: Dataset) => [
  ...paths,
  ...(shape === 'quotes' ? ['/2.0/bnb/securities', '/2.0/bnb/quote?limit=10000'] : []),
  ...(shape === 'fund' ? ['/3.0/funds', '/3.0/funds/allocation?fund_id=x'] : []),
  ...EXPORT_FORMATS.map((format) => `/exports/${name}.${format}`),
  `/corrections/${name}`,
  `/vintages/${name}`,
  `/changes/${name}?since=0`,
  `/revisions?dataset=${name}`,
  `/revisions/${revisions.get(name)}`,
];

describe.each(SCOPE_SETS.map((scopes) => [scopes.join(' and ') || 'none', scopes] as const))(
  'a token with the scopes %s',
  (_, scopes) => {
    const request = (target: string, accept = '', method = 'GET') => {
      const authorization = `Bearer ${secrets.get(scopes)}`;
      return service.request(target, { authorization, accept }, method);
    };

    test('reads the datasets of its scopes and no other, cached or not, in every format', async () => {
      for (const dataset of DATASETS) {
        const expected = canRead(scopes, dataset) ? 200 : 403;
        for (const target of getTargets(dataset)) {
          for (const accept of FORMATS) {
            const { status } = await request(target, accept);
            expect([target, accept, status]).toEqual([target, accept, expected]);
          }
          expect([target, (await request(target, '', 'HEAD')).status]).toEqual([target, expected]);
          if (expected === 200 || target.startsWith('/revisions')) continue;
          // Nor does an invalid parameter reveal anything, but of revisions, whose datasets are known later.
          const invalid = await request(`${target}${target.includes('?') ? '&' : '?'}x=1`);
          expect([target, invalid.status]).toEqual([target, 403]);
        }
      }
    });

    test.each(Object.keys(DECODERS) as TableName[])(
      'finds no trace of other datasets in the catalogue as %s',
      async (format) => {
        const response = await request(`/catalogue?format=${format}`);
        const { names, rows } = await DECODERS[format](await response.bytes());
        const listed = rows.map((cells) => String(cells[names.indexOf('name')]));
        const readable = DATASETS.filter((dataset) => canRead(scopes, dataset));
        expect(listed.toSorted()).toEqual(readable.map(({ name }) => name).toSorted());
      },
    );

    test('finds no trace of other datasets in lists', async () => {
      for (const [target, field] of [
        ['/catalogue', 'name'],
        ['/revisions?limit=100', 'dataset'],
      ] as const) {
        const { data } = (await (await request(target)).json()) as {
          data: Record<string, string>[];
        };
        const readable = DATASETS.filter((dataset) => canRead(scopes, dataset));
        const names = new Set(data.map((entry) => entry[field]));
        expect([...names].toSorted()).toEqual(readable.map(({ name }) => name).toSorted());
      }
    });
  },
);
