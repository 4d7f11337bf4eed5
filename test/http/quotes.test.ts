import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const BILL = { symbol: 'ZZ03TB010126', isin: 'ZZ0000000016', type: 'tbill' } as const;
const BOND = { symbol: 'Z05PIB010130', isin: 'ZZ0000000024', type: 'bond' } as const;
const PAPER = { symbol: 'cedarTFC1', isin: 'ZZ0000000032', type: 'corporate' } as const;
/** Its symbol is the bond's ISIN: asking for that text means this one. */
const TWIN = { symbol: BOND.isin, isin: 'ZZ0000000040', type: 'bond' } as const;
/** Two symbols with one ISIN. */
const RENAMED = { symbol: 'OLDNAME', isin: 'ZZ0000000057', type: 'bond' } as const;

const records: readonly Quote[] = [
  quote({ ...BILL, date: '2025-12-30' }),
  quote({ ...BILL, date: '2025-12-31' }),
  quote({ ...BOND, date: '2025-12-31' }),
  quote({ ...PAPER, date: '2025-12-29' }),
  quote({ ...TWIN, date: '2025-12-20' }),
  quote({ ...RENAMED, date: '2025-12-01' }),
  quote({ ...RENAMED, symbol: 'NEWNAME', date: '2025-12-02' }),
  quote({ ...BOND, date: '2026-01-02' }),
  quote({ ...BOND, symbol: 'Z10PIB010135', isin: 'ZZ0000000065', date: '2026-01-02' }),
  quote({ ...BOND, symbol: 'a-lower', isin: 'ZZ0000000073', date: '2026-01-02' }),
];

const service = useTestServer(async () => {
  const store = await createStore();
  await store.publish(quotes, records);
  return store;
});

/** Date and symbol of each record that a query gives, in order. */
async function fetchMatches(query: string): Promise<string[]> {
  const { status, data } = await service.getJson(`/2.0/bnb/quote${query}`);
  expect(status).toBe('ok');
  return (data as Quote[]).map(({ date, symbol }) => `${date} ${symbol}`);
}

const NEWEST = ['2026-01-02 Z05PIB010130', '2026-01-02 Z10PIB010135', '2026-01-02 a-lower'];

describe('quotes', () => {
  test.each([
    ['', NEWEST, 'every record of the newest date'],
    ['?type=tbill', ['2025-12-31 ZZ03TB010126'], 'the newest date that has the type'],
    ['?type=corporate', ['2025-12-29 cedarTFC1'], 'an older date, if only that has the type'],
    ['?symbol=ZZ03TB010126', ['2025-12-31 ZZ03TB010126'], "a security's newest record"],
    ['?symbol=CEDARTFC1', ['2025-12-29 cedarTFC1'], 'a symbol published in mixed case'],
    ['?symbol=zz0000000016', ['2025-12-31 ZZ03TB010126'], 'an ISIN in lower case'],
    ['?symbol=ZZ0000000024', ['2025-12-20 ZZ0000000024'], 'a symbol wins over an ISIN'],
    ['?symbol=ZZ0000000057', ['2025-12-02 NEWNAME'], "an ISIN's newest, whatever its symbol"],
    ['?date=2025-12-31', ['2025-12-31 Z05PIB010130', '2025-12-31 ZZ03TB010126'], 'one date'],
    ['?date=2024-02-29', [], 'a leap day without quotes'],
    ['?from=2026-01-01', NEWEST, 'open-ended from'],
    ['?to=2025-12-01', ['2025-12-01 OLDNAME'], 'open-ended to'],
    ['?from=2025-12-29&to=2025-12-30', ['2025-12-30 ZZ03TB010126', '2025-12-29 cedarTFC1'], 'both'],
    [
      '?symbol=ZZ03TB010126&from=2025-12-01',
      ['2025-12-31 ZZ03TB010126', '2025-12-30 ZZ03TB010126'],
      'a security in a range',
    ],
    ['?symbol=ZZ0000000024&date=2025-12-31', [], 'a symbol wins on every date'],
    ['?symbol=ZZ03TB010126&type=bond', [], 'a security of another type'],
    ['?symbol=NOBODY', [], 'an unknown symbol'],
    ['?symbol=ZZ03TB', [], 'part of a symbol'],
    ['?limit=1', NEWEST.slice(0, 1), 'no more than the limit'],
    ['?from=2025-12-31&limit=4', [...NEWEST, '2025-12-31 Z05PIB010130'], 'the limit across dates'],
    ['?symbol=a%2Dlower', ['2026-01-02 a-lower'], 'percent-encoded'],
    ["?symbol='%20OR%201=1--", [], 'SQL is data'],
    ['?symbol=%25', [], 'a wildcard is data'],
  ])('%s responds with %j: %s', async (query, expected) => {
    expect(await fetchMatches(query)).toEqual(expected);
  });

  test('the plural path is an identical alias', async () => {
    for (const query of ['', '?type=tbill', '?symbol=zz0000000016&limit=2', '?limit=0']) {
      const [one, other] = await Promise.all([
        service.request(`/2.0/bnb/quote${query}`),
        service.request(`/2.0/bnb/quotes${query}`),
      ]);
      expect(other.status).toBe(one.status);
      expect(await other.text()).toBe(await one.text());
    }
  });

  test.each([
    ['limit', ['0', '-1', '1e2', '0x10', '%205', '5.0', '10001', '+5', '05', '5%20', '٥', '1_000']],
    ['date', ['2023-02-29', '20240101', '2024-1-1', '2024-13-01', '2024-00-10', '2024-04-31', 'x']],
    ['from', ['2024-01-01T00:00:00Z', '2024-01', '0000-01-01', '2024-01-00', '-2024-01-01']],
    ['to', ['1900-02-29', '2100-02-29', 'today', '2024/01/01', '%202024-01-01']],
    ['type', ['TBILL', 'bonds', 'tbill,bond', '*', 'All', 'null']],
  ])('an invalid %s is rejected, naming what is allowed', async (parameter, texts) => {
    const { requirement } = quotes.parameters[parameter as keyof typeof quotes.parameters];
    for (const text of texts) {
      const response = await service.request(`/2.0/bnb/quote?${parameter}=${text}`);
      expect([text, response.status]).toEqual([text, 400]);
      const message = `parameter "${parameter}" must be ${requirement}`;
      expect(await response.json()).toEqual({ status: 'error', message });
    }
  });

  test.each([
    ['?date=2025-12-31&from=2025-12-31', 'date'],
    ['?date=2025-12-31&to=2025-12-31', 'date'],
    ['?from=2026-01-02&to=2026-01-01', 'from'],
    ['?symbol=X&date=2025-12-31&from=2025-12-31', 'date'],
  ])('%s is rejected, naming %s', async (query, parameter) => {
    const response = await service.request(`/2.0/bnb/quote${query}`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain(`parameter "${parameter}"`);
  });
});
