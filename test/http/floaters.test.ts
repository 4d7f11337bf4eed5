import { describe, expect, test } from 'bun:test';
import { couponRates } from '../../src/catalogue/datasets/coupon-rates.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { MARKET_DATE, writeCurveMarket } from '../support/curve-market.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const [MATURITY, NEXT_MATURITY] = ['2030-11-15', '2030-07-03'];
const PRICE = 99.5;

/** What the terms say, the quoted yield (0 if none), and the accrued interest on 1 July, by hand. */
const FLOATERS = {
  ICMA: [{ dayCount: 'ACT/ACT' }, 12, (14 * 36 + 8 * 11) / 368],
  ACT365: [{ dayCount: 'ACT/365' }, 12, (14 * 36 + 8 * 11) / 365],
  ACT360: [{ dayCount: 'ACT/360' }, 12, (14 * 36 + 8 * 11) / 360],
  BASIS30: [{ dayCount: '30/360' }, 12, (14 * 35 + 8 * 11) / 360],
  NOYIELD: [{}, 0, (14 * 36 + 8 * 11) / 368],
  // The coupon of 3 July is the seller's; the buyer owes two days at the newest rate.
  EXDIV: [{ exDividendDays: 5, maturity: NEXT_MATURITY }, 12, (-8 * 2) / 362],
} as const;

const names = Object.keys(FLOATERS) as (keyof typeof FLOATERS)[];
const toIsin = (symbol: string) => `X${symbol}`;

describe.each([...ENGINES])('$name: a floater whose rate changes before a coupon', (engine) => {
  const service = useTestServer(async () => {
    const { store, writeFile, load } = await createLoadWorkspace(engine.createStore);
    writeFile('market.csv', writeCurveMarket());
    await load(quotes, 'market.csv');
    const floating = { couponFrequency: 2, pricing: 'coupon', floating: true } as const;
    const unknown = Object.fromEntries(Object.keys(securities.fields).map((name) => [name, null]));
    const toTerms = (symbol: keyof typeof FLOATERS) => {
      const { maturity: _, ...terms } = { maturity: '', ...FLOATERS[symbol][0] };
      return { ...unknown, symbol, ...floating, ...terms } as typeof securities.example;
    };
    await store.publish(securities, names.map(toTerms));
    await store.publish(
      couponRates,
      names.flatMap((symbol) => [
        { symbol, from: symbol === 'EXDIV' ? '2026-01-03' : '2026-05-15', rate: 14 },
        { symbol, from: '2026-06-20', rate: 8 },
      ]),
    );
    await store.publish(
      quotes,
      names.map((symbol) => {
        const [terms, ytm] = FLOATERS[symbol];
        const { maturity: maturityDate } = { maturity: MATURITY, ...terms };
        const identity = { symbol, isin: toIsin(symbol), type: 'bond', maturityDate } as const;
        return quote({
          ...identity,
          ...{ date: MARKET_DATE, maturityYears: 4.4, ytm, lastPrice: PRICE },
        });
      }),
    );
    return store;
  });

  const getData = async (target: string) => (await service.getJson(target)).data;
  const getFirst = async (target: string): Promise<AnyRecord> => (await getData(target))[0];
  const price = (symbol: string, query = '') =>
    getFirst(`/2.0/bnb/price?symbol=${symbol}&date=${MARKET_DATE}${query}`);

  test.each(names)(
    '%s has the same figures through every operation, for symbol and ISIN',
    async (symbol) => {
      const [, quotedYtm, accrued] = FLOATERS[symbol];
      const [analytics] = await getData(`/2.0/bnb/analytics?symbol=${symbol}&date=${MARKET_DATE}`);
      const quoted = await price(symbol);
      expect(analytics.accrued).toBeCloseTo(accrued, 8);
      expect(analytics.dirtyPrice).toBeCloseTo(PRICE + accrued, 7);
      expect(analytics).toMatchObject({ couponRate: 8, ytm: quotedYtm || quoted.ytm });
      expect(analytics.discountMargin).toBeNumber();
      const { ytm: _, spread: __, ...others } = analytics;
      expect(quoted).toMatchObject(others);
      expect(await price(toIsin(symbol))).toEqual(quoted);
      const [position] = await getData(
        `/2.0/bnb/portfolio?positions=${symbol}:-200&date=${MARKET_DATE}`,
      );
      expect(position).toMatchObject({ reason: null, yield: quoted.ytm });
      expect(position.accrued).toBeCloseTo(-2 * accrued, 7);
      expect(position.marketValue).toBeCloseTo(-2 * (PRICE + accrued), 6);
      const columns = ['accrued', 'ytm', 'discountMargin'];
      const list = columns.map((name) => `analytics.${name}(symbol=${symbol})`);
      const [row] = await getData(`/aligned?columns=${list}&from=${MARKET_DATE}`);
      expect(list.map((name) => row[name])).toEqual(columns.map((name) => analytics[name]));
    },
  );

  test.each(names)(
    '%s has a yield at every price, the quoted one too, which has that price',
    async (symbol) => {
      const quoted = await price(symbol);
      for (const near of [PRICE, PRICE - 0.000001, PRICE + 0.000001]) {
        const { ytm, discountMargin } = await price(symbol, `&price=${near}`);
        expect(ytm).toBeCloseTo(quoted.ytm as number, 5);
        expect(discountMargin).toBeCloseTo(quoted.discountMargin as number, 3);
        const { cleanPrice } = await price(symbol, `&yield=${ytm}`);
        expect(cleanPrice).toBeCloseTo(near, 6);
      }
      expect(await price(symbol, `&price=${PRICE}`)).toEqual(quoted);
      for (const ytm of [-1, 0, 8, 40]) {
        const at = await price(symbol, `&yield=${ytm}`);
        expect(at.ytm).toBeCloseTo(ytm, 7);
        expect((await price(symbol, `&price=${at.cleanPrice}`)).ytm).toBeCloseTo(ytm, 6);
      }
    },
  );
});
