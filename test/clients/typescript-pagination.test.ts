import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { QuotesRecord } from '../../clients/typescript/src/index.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { retryUntil } from '../support/eventually.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { clientOf, failureOf } from './typescript-support.ts';

let own: TestServer;
beforeEach(async () => {
  own = await startTestServer(await createStore());
  await own.store.publish(quotes, many);
});
afterEach(() => own.stop());

/** 40 quotes: ten days of four securities. */
const many = Array.from({ length: 40 }, (_, index) =>
  quote({ date: `2026-03-${10 + (index >> 2)}`, symbol: `S${index % 4}`, lastPrice: index }),
);

describe('a walk over pages', () => {
  test('gives every record once and in order, whatever the size of a page', async () => {
    const client = clientOf(own);
    const whole = await client.quotes({ from: '2026-03-01', limit: 10_000 });
    expect(whole.data.length).toBe(40);
    for (const limit of [1, 7, 20, 40, 41]) {
      expect(await client.quotes.all({ from: '2026-03-01', limit }).toArray()).toEqual([
        ...whole.data,
      ]);
      const sizes: number[] = [];
      for await (const { data } of client.quotes.pages({ from: '2026-03-01', limit })) {
        sizes.push(data.length);
      }
      expect(sizes.length).toBe(Math.ceil(40 / limit));
    }
    const newest = await client.quotes.all({ limit: 3 }).toArray();
    expect(newest).toEqual(whole.data.slice(0, 4));
  });

  test('neither skips nor repeats what does not change while data is published', async () => {
    const seen: QuotesRecord[] = [];
    for await (const { data } of clientOf(own).quotes.pages({ from: '2026-03-01', limit: 6 })) {
      seen.push(...data);
      const date = `2026-04-${10 + (seen.length % 20)}`;
      await own.store.publish(quotes, [quote({ date, symbol: 'NEW' })]);
    }
    const old = seen.filter(({ symbol }) => symbol !== 'NEW');
    expect(old.map(({ lastPrice }) => lastPrice).sort((a, b) => a - b)).toEqual(
      many.map(({ lastPrice }) => lastPrice),
    );
  });

  test('goes on behind a page with its cursor', async () => {
    const asked = { from: '2026-03-01', limit: 7 };
    const whole = await clientOf(own).quotes.all(asked).toArray();
    const { meta } = await clientOf(own).quotes(asked);
    const rest = await clientOf(own)
      .quotes.all({ ...asked, cursor: meta.cursor })
      .toArray();
    expect(rest).toEqual(whole.slice(7));
    const { meta: last } = await clientOf(own).quotes({ ...asked, limit: 40 });
    expect(last.cursor).toBeUndefined();
  });

  test('is of the newest day where no dates are given', async () => {
    const days = await clientOf(own).quotes.all({ symbol: 'S0' }).toArray();
    expect(days.map(({ date }) => date)).toEqual(['2026-03-19']);
  });

  test('fails where the service refuses the cursor', async () => {
    const refused = await failureOf(clientOf(own).quotes.all({ cursor: 'made-up' }).toArray());
    expect(refused).toMatchObject({ kind: 'bad_request', status: 400 });
    expect(refused.message).toContain('cursor');
  });
});

describe('what was answered before', () => {
  test('is not sent again until it changes', async () => {
    const client = clientOf(own);
    const first = await client.quotes();
    const second = await client.quotes();
    expect([first.meta.cached, second.meta.cached]).toEqual([false, true]);
    expect(second.data).toEqual(first.data);
    expect(second.meta.etag).toBe(first.meta.etag as string);
    await own.store.publish(quotes, [quote({ date: '2026-06-30' })]);
    await retryUntil(2_000, async () => {
      const third = await client.quotes();
      expect(third.meta).toMatchObject({ cached: false, revision: 2 });
      expect(third.data.length).toBe(1);
    });
    const sent = own.events
      .filter((event) => event.event === 'request')
      .map(({ status }) => status);
    expect(sent).toContain(304);
  });
});

describe('the past', () => {
  test('is what stood then, on every page', async () => {
    const { data } = await clientOf(own).revisions();
    const then = new Date(Date.parse(data[0]?.publishedAt ?? ''));
    await Bun.sleep(5);
    await own.store.publish(quotes, [quote({ date: '2026-03-19', symbol: 'S0', lastPrice: 999 })]);
    const past = clientOf(own).asOf(then);
    const walked = await past.quotes.all({ from: '2026-03-01', limit: 7 }).toArray();
    expect(walked.length).toBe(40);
    expect(walked.map(({ lastPrice }) => lastPrice)).not.toContain(999);
    const { meta } = await past.quotes();
    expect(meta.memento?.getTime()).toBe(Math.floor(then.getTime() / 1_000) * 1_000);
    expect(meta.revision).toBe(1);
    const long = await clientOf(own).asOf('2000-01-01').quotes();
    expect(long.data).toEqual([]);
  });
});
