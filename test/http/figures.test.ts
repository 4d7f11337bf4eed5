import { describe, expect, test } from 'bun:test';
import { CURVE_FIT_VERSION, getParRate, getZeroRate } from '../../src/bonds/curve/index.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { analyticsOperation } from '../../src/operations/analytics/analytics-operation.ts';
import { curveOperation } from '../../src/operations/curve/curve-operation.ts';
import { createCurveRoute } from '../../src/operations/curve/curve-route.ts';
import { MARKET_CURVE, MARKET_DATE, writeCurveMarket } from '../support/curve-market.ts';
import { retryUntil } from '../support/eventually.ts';
import { fetchPages } from '../support/follow-links.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const CURVE = '/2.0/bnb/curve';
const ANALYTICS = '/2.0/bnb/analytics';

const T2_DATE = '2026-05-29';
const T2_HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume,couponRate,couponFrequency,pricing,issueDate';
const T2_DAYS = [
  [
    '2026-05-28,T2OLD,ZZ0000000016,bond,2031-03-20,0,0,98,0,0,0,12,12,,',
    '2026-05-28,T2STRIP,ZZ0000000032,bond,2036-06-02,0,0,30,0,0,0,,,zero,',
  ],
  [
    `${T2_DATE},T2NEW,ZZ0000000016,bond,2031-03-20,0,0,98,0,0,0,,,,`,
    // On 2 June, 730 days are left, which six decimals of years do not tell from fewer.
    `${T2_DATE},T2ROUND,ZZ0000000024,bond,2028-06-01,0,0,99,0,0,0,10,2,,2026-05-04`,
    `${T2_DATE},T2STRIP,ZZ0000000032,bond,2036-06-02,0,0,30,0,0,0,,,,`,
  ],
];

const ISIN_QUOTE = '2026-05-27,BYISIN,zz0000000040,bond,2031-05-29,0,0,100,0,0,0,,,,';

const service = useTestServer(async () => {
  const workspace = await createLoadWorkspace();
  workspace.writeFile('market.csv', writeCurveMarket());
  await workspace.load(quotes, 'market.csv');
  // Two days of a market that settles at T+2, and in which a security is renamed.
  for (const [index, lines] of T2_DAYS.entries()) {
    workspace.writeFile(`t2-${index}.csv`, [T2_HEADER, ...lines].join('\n'));
    await workspace.load(quotes, `t2-${index}.csv`, { mapping: { settlementDays: 2 } });
  }
  // Reference data by ISIN describes a symbol that is quoted with it in other letters.
  workspace.writeFile('isins.csv', 'isin,name,couponRate\nZZ0000000040,By ISIN,10\n');
  await workspace.load(securities, 'isins.csv');
  workspace.writeFile('isin.csv', `${T2_HEADER}\n${ISIN_QUOTE}\n`);
  await workspace.load(quotes, 'isin.csv');
  return workspace.store;
});

const readRevision = async () =>
  (await service.request('/revisions')).headers.get('tenor-revision') ?? '';

