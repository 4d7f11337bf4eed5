import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { CURVE_METHODS, LEFT_OUT_REASONS } from '../../src/bonds/curve/index.ts';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../src/catalogue/datasets/securities.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { curveOperation } from '../../src/operations/curve/curve-operation.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { UNKNOWN_TERMS } from '../support/unknown-terms.ts';
import { useTestServer } from '../support/use-test-server.ts';

setDefaultTimeout(120_000);

const CURVE = '/2.0/bnb/curve';
const ANALYTICS = '/2.0/bnb/analytics';

interface OddSecurity {
  readonly days: number;
  readonly type?: Quote['type'];
  readonly quote?: Partial<Quote>;
  readonly terms?: Partial<SecurityRecord>;
}

const MATURITIES = [30, 90, 200, 400, 800, 1_200, 2_000, 3_000, 3_600];
const bond = (days: number, terms: Partial<SecurityRecord> = {}): OddSecurity => ({
  days,
  type: 'bond',
  terms: { couponRate: 10, couponFrequency: 2, pricing: 'coupon', ...terms },
});
const priced = (security: OddSecurity, lastPrice: number, ytm: number): OddSecurity => ({
  ...security,
  quote: { lastPrice, bidPrice: lastPrice, askPrice: lastPrice, ytm },
});

/** Markets by the day of January 2026 on which they are quoted. */
const MARKETS: Readonly<Record<string, readonly OddSecurity[]>> = {
  '2026-01-05': [priced({ days: 90 }, 97.6, 10)],
  '2026-01-06': [priced(bond(900), 100, 10)],
  '2026-01-07': MATURITIES.map(() => priced(bond(900), 100, 10)),
  '2026-01-08': MATURITIES.map((days) => priced(bond(days, { floating: true }), 100, 10)),
  '2026-01-09': MATURITIES.map((days) => priced({ days, type: 'bond' }, 100, 10)),
  '2026-01-12': MATURITIES.map((days) => priced(bond(days, { couponRate: 0 }), 101, -1)),
  '2026-01-13': MATURITIES.map((days) => priced(bond(days, { couponRate: 1e15 }), 100, 10)),
  '2026-01-14': MATURITIES.map((days, index) =>
    priced(bond(days), index % 2 ? 1e-9 : 1e12, index % 2 ? 1e9 : -99),
  ),
  '2026-01-15': MATURITIES.map((days) => priced({ ...bond(days), type: 'corporate' }, 100, 10)),
};

function listRecords() {
  const records: Quote[] = [];
  const terms: Partial<SecurityRecord>[] = [];
  for (const [date, market] of Object.entries(MARKETS))
    for (const [
      index,
      { days, type = 'tbill', quote: differing, terms: own },
    ] of market.entries()) {
      const symbol = `S${date.slice(8)}${index}`;
      const maturityDate = formatDay(parseDay(date) + days);
      const [maturityYears, isin] = [days / 365, `ZZ-${symbol}`];
      records.push(quote({ date, symbol, isin, type, maturityDate, maturityYears, ...differing }));
      if (own) terms.push({ ...UNKNOWN_TERMS, symbol, isin, ...own });
    }
  return { records, terms };
}

describe('figures of odd markets', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    const { records, terms } = listRecords();
    await store.publish(quotes, records);
    await store.publish(securities, terms);
    return store;
  });
  const readCurve = async (date: string, query = '') =>
    (await service.getJson(`${CURVE}?date=${date}${query}`)).data[0];
  const dates = Object.keys(MARKETS);

  test('have records of every date', async () => {
    const symbols = listRecords().records.map(({ symbol }) => symbol);
    const targets = [
      `${CURVE}?date=${dates.join()},2026-01-16,2026-01-17,2026-01-18`,
      `${CURVE}?date=${dates.join()}&market=corporate`,
      `${CURVE}?date=${dates.join()}&as_of=1`,
      `${ANALYTICS}?symbol=${symbols.slice(0, 40).join()}`,
      `${ANALYTICS}?symbol=${symbols.slice(40).join()}&from=2026-01-01`,
    ];
    for (const target of targets) {
      const { data } = await service.getJson(target);
      expect(data.length).toBeGreaterThan(8);
    }
  });

  test.each(Object.keys(RESPONSE_FORMATS))('come as %s', async (format) => {
    for (const target of [
      `${CURVE}?date=${dates.join()}&tenors=1M,5Y,99Y`,
      `${ANALYTICS}?symbol=S120,S121,S130,S140,S141&from=2026-01-01`,
    ]) {
      const response = await service.request(`${target}&format=${format}`);
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text.length).toBeGreaterThan(100);
      if (format === 'csv') expect(text).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  test('name every security of the market once, as used or left out', async () => {
    for (const date of dates) {
      const { used, usedSymbols, leftOut, reason, points } = await readCurve(date);
      const listed = [...usedSymbols, ...leftOut.map(({ symbol }: Quote) => symbol)];
      const market = listRecords().records.filter((record) => record.date === date);
      const isCorporate = market[0]?.type === 'corporate';
      const symbols = isCorporate ? [] : market.map(({ symbol }) => symbol);
      expect(listed.toSorted()).toEqual(symbols.toSorted());
      expect(used).toBe(usedSymbols.length);
      if (points.every(({ zero }: { zero: number | null }) => zero === null))
        expect(reason).toBeString();
    }
  });

  test('have no curve if there is one security, one maturity, or nothing but floaters', async () => {
    for (const date of dates.slice(0, 4)) {
      const curve = await readCurve(date);
      expect(curve).toMatchObject({ method: null, parameters: null, rmse: null, used: 0 });
    }
    const { leftOut } = await readCurve('2026-01-08');
    expect(new Set(leftOut.map(({ reason }: { reason: string }) => reason))).toEqual(
      new Set(['floating']),
    );
  });

  test('have numbers in a curve that has a method, however absurd prices and coupons are', async () => {
    for (const date of ['2026-01-13', '2026-01-14']) {
      const { method, rmse, parameters, points } = await readCurve(date, '&tenors=6M,5Y');
      if (method === null || method === 'not-converged') continue;
      const { beta3: _, tau2: __, ...always } = parameters;
      const { tenor: ___, yield: ____, ...rates } = points[1];
      const figures = [rmse, ...Object.values(always)];
      if (method !== 'nelson-siegel-yields') figures.push(...Object.values(rates));
      expect(figures.filter((figure) => !Number.isFinite(figure))).toEqual([]);
    }
  });

  test('have yields alone without terms, and negative rates if yields are', async () => {
    expect((await readCurve('2026-01-09')).method).toBe('nelson-siegel-yields');
    const { method, points } = await readCurve('2026-01-12', '&tenors=1Y');
    expect(method).toBe('nelson-siegel');
    expect(points[0].zero).toBeLessThan(0);
    expect(points[0].forward).toBeLessThan(0);
    expect(points[0].discountFactor).toBeGreaterThan(1);
  });
});

test('the catalogue names every method and every reason', () => {
  const { method, leftOut } = curveOperation.dataSchema.items.properties as never as {
    method: { enum: readonly unknown[] };
    leftOut: { items: { properties: { reason: { enum: readonly unknown[] } } } };
  };
  expect(method.enum).toEqual([...CURVE_METHODS, null]);
  expect(leftOut.items.properties.reason.enum).toEqual([...LEFT_OUT_REASONS]);
});
