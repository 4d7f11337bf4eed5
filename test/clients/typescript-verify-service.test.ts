import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as series } from '../../src/catalogue/datasets/series/index.ts';
import { copyStore } from '../support/copy-store.ts';
import { buildCorrection, getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, createStore } from '../support/store.ts';
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
    await expect(verify()).rejects.toMatchObject({ problems: [{ problem: 'shorter' }] });
    await publishAt(copy, NOW, quotes, { records: [quote({ volume: 2 })] });
    await expect(verify()).rejects.toMatchObject({ problems: [{ problem: 'forked' }] });
    await publishAt(copy, NOW, quotes, { records: [quote({ volume: 3 })] });
    await expect(verify()).rejects.toMatchObject({ problems: [{ problem: 'rewritten' }] });
  } finally {
    await restored.stop();
  }
});
