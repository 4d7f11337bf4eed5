import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { writeCalendar } from '../../src/operations/releases/write-calendar.ts';
import { declareIn } from '../support/declared-rates.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const RATES: Declaration = {
  name: 'rates',
  title: 'Rates, by tenor; "daily\\weekly" – announced for a long time in advance: 利率',
  period: { kind: 'month', field: 'month' },
  dimensions: [{ field: 'tenor', title: 'Tenor' }],
  measures: [{ field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' }],
  schedule: {
    ...({ cadence: 'monthly', delayDays: 12, toleranceDays: 3 } as const),
    // The order does not matter.
    dates: ['2021-04-12T10:00:00+05:00', '2021-02-11T05:00:00Z', '2021-03-12T10:00:00+05:00'],
  },
  scope: 'rates',
};
const rates = createDeclaredDataset(RATES);
const USUAL: Declaration = {
  ...RATES,
  name: 'usual',
  title: 'Usual',
  schedule: { cadence: 'monthly', delayDays: 12, toleranceDays: 3 },
};
const usual = createDeclaredDataset(USUAL);
const record = (month: string, tenor: string, bid = 1) => ({ month, tenor, bid });

const secrets: Record<string, string> = {};
const service = useTestServer(async () => {
  const store = await createStore();
  await declareIn(store, RATES, USUAL); // 1
  await store.publish(quotes, [quote({ date: '2026-06-30' })]); // 2
  await store.publish(rates, [record('Dec 2020', '1M'), record('Dec 2020', '6M')]); // 3
  await store.publish(usual, [record('Dec 2020', '1M')]); // 4
  await store.publish(rates, [record('Jan 2021', '1M')]); // 5
  await store.publish(rates, [record('Dec 2020', '1M', 2), record('Nov 2020', '1M')]); // 6
  for (const scope of ['rates', 'quotes']) secrets[scope] = await issueSecret(store, [scope]);
  return store;
});

const authorization = (secret: string) => ({ authorization: secret });
const find = async (name: string, secret = '') => {
  const { status, data } = await service.getJson('/releases', authorization(secret));
  expect(status).toBe('ok');
  return data.find(({ dataset }: { dataset: string }) => dataset === name);
};

const RATES_ENTRY = {
  dataset: 'rates',
  title: RATES.title,
  nextDue: {
    period: 'Feb 2021',
    dueAt: '2021-03-12T05:00:00.000Z',
    lateAt: '2021-03-16T00:00:00.000Z',
  },
  dates: ['2021-03-12T05:00:00.000Z', '2021-04-12T05:00:00.000Z'],
};

test('everybody is told when each dataset is released next, by announced instants or the usual delay', async () => {
  expect(await find('rates')).toEqual({ ...RATES_ENTRY, releases: null, series: null });
  const { nextDue, dates } = await find('usual');
  expect([nextDue.period, nextDue.dueAt, dates]).toEqual([
    'Jan 2021',
    '2021-02-13T00:00:00.000Z',
    [],
  ]);
  expect(await find('securities')).toBeUndefined();
});

test('a token of the scope is told of the last releases, when they were due, and of missing series', async () => {
  const { releases, series, ...others } = await find('rates', `Bearer ${secrets.rates}`);
  expect(others).toEqual(RATES_ENTRY);
  expect(series).toEqual({ present: 1, expected: 2 });
  const instant = expect.stringMatching(/^20.*Z$/);
  expect(releases).toEqual([
    { period: 'Jan 2021', revision: 5, publishedAt: instant, dueAt: '2021-02-11T05:00:00.000Z' },
    { period: 'Dec 2020', revision: 3, publishedAt: instant, dueAt: null },
  ]);
  expect((await find('quotes', `Bearer ${secrets.rates}`)).releases).toBeNull();
  expect((await find('quotes', `Bearer ${secrets.quotes}`)).releases).toMatchObject([
    { period: '2026-06-30', revision: 2 },
  ]);
  expect((await find('rates', `Bearer ${secrets.quotes}`)).series).toBeNull();
});

test('a token that is not valid is rejected', async () => {
  const response = await service.request('/releases', authorization('Bearer tenor_unknown'));
  expect(response.status).toBe(401);
});

test('the calendar has an event for each instant that is to come', async () => {
  const response = await service.request('/releases?format=ics', authorization(''));
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const text = await response.text();
  const events = readCalendar(text);
  expect(events.map(({ UID }) => UID)).toEqual([
    'quotes-20260703T000000Z@tenor',
    'rates-20210312T050000Z@tenor',
    'rates-20210412T050000Z@tenor',
    'usual-20210213T000000Z@tenor',
  ]);
  const { title } = RATES;
  expect(events.slice(1).map((event) => [event.SUMMARY, event.DTSTART])).toEqual([
    [`${title}: Feb 2021`, '20210312T050000Z'],
    [title, '20210412T050000Z'],
    ['Usual: Jan 2021', 'DATE:20210212'],
  ]);
  const etag = response.headers.get('etag') ?? '';
  const again = await service.request('/releases?format=ics', {
    ...authorization(''),
    'if-none-match': etag,
  });
  expect(again.status).toBe(304);
  const other = await service.request('/releases?format=csv', authorization(''));
  expect(other.status).toBe(400);
});

test('lines of a calendar have at most 75 bytes, and its texts any character', () => {
  const title = `a\\b;c,${'利率 '.repeat(40)}`;
  const dates = ['2021-03-12T05:00:00.000Z'];
  const text = writeCalendar([{ dataset: 'a', title, nextDue: null, dates }], dates[0] ?? '');
  expect(readCalendar(text)).toMatchObject([{ SUMMARY: title }]);
});

/** The properties of each event, read by RFC 5545. */
function readCalendar(text: string): Record<string, string>[] {
  expect(text).toEndWith('\r\n');
  const folded = text.slice(0, -2).split('\r\n');
  for (const line of folded) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const [begin, version, product, method, ...rest] = folded
    .join('\r\n')
    .replaceAll('\r\n ', '')
    .split('\r\n');
  expect([begin, version, method]).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:PUBLISH']);
  expect(product).toStartWith('PRODID:');
  expect(rest.pop()).toBe('END:VCALENDAR');
  const events: Record<string, string>[] = [];
  for (const line of rest) {
    const [, name = '', value = ''] = /^([A-Z]+)(?:;VALUE=|:)(.*)$/s.exec(line) ?? [];
    const current = events.at(-1) ?? {};
    if (line === 'BEGIN:VEVENT') events.push({});
    else if (line === 'END:VEVENT')
      expect(Object.keys(current)).toEqual(['UID', 'DTSTAMP', 'DTSTART', 'SUMMARY', 'TRANSP']);
    else current[name] = value.replaceAll(/\\([\\;,])/g, '$1');
  }
  return events;
}
