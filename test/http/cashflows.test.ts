import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
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

  test('need a symbol, one only', async () => {
    for (const query of ['', '?symbol=BOND1,BOND2', '?symbol=']) {
      const response = await service.request(`${CASH_FLOWS}${query}`);
      expect(response.status).toBe(400);
      expect(await errorMessage(response)).toEndWith('must be one symbol or ISIN');
    }
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
