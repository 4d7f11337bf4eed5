import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readNewestCatalogue } from '../../src/catalogue/catalogues.ts';
import { datasets, toDeclarationRecord } from '../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { declareDatasets, retireDataset } from '../../src/publish/declare-dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import type { Publisher } from '../../src/store/open-store.ts';
import { applyChanges, splitLines } from '../support/apply-changes.ts';
import { encodeRow, getKey } from '../support/publish-at.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

const OFFER = { field: 'offer', title: 'Offer', unit: 'percent', kind: 'rate' } as const;
const KIBOR: Declaration = {
  name: 'kibor',
  title: 'Interbank offered rates',
  period: { kind: 'day', field: 'date' },
  dimensions: [{ field: 'tenor', title: 'Tenor' }],
  measures: [{ field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate', required: true }],
};
const WITH_OFFER: Declaration = { ...KIBOR, measures: [...KIBOR.measures, OFFER] };

/** What each revision leaves: the records of the dataset, or undefined where it is not declared. */
const history: (readonly AnyRecord[] | undefined)[] = [undefined];
const [first, second, third] = ['2026-01-05', '2026-01-06', '2026-01-07'];

async function publishAll(store: TestStore, publisher: Publisher): Promise<void> {
  const author = 'a';
  const declare = (declaration: Declaration) =>
    declareDatasets(publisher, { declarations: [declaration], source: 'a', author });
  const publish = async (records: readonly AnyRecord[], retired: readonly AnyRecord[] = []) => {
    const reader = store.reader();
    const dataset = (await readNewestCatalogue(catalogue, reader)).get('kibor');
    reader.close();
    const rows = [records.map((record) => encodeRow(dataset, record))];
    const retiredKeys = retired.map((record) => getKey(dataset, record));
    return publisher.publish({ dataset, rows, retiredKeys, source: 'a', author });
  };
  history.length = 1;
  await store.publish(quotes, [quotes.example]);
  history.push(undefined);
  const old = [
    { date: second, tenor: '1M', bid: 10.1 },
    { date: first, tenor: '1M', bid: 10 },
    { date: first, tenor: '6M', bid: 11 },
  ];
  await declare(KIBOR);
  history.push([]);
  await publish(old);
  history.push(old);
  await declare(WITH_OFFER);
  const filled = old.map((record) => ({ ...record, offer: null }));
  history.push(filled);
  const added = [
    { date: third, tenor: '1M', bid: 12, offer: 12.5 },
    { date: first, tenor: '1M', bid: 10, offer: 10.5 },
  ];
  await publish(added, filled.slice(2));
  const corrected = [added[0] as AnyRecord, filled[0] as AnyRecord, added[1] as AnyRecord];
  history.push(corrected);
  await revertRevision(publisher, catalogue, { revision: 5, author });
  history.push(filled);
  await retireDataset(publisher, { name: 'kibor', author, withRecords: true });
  history.push([], undefined);
  await declare(WITH_OFFER);
  history.push([]);
  await revertRevision(publisher, catalogue, { revision: 7, author });
  history.push(filled);
}

/** More than a declaration may have, published as a release without that limit did. */
const LARGE: Declaration = {
  ...KIBOR,
  notes: Array.from({ length: 101 }, (_, index) => `Note ${index}.`),
  dimensions: [
    {
      field: 'tenor',
      title: 'Tenor',
      codes: Object.fromEntries(Array.from({ length: 10_001 }, (_, code) => [`C${code}`, 'a'])),
    },
  ],
};

for (const { name: engine, createStore } of ENGINES) {
  test(`${engine}: a declaration of before the limits is read without a fault, and not declared again`, async () => {
    await using store = await createStore();
    const publisher = store.publisher();
    const origin = { source: 'a', author: 'a' };
    const records = [toDeclarationRecord(LARGE)];
    await publishRecords(publisher, { dataset: datasets, records, ...origin });
    const reader = store.reader();
    const { declarations } = await reader.declarations(1);
    expect(declarations.map(({ declaration }) => declaration)).toEqual([LARGE]);
    reader.close();
    const inspector = store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
    const declaring = declareDatasets(publisher, { declarations: [LARGE], ...origin });
    await expect(declaring).rejects.toThrow(
      [
        'nothing was published: $.dimensions[0].codes must have at most 10000 members',
        '$.notes must have at most 100 items',
      ].join('\n'),
    );
    publisher.close();
  });

  describe(`${engine}: a dataset that is declared, corrected, declared with more, reverted, retired and declared again`, () => {
    let store: TestStore;
    let server: InProcessServer;
    beforeAll(async () => {
      store = await createStore();
      const publisher = store.publisher();
      await publishAll(store, publisher);
      publisher.close();
      server = await createInProcessServer(store, catalogue);
    });
    afterAll(async () => {
      server.close();
      await store.remove();
    });
    const revisions = () => history.map((records, revision) => [revision, records] as const);
    const exportAt = async (revision: number) => {
      const response = await server.get(`/exports/kibor.ndjson?as_of=${revision}`);
      return { status: response.status, text: await response.text() };
    };

    test('has what each revision left it with, and is not found before it was declared', async () => {
      for (const [revision, records] of revisions().slice(1)) {
        const response = await server.get(`/datasets/kibor?as_of=${revision}`);
        expect([revision, response.status]).toEqual([revision, records ? 200 : 404]);
        expect((await exportAt(revision)).status).toBe(response.status);
        if (!records) continue;
        const { data } = (await response.json()) as { data: unknown };
        expect([revision, data]).toEqual([revision, records]);
        const lines = splitLines((await exportAt(revision)).text);
        expect(lines).toEqual(records.map((record) => JSON.stringify(record)));
      }
    });

    test('has changes that make the export of any revision of that of any earlier one', async () => {
      const reader = store.reader();
      const dataset = (await readNewestCatalogue(catalogue, reader)).get('kibor');
      reader.close();
      for (const [since, before] of revisions())
        for (const [until, after] of revisions().slice(since)) {
          if (!before || !after) continue;
          const target = `/changes/kibor?since=${since}&until=${until}&as_of=${until}&format=ndjson`;
          const lines = splitLines(await (await server.get(target)).text());
          const [from, to] = [await exportAt(since), await exportAt(until)];
          expect([since, until, applyChanges(dataset, from.text, lines)]).toEqual([
            since,
            until,
            to.text,
          ]);
          if (since < 4 && until === 4) expect(lines.join()).not.toContain('retired');
        }
    });

    test('has no changes up to the beginning', async () => {
      const response = await server.get('/changes/kibor?since=0&until=0');
      expect([response.status, await response.text()]).toEqual([200, '{"status":"ok","data":[]}']);
    });

    test('has another tag of its export if a declaration changes its records', async () => {
      const tags = await Promise.all(
        [3, 4].map(async (revision) => {
          const response = await server.get(`/exports/kibor.csv?as_of=${revision}`);
          return response.headers.get('etag');
        }),
      );
      expect(new Set(tags).size).toBe(2);
    });

    test('leaves a database without faults', async () => {
      const inspector = store.inspector();
      const { faults, revisions } = await checkDatabase(inspector, catalogue);
      inspector.close();
      expect({ faults, revisions }).toEqual({ faults: [], revisions: history.length - 1 });
    });
  });
}
