import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as series } from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { copyStore } from '../support/copy-store.ts';
import {
  declareIn,
  declareKibor,
  KIBOR,
  KIBOR_RECORDS,
  retireKibor,
} from '../support/declared-rates.ts';
import { buildCorrection, getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, createStore, ENGINES } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';
import { createClient } from './typescript-support.ts';

const NOW = '2026-08-01T00:00:00Z';

test('a service is verified with all of its datasets, and again after each kind of change', async () => {
  const server = await startTestServer(await createFilledStore());
  try {
    const { store } = server;
    const client = createClient(server);
    const first = await client.verify();
    expect(first.revisionsChecked).toBe(first.size);
    expect(first.datasets.quotes).toBe(5);
    const example = { ...series.example, year: 'FY30' };
    const relabelled = { ...example, year: 'FY2030' };
    const security = { ...securities.example, symbol: 'letters' };
    await publishAt(store, NOW, series, { records: [example] });
    await publishAt(store, NOW, series, { records: [relabelled] });
    await publishAt(store, NOW, securities, { records: [security] });
    await publishAt(store, NOW, securities, { records: [{ ...security, symbol: 'LETTERS' }] });
    await publishAt(store, NOW, quotes, {
      records: [buildCorrection(quotes, quote({})), quote({ symbol: 'NEW' })],
    });
    await publishAt(store, NOW, quotes, {
      retiredKeys: [getKey(quotes, quote({ symbol: 'NEW' }))],
    });
    const { state } = first;
    const second = await client.verify({ state });
    expect(second).toMatchObject({ previousSize: first.size, size: first.size + 6 });
    const token = await issueSecret(store, ['funds']);
    const restricted = await createClient(server, { token }).verify({ state });
    expect(Object.keys(restricted.datasets)).toEqual(['fund-allocation', 'funds', 'datasets']);
    expect(restricted.revisionsChecked + restricted.unreadableRevisions.length).toBe(second.size);
  } finally {
    await server.stop();
  }
});

test('a database that was put back and published to again is found by what was verified before', async () => {
  const original = await createStore();
  await publishAt(original, NOW, quotes, { records: [quote({})] });
  const copy = await copyStore(original);
  await publishAt(original, NOW, quotes, { records: [quote({ volume: 1 })] });
  const server = await startTestServer(original);
  const { state } = await createClient(server).verify();
  await server.stop();
  const restored = await startTestServer(copy);
  try {
    const verify = () => createClient(restored).verify({ state });
    await expect(verify()).rejects.toMatchObject({ kind: 'behind' });
    await publishAt(copy, NOW, quotes, { records: [quote({ volume: 2 })] });
    await expect(verify()).rejects.toMatchObject({ problems: [{ problem: 'forked' }] });
    await publishAt(copy, NOW, quotes, { records: [quote({ volume: 3 })] });
    await expect(verify()).rejects.toMatchObject({ problems: [{ problem: 'rewritten' }] });
  } finally {
    await restored.stop();
  }
});

describe.each(ENGINES)('on $name', ({ createStore: createEngineStore }) => {
  test('a declared dataset is verified when it gets a measure, is retired, and declared again', async () => {
    const store = await createEngineStore();
    const server = await startTestServer(store);
    try {
      const client = createClient(server);
      await declareKibor(store);
      const { state, datasets } = await client.verify();
      expect(datasets.kibor).toBe(KIBOR_RECORDS.length);
      const mid = { field: 'mid', title: 'Middle', unit: 'percent', kind: 'rate' } as const;
      const declaration = { ...KIBOR, measures: [...KIBOR.measures, mid] };
      await declareIn(store, declaration);
      const [first] = KIBOR_RECORDS;
      const dataset = createDeclaredDataset(declaration);
      await store.publish(dataset, [{ ...first, mid: 1 }]);
      expect((await client.verify({ state })).datasets.kibor).toBe(KIBOR_RECORDS.length);
      await retireKibor(store);
      const retired = await client.verify({ state });
      expect(retired.datasets.kibor).toBeUndefined();
      const withStatus = { ...KIBOR, name: 'provisional', status: true };
      await declareIn(store, declaration, withStatus);
      await store.publish(dataset, [{ ...first, mid: null }]);
      for (const status of ['P', 'A'])
        await store.publish(createDeclaredDataset(withStatus), [{ ...first, status }]);
      const last = await client.verify({ state: retired.state });
      expect(last.datasets).toMatchObject({ kibor: 1, provisional: 1, datasets: 2 });
      expect(last.previousSize).toBe(retired.size);
    } finally {
      await server.stop();
    }
  });
});
