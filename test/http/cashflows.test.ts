import { describe, expect, test } from 'bun:test';
import { yieldToMaturity } from '../../src/bonds/index.ts';
import { couponRates } from '../../src/catalogue/datasets/coupon-rates.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { MARKET_DATE, writeCurveMarket } from '../support/curve-market.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const CASH_FLOWS = '/2.0/bnb/cashflows';
const ANALYTICS = '/2.0/bnb/analytics';
/** The only quote of its day, so that there is no curve. */
const LONE_DATE = '2026-07-01';

const service = useTestServer(async () => {
  const workspace = await createLoadWorkspace();
  workspace.writeFile('market.csv', writeCurveMarket());
  await workspace.load(quotes, 'market.csv');
  const floating = {
    couponRate: 12,
    couponFrequency: 2,
    pricing: 'coupon',
    floating: true,
  } as const;
  const terms = { ...securities.example, symbol: 'FLOATER', isin: 'ZZ-FLOATER', ...floating };
  await workspace.store.publish(securities, [terms]);
  const floater = { symbol: 'FLOATER', isin: 'ZZ-FLOATER', type: 'bond' } as const;
  await workspace.store.publish(quotes, [
    quote({ ...floater, date: MARKET_DATE, maturityDate: '2031-06-30', maturityYears: 5 }),
    quote({ date: LONE_DATE, symbol: 'LONE', maturityDate: '2027-07-02', maturityYears: 1 }),
  ]);
  return workspace.store;
});

const getData = async (target: string): Promise<AnyRecord[]> =>
  (await service.getJson(target)).data;

describe('the cash flows of a security', () => {
  test('are its coupons and principal, whose present values give about its price', async () => {
    const flows = await getData(`${CASH_FLOWS}?symbol=zz-bond1`);
    const [figures] = await getData(`${ANALYTICS}?symbol=BOND1`);
    const interest = { coupon: 5, principal: 0, amount: 5 };
    expect(flows[0]).toMatchObject({ ...interest, date: '2026-12-11' });
    expect(flows.at(-1)).toMatchObject({ ...interest, principal: 100, amount: 105 });
    expect(flows.map(({ date }) => date)).toEqual(flows.map(({ date }) => date).toSorted());
    let value = 0;
    for (const { amount, years, discountFactor, presentValue } of flows) {
      expect(presentValue).toBeCloseTo(Number(amount) * Number(discountFactor), 6);
      expect(years).toBeGreaterThan(0);
      value += Number(presentValue);
    }
    expect(value).toBeCloseTo(Number(figures?.dirtyPrice), 1);
  });

  test('are the principal alone without terms and of a floater', async () => {
    const unknown = { coupon: null, principal: 100, amount: null, presentValue: null };
    for (const symbol of ['NOTERMS', 'FLOATER'])
      expect(await getData(`${CASH_FLOWS}?symbol=${symbol}`)).toMatchObject([
        { ...unknown, discountFactor: expect.any(Number) },
      ]);
  });

  test('are none of what has matured, is not quoted then, or is not known', async () => {
    for (const query of ['MATURED', `BOND1&date=2026-06-28`, 'nobody', 'BOND1&as_of=2000-01-01'])
      expect(await getData(`${CASH_FLOWS}?symbol=${query}`)).toEqual([]);
  });

  test('of several follow one another, each with what identifies its security', async () => {
    const symbols = ['BILL91', 'BOND1', 'NOTERMS'];
    const each = await Promise.all(
      symbols.map((symbol) => getData(`${CASH_FLOWS}?symbol=${symbol}`)),
    );
    const flows = await getData(`${CASH_FLOWS}?symbol=bond1,NOTERMS,zz-bill91,nobody`);
    expect(flows).toEqual(each.flat());
    const { symbol, isin, type, name, maturityDate, couponRate } = flows.at(1) ?? {};
    expect([symbol, isin, type, name, couponRate]).toEqual(['BOND1', 'ZZ-BOND1', 'bond', null, 10]);
    expect(flows.find(({ principal }) => principal === 100)?.maturityDate).toBe('2026-09-29');
    expect(maturityDate).toBe('2028-06-11');
    const [figures] = await getData(`${ANALYTICS}?symbol=BOND1`);
    expect(figures).toMatchObject({ isin, type, name, maturityDate, couponRate });
  });

  test('need a symbol, and 50 at most', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `S${index}`).join();
    for (const query of ['', `?symbol=${many}`, '?symbol=']) {
      const response = await service.request(`${CASH_FLOWS}${query}`);
      expect(response.status).toBe(400);
      expect(await errorMessage(response)).toContain('must be at most 50 symbols or ISINs');
    }
  });
});

