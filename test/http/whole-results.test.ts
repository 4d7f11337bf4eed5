import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { ThreadRequest } from '../../src/http/background/background-thread.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import { declareIn, KIBOR, kibor } from '../support/declared-rates.ts';
import { fetchPages, findLink, parseRecords } from '../support/follow-links.ts';
import { quote } from '../support/quote-fixture.ts';
import { startServingInProcess } from '../support/start-thread-in-process.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const LARGE = { ...KIBOR, name: 'large' };
const toDay = (index: number) => formatDay(parseDay('1990-01-01') + index);
const createRates = (days: number, tenors: readonly string[]) =>
  Array.from({ length: days }, (_, day) => toDay(day)).flatMap((date, day) =>
    tenors.map((tenor) => ({ date, tenor, bid: day, offer: null })),
  );

/** The targets of requests that the background thread was sent. */
const sent: string[] = [];
const server = useTestServer(
  async () => {
    const store = await createStore();
    await declareIn(store, KIBOR, LARGE);
    await store.publish(kibor, createRates(75, ['1M', '6M']));
    await store.publish(createDeclaredDataset(LARGE), createRates(5_001, ['1M', '6M']));
    const days = Array.from({ length: 1_002 }, (_, index) => toDay(index));
    await store.publish(
      quotes,
      days.map((date) => quote({ date, symbol: 'A' })),
    );
    return store;
  },
  {
    startThread(data) {
      const thread = startServingInProcess(data);
      const post = thread.postMessage.bind(thread);
      return Object.assign(thread, {
        postMessage(request: ThreadRequest) {
          sent.push(JSON.stringify(request));
          post(request);
        },
      });
    },
  },
);
const ask = (target: string) => server.request(target);

test.each([
  ['/datasets/kibor', 150],
  ['/datasets/kibor?units=chg', 150],
  ['/vintages/kibor', 150],
  ['/vintages/quotes?symbol=A&from=1990-01-01', 1_002],
  ['/aligned?columns=quotes.ytm(symbol=A)', 1_002],
  ['/2.0/bnb/quote?symbol=A&from=1990-01-01', 100],
])('%s has %i records unless a limit is given', async (target, count) => {
  const response = await ask(target);
  expect(parseRecords(await response.text())).toHaveLength(count);
  expect(findLink(response.headers, 'next') !== undefined).toBe(count === 100);
});

test('a dataset that is small stays on the thread that responds, a large one does not', async () => {
  const find = (name: string) => sent.filter((request) => request.includes(`/datasets/${name}`));
  await ask('/datasets/kibor?format=ndjson');
  await ask('/datasets/large?format=ndjson');
  expect([find('kibor?format').length, find('large').length]).toEqual([0, 1]);
});

test.each(['arrow', 'parquet'])('a cut result says so in a file of %s', async (format) => {
  const cut = await ask(`/datasets/large?format=${format}`);
  expect(findLink(cut.headers, 'next')).toContain('cursor=');
  const whole = await ask(`/datasets/kibor?format=${format}`);
  expect(findLink(whole.headers, 'next')).toBeUndefined();
  const [cutText, wholeText] = await Promise.all([cut.text(), whole.text()]);
  expect(cutText.includes('More records match than are here')).toBeTrue();
  expect(wholeText.includes('More records match')).toBeFalse();
});

test('a table with computed columns has a thousand rows a page, whatever the limit', async () => {
  const target = '/aligned?columns=analytics.cleanPrice(symbol=A),quotes.ytm(symbol=A)';
  for (const limit of ['', '&limit=5000']) {
    const pages = await fetchPages(ask, `${target}${limit}`);
    expect(pages.map(({ length }) => length)).toEqual([1_000, 2]);
  }
});