describe('the curve', () => {
  test('is the one that prices were made from, with what was left out and why', async () => {
    const { data } = await service.getJson(`${CURVE}?tenors=3M,1Y,5Y,10Y`);
    const [curve] = data;
    expect(data).toHaveLength(1);
    expect(Object.keys(curve)).toEqual(
      Object.keys(curveOperation.dataSchema.items.properties as object),
    );
    expect(curve).toMatchObject({ date: MARKET_DATE, market: 'government', method: 'svensson' });
    expect(curve.used).toBe(23);
    expect(curve.usedSymbols).toHaveLength(23);
    expect(curve.reason).toBeNull();
    expect(curve.rmse).toBeLessThan(0.2);
    expect(curve.leftOut).toEqual([
      { symbol: 'MATURED', reason: 'matured' },
      { symbol: 'NOPRICE', reason: 'no price' },
      { symbol: 'NOTERMS', reason: 'no terms' },
      { symbol: 'OUTLIER', reason: 'outlier' },
    ]);
    for (const { years, zero, par, yield: fitted, discountFactor } of curve.points) {
      expect(Math.abs(zero - getZeroRate(MARKET_CURVE, years))).toBeLessThan(0.005);
      expect(Math.abs(par - getParRate(MARKET_CURVE, years))).toBeLessThan(0.005);
      expect(discountFactor).toBeCloseTo((1 + zero / 200) ** (-2 * years), 6);
      expect(Math.abs(fitted - zero)).toBeLessThan(0.5);
    }
  });

  test('has a point for each of the twelve tenors, with nulls beyond the longest maturity', async () => {
    const { data } = await service.getJson(CURVE);
    const { points } = data[0];
    expect(points.map(({ tenor }: { tenor: string }) => tenor).join()).toBe(
      '1M,3M,6M,1Y,2Y,3Y,5Y,7Y,10Y,15Y,20Y,30Y',
    );
    expect(points.at(-1)).toEqual({
      tenor: '30Y',
      years: 30,
      yield: null,
      zero: null,
      par: null,
      forward: null,
      discountFactor: null,
    });
    expect(points[7].zero).toBeGreaterThan(12);
  });

  test('comes for each date once, newest first, with nulls if there are no quotes', async () => {
    const dates = ['2026-06-29', MARKET_DATE, '2026-06-28', '2199-01-01', MARKET_DATE];
    const { data } = await service.getJson(`${CURVE}?date=${dates.join()}&tenors=1Y`);
    expect(data.map(({ date }: { date: string }) => date)).toEqual([
      '2199-01-01',
      MARKET_DATE,
      '2026-06-29',
      '2026-06-28',
    ]);
    expect(data[0]).toMatchObject({
      method: null,
      parameters: null,
      rmse: null,
      used: 0,
      reason: 'no quotes',
    });
    expect(data[0].points).toEqual([
      {
        tenor: '1Y',
        years: 1,
        yield: null,
        zero: null,
        par: null,
        forward: null,
        discountFactor: null,
      },
    ]);
    expect(data[1].method).toBe('svensson');
  });

  test('of a market without quotes is an empty list, or nulls on a date', async () => {
    expect(await service.getJson(`${CURVE}?market=corporate`)).toEqual({ status: 'ok', data: [] });
    const { data } = await service.getJson(`${CURVE}?market=corporate&date=${MARKET_DATE}`);
    expect(data[0]).toMatchObject({ market: 'corporate', method: null, leftOut: [] });
  });

  test('is a row for each date and tenor in CSV', async () => {
    const target = `${CURVE}?date=2026-06-29,${MARKET_DATE}&tenors=1Y,30Y`;
    const response = await service.request(target, { accept: 'text/csv' });
    const lines = (await response.text()).trim().split(/\r?\n/);
    expect(lines[0]).toBe(
      'date,market,method,rmse,used,tenor,years,yield,zero,par,forward,discountFactor,fit',
    );
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^2026-06-30,government,svensson,[\d.]+,23,1Y,1,12\.\d+,/);
    expect(lines[2]).toEndWith(`,30Y,30,,,,,,${CURVE_FIT_VERSION}`);
    const fields = await service.request(`${target}&format=csv&fields=fit,tenor,date`);
    expect((await fields.text()).split('\r\n').slice(0, 2)).toEqual([
      'date,tenor,fit',
      `${MARKET_DATE},1Y,${CURVE_FIT_VERSION}`,
    ]);
    const objects = await service.request(`${target}&format=ndjson&fields=fit,tenor,date`);
    expect((await objects.text()).split('\n')[0]).toBe(
      `{"date":"${MARKET_DATE}","points":[{"tenor":"1Y"},{"tenor":"30Y"}],"fit":${CURVE_FIT_VERSION}}`,
    );
  });

  test('and the analytics name the version of the fit, with quotes and without', async () => {
    const { data: curves } = await service.getJson(`${CURVE}?date=2199-01-01,${MARKET_DATE}`);
    const { data: figures } = await service.getJson(ANALYTICS);
    for (const { fit } of [...curves, ...figures]) expect(fit).toBe(CURVE_FIT_VERSION);
    const [curve] = curveOperation.example;
    const [bond] = analyticsOperation.example;
    expect([curve.fit, bond.fit]).toEqual([CURVE_FIT_VERSION, CURVE_FIT_VERSION]);
    expect(Object.keys(curves[0]).slice(-3)).toEqual(['usedSymbols', 'fit', 'reason']);
    expect(Object.keys(figures[0]).slice(-7, -5)).toEqual(['fit', 'discountMargin']);
  });

  test.each([
    ['date=2026-02-30', 'date'],
    ['date=2026-06-30,', 'date'],
    [`date=${Array.from({ length: 13 }, (_, day) => `2026-06-${day + 10}`).join()}`, 'date'],
    ['tenors=0M', 'tenors'],
    ['tenors=1.5Y', 'tenors'],
    ['tenors=101Y', 'tenors'],
    ['tenors=1q', 'tenors'],
    ['market=all', 'market'],
    ['symbol=a', 'symbol'],
  ])('rejects %s and names the parameter', async (query, parameter) => {
    const response = await service.request(`${CURVE}?${query}`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain(`parameter "${parameter}"`);
  });
});