describe('a floater', () => {
  const getFigures = async (symbol = 'FLOATER') =>
    (await getData(`${ANALYTICS}?symbol=${symbol}&date=${MARKET_DATE}`))[0];

  test('has interest, dirty price and discount margin if coupon-rates has its current rate', async () => {
    expect(await getFigures()).toMatchObject({
      accrued: null,
      dirtyPrice: null,
      discountMargin: null,
      couponRate: 12,
    });
    const unknown = await getFigures('NOTERMS');
    await service.store.publish(couponRates, [
      { symbol: 'floater', from: '2025-12-30', rate: 12 },
      { symbol: 'floater', from: '2026-06-30', rate: 11.5 },
      { symbol: 'other', from: '2026-06-30', rate: 1 },
    ]);
    const { data: curves } = await service.getJson(`/2.0/bnb/curve?date=${MARKET_DATE}&tenors=6M`);
    const known = (await getFigures()) as Record<string, number>;
    const { cleanPrice = 0, accrued = 0, dirtyPrice, discountMargin = 0 } = known;
    expect(known.couponRate).toBe(11.5);
    expect(accrued).toBeCloseTo(5.75 / 183, 7);
    expect(dirtyPrice).toBeCloseTo(cleanPrice + accrued, 7);
    const bond = { maturity: parseDay('2031-06-30'), couponRate: 11.5, frequency: 2 } as const;
    const ytm = yieldToMaturity(bond, parseDay('2026-07-01'), cleanPrice);
    expect(discountMargin).toBeCloseTo((ytm - curves[0].points[0].zero) * 100, 3);
    // A rate says nothing of duration, or of other securities.
    expect(known).toMatchObject({ convexity: null, zSpread: null, carry: null });
    expect(await getFigures('NOTERMS')).toEqual(unknown);
    expect(await getData(`${ANALYTICS}?symbol=FLOATER&as_of=1`)).toEqual([]);
  });
});

describe('carry, roll-down and Z-spread', () => {
  const getFigures = async (query: string) => (await getData(`${ANALYTICS}?symbol=${query}`))[0];

  test('are of a horizon, financed at the rate that is given', async () => {
    const days = 92; // From 1 July to 1 October.
    const { ytm, carry, rollDown, zSpread } = (await getFigures('BILL182&repo=10')) ?? {};
    const [left, total] = [181 - days, 181].map((time) => 1 + (Number(ytm) / 100) * (time / 365));
    const gain = Number(total) / Number(left) - (1 + (0.1 * days) / 365);
    expect(carry).toBeCloseTo(gain * 100, 7);
    expect(await getFigures('BILL182&horizon=3M')).toMatchObject({ rollDown, zSpread });
    expect((await getFigures('BILL182&repo=10&horizon=1M'))?.carry).toBeLessThan(Number(carry));
    expect(Math.abs(Number(zSpread))).toBeLessThan(1);
  });

  test('are null beyond maturity and of a floater', async () => {
    expect(await getFigures('BILL182&horizon=6M')).toMatchObject({
      carry: null,
      rollDown: null,
      zSpread: expect.any(Number),
    });
    const unknown = { carry: null, rollDown: null, zSpread: null };
    for (const symbol of ['FLOATER', 'NOTERMS', 'NOPRICE', 'MATURED'])
      expect(await getFigures(`${symbol}&date=${MARKET_DATE}`)).toMatchObject(unknown);
  });

  test('of a market of one bill have no curve: a carry follows only from a given rate', async () => {
    const unknown = { symbol: 'LONE', spread: null, rollDown: null, zSpread: null };
    expect(await getData(ANALYTICS)).toMatchObject([{ ...unknown, carry: null }]);
    expect(await getData(`${ANALYTICS}?repo=-1.5`)).toMatchObject([
      { ...unknown, carry: expect.any(Number) },
    ]);
    expect(await getData(`${CASH_FLOWS}?symbol=LONE`)).toMatchObject([
      { date: '2027-07-02', amount: 100, years: 1, discountFactor: null, presentValue: null },
    ]);
  });

  test.each([
    ['horizon=2M', 'parameter "horizon" must be one of 1M, 3M, 6M, 1Y'],
    ['repo=100', 'parameter "repo" must be a rate in percent between -100 and 100'],
    ['repo=1e1', 'parameter "repo" must be a rate in percent between -100 and 100'],
  ])('reject %s', async (query, message) => {
    const response = await service.request(`${ANALYTICS}?${query}`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toStartWith(message);
  });
});
