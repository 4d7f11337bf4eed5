import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { QuotesRecord } from '../../clients/typescript/src/index.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { catchError, createClient } from './typescript-support.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(await createStore());
  await server.store.publish(quotes, ALL_QUOTES);
});
afterEach(() => server.stop());

/** 40 quotes: ten days of four securities. */
const ALL_QUOTES = Array.from({ length: 40 }, (_, index) =>
  quote({ date: `2026-03-${10 + (index >> 2)}`, symbol: `S${index % 4}`, lastPrice: index }),
);

describe('paging', () => {
  test('returns every record once and in order for any page size', async () => {
    const client = createClient(server);
    const complete = await client.quotes({ from: '2026-03-01', limit: 10_000 });
    expect(complete.data.length).toBe(40);
    for (const limit of [1, 7, 20, 40, 41]) {
      expect(await client.quotes.all({ from: '2026-03-01', limit }).toArray()).toEqual([
        ...complete.data,
      ]);
      const sizes: number[] = [];
      for await (const { data } of client.quotes.pages({ from: '2026-03-01', limit })) {
        sizes.push(data.length);
      }
      expect(sizes.length).toBe(Math.ceil(40 / limit));
    }
    const newest = await client.quotes.all({ limit: 3 }).toArray();
    expect(newest).toEqual(complete.data.slice(0, 4));
  });

  test('neither skips nor repeats records while data is published', async () => {
    const seen: QuotesRecord[] = [];
    for await (const { data } of createClient(server).quotes.pages({
      from: '2026-03-01',
      limit: 6,
    })) {
      seen.push(...data);
      const date = `2026-04-${10 + (seen.length % 20)}`;
      await server.store.publish(quotes, [quote({ date, symbol: 'NEW' })]);
    }
    const old = seen.filter(({ symbol }) => symbol !== 'NEW');
    expect(old.map(({ lastPrice }) => lastPrice).sort((a, b) => a - b)).toEqual(
      ALL_QUOTES.map(({ lastPrice }) => lastPrice),
    );
  });

  test('continues after a page with its cursor', async () => {
    const parameters = { from: '2026-03-01', limit: 7 };
    const complete = await createClient(server).quotes.all(parameters).toArray();
    const { meta } = await createClient(server).quotes(parameters);
    const remaining = await createClient(server)
      .quotes.all({ ...parameters, cursor: meta.cursor })
      .toArray();
    expect(remaining).toEqual(complete.slice(7));
    const { meta: last } = await createClient(server).quotes({ ...parameters, limit: 40 });
    expect(last.cursor).toBeUndefined();
  });

  test('reads only the newest day without dates', async () => {
    const days = await createClient(server).quotes.all({ symbol: 'S0' }).toArray();
    expect(days.map(({ date }) => date)).toEqual(['2026-03-19']);
  });

  test('fails for an invalid cursor', async () => {
    const error = await catchError(
      createClient(server).quotes.all({ cursor: 'made-up' }).toArray(),
    );
    expect(error).toMatchObject({ kind: 'bad_request', status: 400 });
    expect(error.message).toContain('cursor');
  });
});

describe('asOf', () => {
  test('reads the same historical data on every page', async () => {
    const { data } = await createClient(server).revisions();
    const instant = new Date(Date.parse(data[0]?.publishedAt ?? ''));
    await Bun.sleep(5);
    await server.store.publish(quotes, [
      quote({ date: '2026-03-19', symbol: 'S0', lastPrice: 999 }),
    ]);
    const client = createClient(server).asOf(instant);
    const records = await client.quotes.all({ from: '2026-03-01', limit: 7 }).toArray();
    expect(records.length).toBe(40);
    expect(records.map(({ lastPrice }) => lastPrice)).not.toContain(999);
    const { meta } = await client.quotes();
    expect(meta.memento?.getTime()).toBe(Math.floor(instant.getTime() / 1_000) * 1_000);
    expect(meta.revision).toBe(1);
    const early = await createClient(server).asOf('2000-01-01').quotes();
    expect(early.data).toEqual([]);
  });
});