describe('the analytics of a bond', () => {
  test('follow from its quote and its terms', async () => {
    const { data } = await service.getJson(`${ANALYTICS}?symbol=bond0&date=${MARKET_DATE}`);
    const [record] = data;
    expect(data).toHaveLength(1);
    expect(record).toMatchObject({
      date: MARKET_DATE,
      symbol: 'BOND0',
      settlementDate: '2026-07-01',
    });
    const [stored] = (await service.getJson(`/2.0/bnb/quote?symbol=BOND0`)).data;
    // Coupons of 4.5 on 15 March and 15 September: 108 of 184 days of interest.
    expect(record.accrued).toBeCloseTo((4.5 * 108) / 184, 8);
    expect(record.dirtyPrice).toBeCloseTo(stored.lastPrice + record.accrued, 8);
    expect(record.ytm).toBeCloseTo(stored.ytm, 5);
    expect(record.modifiedDuration).toBeCloseTo(stored.duration, 5);
    expect(record.dv01).toBeCloseTo((record.modifiedDuration * record.dirtyPrice) / 10_000, 8);
    expect(record.macaulayDuration).toBeCloseTo(
      record.modifiedDuration * (1 + record.ytm / 200),
      6,
    );
    expect(record.convexity).toBeGreaterThan(record.modifiedDuration);
    expect(Math.abs(record.spread)).toBeLessThan(30);
  });

  test('follow from the terms of an ISIN that reference data has without a symbol', async () => {
    const { data } = await service.getJson(`${ANALYTICS}?symbol=BYISIN`);
    expect(data).toMatchObject([{ symbol: 'BYISIN', settlementDate: '2026-05-28' }]);
    expect(data[0].accrued).toBeCloseTo(5 * (180 / 181), 8);
    const list = await service.getJson('/2.0/bnb/securities?q=ZZ0000000040');
    expect(list.data).toMatchObject([
      { symbol: 'BYISIN', isin: 'zz0000000040', name: 'By ISIN', couponRate: 10 },
    ]);
  });

  test('are for the settlement day that the quotes were loaded with', async () => {
    const symbols = 'T2NEW,T2ROUND,T2STRIP';
    const { data } = await service.getJson(`${ANALYTICS}?symbol=${symbols}&date=${T2_DATE}`);
    const stored = await service.getJson(`/2.0/bnb/quote?symbol=${symbols}&date=${T2_DATE}`);
    for (const [index, { symbol, ytm, modifiedDuration }] of data.entries()) {
      const quote = stored.data[index];
      expect(quote.symbol).toBe(symbol);
      expect(ytm).toBeCloseTo(quote.ytm, 5);
      expect(modifiedDuration).toBeCloseTo(quote.duration, 5);
    }
    const [renamed, round, strip] = data;
    for (const { settlementDate } of data) expect(settlementDate).toBe('2026-06-02');
    // Monthly coupons of 1, by the terms of its old symbol: 13 of 31 days.
    expect(renamed.accrued).toBeCloseTo(13 / 31, 8);
    // Issued 28 days before 1 June, so that the first coupon is a long one, on 1 December.
    expect(round.accrued).toBeCloseTo(5 * (28 / 182 + 1 / 183), 8);
    expect(strip).toMatchObject({ accrued: 0, macaulayDuration: 10 });
    expect(strip.ytm).toBeCloseTo(200 * ((100 / 30) ** (1 / 20) - 1), 7);
  });

  test('have a spread over the government yield of the curve at the same maturity', async () => {
    const [bond] = (await service.getJson(`/2.0/bnb/quote?symbol=BOND4`)).data;
    const days = Math.round(bond.maturityYears * 365);
    const { data } = await service.getJson(`${CURVE}?tenors=${days}D`);
    const [record] = (await service.getJson(`${ANALYTICS}?symbol=BOND4`)).data;
    expect(record.spread).toBeCloseTo((record.ytm - data[0].points[0].yield) * 100, 2);
  });

  test('have spreads over the curve of each date in a range of dates', async () => {
    const range = 'symbol=BOND4,BILL91&from=2026-01-01';
    const { data } = await service.getJson(`${ANALYTICS}?${range}`);
    const { data: stored } = await service.getJson(`/2.0/bnb/quote?${range}`);
    expect(data).toHaveLength(4);
    for (const [index, { date, ytm, spread }] of data.entries()) {
      const days = Math.round(stored[index].maturityYears * 365);
      const { data: curves } = await service.getJson(`${CURVE}?date=${date}&tenors=${days}D`);
      expect(spread).toBeCloseTo((ytm - curves[0].points[0].yield) * 100, 2);
    }
    // The market of the two dates differs.
    expect(new Set(data.map(({ spread }: { spread: number }) => spread)).size).toBe(4);
  });

  test('are null if terms or prices are not known, but for what is quoted', async () => {
    const read = async (symbol: string) =>
      (await service.getJson(`${ANALYTICS}?symbol=${symbol}&date=${MARKET_DATE}`)).data[0];
    const unknown = {
      accrued: null,
      dirtyPrice: null,
      macaulayDuration: null,
      convexity: null,
      dv01: null,
    };
    expect(await read('NOTERMS')).toMatchObject({
      ...unknown,
      cleanPrice: 99,
      ytm: 12.1,
      modifiedDuration: 2.9,
      spread: expect.any(Number),
    });
    const nothing = { ...unknown, ytm: null, modifiedDuration: null, spread: null };
    expect(await read('NOPRICE')).toMatchObject({ ...nothing, cleanPrice: null });
    expect(await read('MATURED')).toMatchObject({ ...nothing, cleanPrice: 100 });
  });

  test('come in pages, newest first, and in CSV', async () => {
    const first = await service.request(`${ANALYTICS}?symbol=BILL91&from=2026-06-01&limit=1`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await service.request(next);
    const bodies = (await Promise.all([first.json(), second.json()])) as {
      data: { date: string }[];
    }[];
    expect(bodies.flatMap(({ data }) => data.map(({ date }) => date))).toEqual([
      MARKET_DATE,
      '2026-06-29',
    ]);
    expect(second.headers.get('link') ?? '').not.toContain('rel="next"');
    const csv = await service.request(`${ANALYTICS}?symbol=BILL91`, { accept: 'text/csv' });
    expect((await csv.text()).split('\n')[0]?.trim()).toBe(
      'date,symbol,settlementDate,cleanPrice,accrued,dirtyPrice,ytm,macaulayDuration,modifiedDuration,convexity,dv01,spread,carry,rollDown,zSpread,fit,discountMargin,isin,type,name,maturityDate,couponRate',
    );
  });

  test('come for several symbols, the newest of each, and in ascending order', async () => {
    const { data } = await service.getJson(`${ANALYTICS}?symbol=BILL91,nobody,zz-bond2`);
    expect(data.map(({ date, symbol }: Record<string, string>) => `${date} ${symbol}`)).toEqual([
      `${MARKET_DATE} BILL91`,
      `${MARKET_DATE} BOND2`,
    ]);
    const ascending = await service.getJson(`${ANALYTICS}?symbol=BILL91&to=2026-06-30&sort=asc`);
    expect(ascending.data.map(({ date }: Record<string, string>) => date)).toEqual([
      '2026-06-29',
      MARKET_DATE,
    ]);
  });

  test('are those of every security of a range of dates without a symbol, in pages', async () => {
    const range = `${ANALYTICS}?from=2026-06-29&to=${MARKET_DATE}&market=government`;
    const dates = ['2026-06-29', MARKET_DATE];
    const days = await Promise.all(
      dates.map(async (date) => (await service.getJson(`${ANALYTICS}?date=${date}`)).data),
    );
    expect((await service.getJson(range)).data).toEqual([...days[1], ...days[0]]);
    const pages = await fetchPages((target) => service.request(target), `${range}&limit=11`);
    expect(pages.flat()).toEqual([...days[1], ...days[0]]);
    const oldest = await service.getJson(`${range}&sort=asc&type=tbill`);
    expect(oldest.data[0]).toMatchObject({ date: '2026-06-29', type: 'tbill' });
  });

  test('are those of every security of one date without a symbol; an unknown one has none', async () => {
    const list = async (query: string) => {
      const { data } = await service.getJson(`${ANALYTICS}?${query}`);
      return data.map(({ date, symbol }: { date: string; symbol: string }) => `${date} ${symbol}`);
    };
    const { data: quoted } = await service.getJson('/2.0/bnb/quote');
    const all = quoted.map(
      (each: { date: string; symbol: string }) => `${each.date} ${each.symbol}`,
    );
    expect(await list('')).toEqual(all);
    expect(await list(`date=${MARKET_DATE}&market=government`)).toEqual(all);
    expect(await list('market=corporate')).toEqual([]);
    expect(await list('type=tbill')).toEqual(
      all.filter((text: string) => /BILL|MATURED/.test(text)),
    );
    const pages = await fetchPages((target) => service.request(target), `${ANALYTICS}?limit=7`);
    expect(pages.flat().map(({ date, symbol }) => `${date} ${symbol}`)).toEqual(all);
    expect(await service.getJson(`${ANALYTICS}?symbol=nobody`)).toEqual({ status: 'ok', data: [] });
    const both = await service.request(`${ANALYTICS}?symbol=a&date=2026-06-30&to=2026-06-30`);
    expect(both.status).toBe(400);
  });
});

test('a curve of each date is estimated to cost as much', () => {
  const route = createCurveRoute();
  const estimate = (...dates: string[]) => route.cost({ curve: { dates } } as never);
  const [one = 0, three] = [estimate('a'), estimate('a', 'b', 'c')];
  expect(one).toBeGreaterThan(1);
  expect(three).toBe(3 * one);
});

// The last tests: they publish.
test('a floater has what is quoted, and nothing computed; without a yield it has no duration', async () => {
  const bond = {
    type: 'bond',
    date: MARKET_DATE,
    maturityDate: '2031-06-30',
    duration: 2.9,
  } as const;
  const terms = { couponRate: 12, couponFrequency: 2, pricing: 'coupon', floating: true } as const;
  await service.store.publish(securities, [{ ...securities.example, symbol: 'FLOATER', ...terms }]);
  await service.store.publish(quotes, [
    quote({ ...bond, symbol: 'FLOATER', isin: 'ZZ-FLOATER', ytm: 12.5 }),
    quote({ ...bond, symbol: 'NOYIELD', isin: 'ZZ-NOYIELD', ytm: 0 }),
  ]);
  const target = `${ANALYTICS}?symbol=FLOATER,NOYIELD&date=${MARKET_DATE}`;
  await retryUntil(5_000, async () =>
    expect((await service.getJson(target)).data).toMatchObject([
      { symbol: 'FLOATER', ytm: 12.5, modifiedDuration: 2.9, accrued: null, dv01: null },
      { symbol: 'NOYIELD', ytm: null, modifiedDuration: null, accrued: null, spread: null },
    ]),
  );
});

test('there is no spread before the shortest and after the longest government paper', async () => {
  const corporate = { type: 'corporate', date: MARKET_DATE, ytm: 12 } as const;
  await service.store.publish(quotes, [
    quote({ ...corporate, symbol: 'SHORT', maturityDate: '2026-07-10', maturityYears: 0.03 }),
    quote({ ...corporate, symbol: 'MIDDLE', maturityDate: '2031-06-30', maturityYears: 5 }),
    quote({ ...corporate, symbol: 'LONG', maturityDate: '2060-06-30', maturityYears: 34 }),
  ]);
  const target = `${ANALYTICS}?symbol=SHORT,MIDDLE,LONG&date=${MARKET_DATE}`;
  await retryUntil(5_000, async () => {
    const { data } = await service.getJson(target);
    const spreads = data.map(({ spread }: { spread: number | null }) => spread);
    expect(spreads).toEqual([null, expect.any(Number), null]);
  });
});

test('figures follow a new revision, and remain as they were as of the one before', async () => {
  const revision = await readRevision();
  const before = await service.getJson(`${CURVE}?tenors=1Y`);
  const bill = {
    type: 'tbill' as const,
    lastPrice: 99,
    maturityDate: '2026-08-14',
    ytm: 8,
    maturityYears: 0.12,
  };
  await service.store.publish(quotes, [quote({ ...bill, date: '2026-07-01', symbol: 'ALONE' })]);
  // A market of one bill has no curve, and says so.
  await retryUntil(5_000, async () => {
    const { data } = await service.getJson(`${CURVE}?tenors=1M`);
    expect(data[0]).toMatchObject({ date: '2026-07-01', method: null, used: 0, usedSymbols: [] });
    expect(data[0].leftOut).toEqual([{ symbol: 'ALONE', reason: 'no fit' }]);
    expect(data[0].reason).toBe('1 maturity; a fit needs 5');
  });
  expect(await service.getJson(`${CURVE}?tenors=1Y&as_of=${revision}`)).toEqual(before);
});
