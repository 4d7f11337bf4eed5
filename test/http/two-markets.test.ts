import { describe, expect, test } from 'bun:test';
import { MARKET_TYPES } from '../../src/analytics/quote-source.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { MARKETS } from '../../src/operations/curve/curve-operation.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const DATES = ['2026-05-28', '2026-05-29'];
const TYPES = Object.entries(MARKET_TYPES).flatMap(([market, types]) =>
  types.map((type) => ({ market, type: type as 'tbill' | 'bond' | 'corporate' })),
);

/** Six securities of each type; those of each have yields of their own. */
const QUOTES = DATES.flatMap((date) =>
  TYPES.flatMap(({ type }, order) =>
    [1, 2, 3, 4, 5, 6].map((years) =>
      quote({
        date,
        type,
        symbol: `${type}${years}`,
        maturityDate: `${2026 + years}-06-01`,
        maturityYears: years,
        ytm: 10 + 2 * order + years / 10,
      }),
    ),
  ),
);

describe('two markets', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    await store.publish(quotes, QUOTES);
    return store;
  });
  const readData = async (target: string) => (await service.getJson(target)).data;
  const listSymbols = (market: string, type?: string) =>
    QUOTES.filter((each) => each.date === DATES[1] && (!type || each.type === type))
      .filter((each) => TYPES.some((one) => one.type === each.type && one.market === market))
      .map(({ symbol }) => symbol)
      .toSorted();

  test.each(MARKETS)('the figures of %s are those of its own paper on a date', async (market) => {
    for (const date of ['', `&date=${DATES[1]}`]) {
      const records = await readData(`/2.0/bnb/analytics?market=${market}${date}`);
      expect(records.map(({ symbol }: { symbol: string }) => symbol)).toEqual(listSymbols(market));
      for (const { type } of TYPES) {
        const some = await readData(`/2.0/bnb/analytics?market=${market}&type=${type}${date}`);
        const expected = listSymbols(market, type);
        expect(some.map(({ symbol }: { symbol: string }) => symbol)).toEqual(expected);
      }
    }
  });

  test('curves of two markets at one tenor are two columns of a table', async () => {
    const columns = MARKETS.map((market) => `curve.yield(tenor=3Y,market=${market})`);
    const rows = await readData(`/aligned?columns=${columns.map(encodeURIComponent).join()}`);
    const yields = await Promise.all(
      MARKETS.map(async (market) => {
        const target = `/2.0/bnb/curve?market=${market}&date=${DATES[1]}&tenors=3Y`;
        return (await readData(target))[0].points[0].yield;
      }),
    );
    expect(new Set(yields).size).toBe(MARKETS.length);
    expect(Object.values(rows[0])).toEqual([DATES[1], ...yields]);
  });
});

describe('terms by ISIN', () => {
  const isin = 'ZZ0000000016';
  const bond = { type: 'bond', isin, maturityDate: '2031-06-01', maturityYears: 5 } as const;
  const terms = (symbol: string, values: object) => ({
    ...securities.example,
    ...Object.fromEntries(Object.keys(securities.example).map((name) => [name, null])),
    symbol,
    isin: null,
    ...values,
  });
  const service = useTestServer(async () => {
    const store = await createStore();
    const others = [1, 2, 3, 4, 6].map((years) => `A${years}`);
    const coupon = { couponRate: 12, couponFrequency: 2, pricing: 'coupon' };
    await store.publish(securities, [
      ...others.map((symbol) => terms(symbol, coupon)),
      terms('OLD', { ...coupon, settlementDays: 3 }),
      terms('OTHER', { ...coupon, couponRate: 4 }),
      terms('OWN', { settlementDays: 5 }),
    ]);
    await store.publish(quotes, [
      ...others.map((symbol, index) =>
        quote({
          ...bond,
          symbol,
          date: DATES[0] ?? '',
          isin: `ZZ00000001${index}0`,
          maturityDate: `${2026 + Number(symbol.slice(1))}-06-01`,
          maturityYears: Number(symbol.slice(1)),
        }),
      ),
      ...['OLD', 'NEW', 'OWN'].map((symbol) => quote({ ...bond, symbol, date: DATES[0] ?? '' })),
    ]);
    return store;
  });

  test('are beside those that a security has of its own, which win', async () => {
    const read = async (symbol: string) =>
      (await service.getJson(`/2.0/bnb/analytics?symbol=${symbol}`)).data[0];
    const [byIsin, own] = [await read('NEW'), await read('OWN')];
    expect(byIsin.settlementDate).toBe('2026-06-02');
    expect(own.settlementDate).toBe('2026-06-04');
    expect(own.accrued).toBeGreaterThan(byIsin.accrued);
  });

  test('may change by a quote of another day, after which no earlier fit holds', async () => {
    const target = `/2.0/bnb/curve?date=${DATES[0]}&tenors=5Y`;
    const read = async (query = '') => (await service.getJson(`${target}${query}`)).data[0];
    const before = await read();
    await service.store.publish(quotes, [
      quote({ ...bond, symbol: 'OTHER', date: DATES[1] ?? '' }),
    ]);
    const after = await read();
    expect(after.points[0].yield).toBe(before.points[0].yield);
    expect(after.points[0].discountFactor).not.toBe(before.points[0].discountFactor);
    expect(await read('&as_of=2')).toEqual(before);
  });
});
