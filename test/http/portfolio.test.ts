import { describe, expect, test } from 'bun:test';
import { couponRates } from '../../src/catalogue/datasets/coupon-rates.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { MARKET_DATE, writeCurveMarket } from '../support/curve-market.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const PORTFOLIO = '/2.0/bnb/portfolio';
const PRICE = '/2.0/bnb/price';
const ANALYTICS = '/2.0/bnb/analytics';
const FLOATERS = ['FLOATER', 'UNKNOWN'];

describe.each([...ENGINES])('$name', ({ createStore }) => {
  const service = useTestServer(async () => {
    const workspace = await createLoadWorkspace(createStore);
    workspace.writeFile('market.csv', writeCurveMarket());
    await workspace.load(quotes, 'market.csv');
    const floating = {
      couponRate: 12,
      couponFrequency: 2,
      pricing: 'coupon',
      floating: true,
      name: 'F',
    } as const;
    await workspace.store.publish(
      securities,
      FLOATERS.map((symbol) => ({ ...securities.example, symbol, isin: null, ...floating })),
    );
    const discount = { ...securities.example, symbol: 'LONG', isin: null, settlementDays: null };
    await workspace.store.publish(securities, [{ ...discount, issueDate: null, calendar: null }]);
    await workspace.store.publish(couponRates, [
      { symbol: 'FLOATER', from: '2026-05-15', rate: 11.5 },
    ]);
    const bond = { type: 'bond', date: MARKET_DATE } as const;
    await workspace.store.publish(quotes, [
      ...FLOATERS.map((symbol) =>
        quote({
          ...bond,
          symbol,
          isin: `X${symbol}`,
          maturityDate: '2030-11-15',
          maturityYears: 4.38,
        }),
      ),
      quote({
        ...bond,
        symbol: 'LONG',
        type: 'corporate',
        maturityDate: '2070-07-01',
        maturityYears: 44,
      }),
      quote({ date: '2026-05-29', symbol: 'OLD', maturityDate: '2026-12-03' }),
      quote({ date: '2026-05-29', symbol: 'GONE', maturityDate: '2026-06-15' }),
    ]);
    return workspace.store;
  });

  const getData = async (target: string) => (await service.getJson(target)).data;
  const getFirst = async (target: string) => (await getData(target))[0] as AnyRecord;
  const getError = async (target: string) => {
    const response = await service.request(target);
    return [response.status, await errorMessage(response)];
  };
  const number = (value: unknown) => value as number;

  describe('a portfolio', () => {
    const positions = 'BOND3:1000000,ZZ-BILL91:-250000.5,bond9:2000000';

    test('has the figures of each position at its newest quote, and their total', async () => {
      const [bond, bill, other, total] = await getData(`${PORTFOLIO}?positions=${positions}`);
      for (const [record, symbol, face] of [
        [bond, 'BOND3', 1_000_000],
        [bill, 'BILL91', -250_000.5],
        [other, 'BOND9', 2_000_000],
      ] as const) {
        const figures = await getFirst(`${ANALYTICS}?symbol=${symbol}`);
        const { dirtyPrice, accrued, dv01, ytm, modifiedDuration, convexity } = figures;
        expect(record).toMatchObject({ kind: 'position', symbol, face, reason: null });
        expect(record).toMatchObject({
          yield: ytm,
          modifiedDuration,
          convexity,
          date: MARKET_DATE,
        });
        expect(record?.marketValue).toBeCloseTo((number(dirtyPrice) * face) / 100, 1);
        expect(record?.accrued).toBeCloseTo((number(accrued) * face) / 100, 1);
        expect(record?.dv01).toBeCloseTo((number(dv01) * face) / 100, 3);
      }
      const parts = [bond, bill, other] as AnyRecord[];
      const sum = (name: string) => parts.reduce((value, part) => value + number(part[name]), 0);
      const mean = (name: string) =>
        parts.reduce((value, part) => value + number(part[name]) * number(part.marketValue), 0) /
        sum('marketValue');
      expect(total).toMatchObject({ kind: 'total', symbol: null, date: MARKET_DATE, reason: null });
      for (const name of ['face', 'marketValue', 'accrued', 'dv01'])
        expect(total?.[name]).toBeCloseTo(sum(name), 5);
      for (const name of ['yield', 'modifiedDuration', 'convexity', 'effectiveDuration'])
        expect(total?.[name]).toBeCloseTo(mean(name), 6);
    });

    test('has key-rate durations that add up to the effective duration', async () => {
      for (const tenors of ['', '&key_rates=6M,3Y,4y', '&key_rates=10Y,1Y', '&key_rates=5Y']) {
        const records = await getData(`${PORTFOLIO}?positions=${positions}${tenors}`);
        for (const { keyRates, effectiveDuration } of records) {
          const durations = Object.values<number>(keyRates);
          expect(durations.reduce((sum, each) => sum + each, 0)).toBeCloseTo(effectiveDuration, 5);
        }
      }
      const [record] = await getData(`${PORTFOLIO}?positions=BILL91:1&key_rates=10Y,1Y`);
      expect(record?.keyRates).toEqual({ '1Y': record?.effectiveDuration, '10Y': 0 });
    });

    test('is worth under a shift what its securities are at a spread that is as much wider', async () => {
      const records = await getData(
        `${PORTFOLIO}?positions=BOND3:100,BILL91:-50&shift=-300,0,%2B100`,
      );
      for (const [index, symbol, face] of [
        [0, 'BOND3', 100],
        [1, 'BILL91', -50],
      ] as const) {
        const { zSpread } = await getFirst(`${ANALYTICS}?symbol=${symbol}`);
        for (const [name, shift] of Object.entries({ '-300bp': -300, '+0bp': 0, '+100bp': 100 })) {
          const spread = (number(zSpread) + shift).toFixed(8);
          const { dirtyPrice } = await getFirst(`${PRICE}?symbol=${symbol}&spread=${spread}`);
          const { values } = records[index];
          expect(number(values[name])).toBeCloseTo((number(dirtyPrice) * face) / 100, 6);
        }
      }
      const { marketValue, values } = records[2];
      expect(number(values['+0bp'])).toBeCloseTo(number(marketValue), 7);
    });

    test('lists what has no value with its reason, and never counts it as zero', async () => {
      const odd = 'nobody:1,MATURED:1,GONE:1,NOPRICE:1,NOTERMS:1,UNKNOWN:1';
      const records = await getData(`${PORTFOLIO}?positions=${odd},BOND3:100&shift=10`);
      const none = {
        marketValue: null,
        dv01: null,
        effectiveDuration: null,
        keyRates: { '1Y': null },
      };
      const reasons = ['not quoted', 'matured', 'matured', 'no price', 'no terms', 'no rate'];
      expect(records).toMatchObject([...reasons.map((reason) => ({ ...none, reason })), {}, {}]);
      const { reason, face, marketValue, values } = records.at(-1);
      expect([reason, face]).toEqual(['without 6 of 7 positions', 100]);
      expect([marketValue, values]).toEqual([records.at(-2)?.marketValue, records.at(-2)?.values]);
      const [, total] = await getData(`${PORTFOLIO}?positions=nobody:5`);
      expect(total).toMatchObject({ face: 0, marketValue: null, accrued: null });
    });

    test('has no values at other rates beyond the curve, nor has its total', async () => {
      const records = await getData(`${PORTFOLIO}?positions=LONG:100,BOND3:100&shift=10`);
      const unknown = {
        effectiveDuration: null,
        keyRates: { '1Y': null },
        values: { '+10bp': null },
      };
      expect(records[0]).toMatchObject({ ...unknown, reason: 'no curve' });
      expect(records[0]?.marketValue).toBeGreaterThan(0);
      expect(records[2]).toMatchObject({ ...unknown, reason: 'no curve for 1' });
      expect(records[2]?.modifiedDuration).toBeGreaterThan(0);
    });

    test('has of a floater whose rate is known the durations to its next coupon', async () => {
      const [record] = await getData(`${PORTFOLIO}?positions=FLOATER:100&key_rates=1Y,5Y`);
      const years = 137 / 365; // From 1 July to 15 November.
      expect(record?.effectiveDuration).toBeCloseTo(record?.modifiedDuration ?? 0, 6);
      expect(number(record?.modifiedDuration) / years).toBeCloseTo(0.95, 1);
      expect(record?.keyRates).toMatchObject({ '5Y': 0 });
      expect(record?.accrued).toBeCloseTo((11.5 / 2) * (47 / 184), 6);
    });

    test('is valued up to a date, at quotes that may be older, and as of a revision', async () => {
      const [old] = await getData(`${PORTFOLIO}?positions=OLD:100`);
      expect(old).toMatchObject({ date: '2026-05-29', reason: 'no curve' });
      const [before] = await getData(`${PORTFOLIO}?positions=BOND3:100&date=2026-06-29`);
      const [figures] = await getData(`${ANALYTICS}?symbol=BOND3&date=2026-06-29`);
      expect(before?.marketValue).toBeCloseTo(figures?.dirtyPrice ?? 0, 6);
      const [gone] = await getData(`${PORTFOLIO}?positions=GONE:100&date=2026-05-29`);
      expect(gone?.marketValue).toBeGreaterThan(0);
      const [unknown] = await getData(`${PORTFOLIO}?positions=OLD:100&as_of=1`);
      expect(unknown?.reason).toBe('not quoted');
    });

    test('has the face values of all positions without traces of binary fractions', async () => {
      const records = await getData(`${PORTFOLIO}?positions=BOND3:0.1,BOND3:0.2`);
      expect(records.at(-1)).toMatchObject({ face: 0.3 });
    });

    test('takes as many decimals as a computed number has', async () => {
      const [position] = await getData(
        `${PORTFOLIO}?positions=BOND3:33333333.333333332,BOND9:0.00000000011641532182693481&shift=33.333333333333336`,
      );
      expect(position).toMatchObject({ face: 33333333.333333332 });
      const target = `${PRICE}?symbol=BOND3&repo=11.111111111111111&yield=`;
      expect(await getFirst(`${target}11.1111111111111107`)).toMatchObject({ ytm: 11.11111111 });
    });

    test('is a table with a column for each tenor and shift', async () => {
      const target = `${PORTFOLIO}?positions=BOND3:100&key_rates=1Y,5Y&shift=-100,100`;
      const { data } = await service.getJson(target);
      const lines = (await (await service.request(`${target}&format=csv`)).text())
        .trim()
        .split(/\r?\n/);
      expect(lines[0]).toEndWith('keyRates.1Y,keyRates.5Y,values.-100bp,values.+100bp,reason,fit');
      expect(lines).toHaveLength(3);
      const fields = await service.request(`${target}&format=csv&fields=symbol,values,keyRates`);
      expect((await fields.text()).trim().split(/\r?\n/)[1]).toBe(
        ['BOND3', ...Object.values(data[0].keyRates), ...Object.values(data[0].values)].join(),
      );
      for (const format of ['ndjson', 'arrow', 'parquet', 'xlsx'])
        expect((await service.request(`${target}&format=${format}`)).status).toBe(200);
    });

    test('of 200 positions is one request; a longer address is 414', async () => {
      const many = Array.from({ length: 200 }, (_, index) => `BOND${index % 14}:${index}`);
      expect(await getData(`${PORTFOLIO}?positions=${many}`)).toHaveLength(201);
      expect((await getError(`${PORTFOLIO}?positions=${many},BOND1:1`))[1]).toEndWith(
        'there are 201',
      );
      const long = many.map((_, index) => `${`S${index}`.padEnd(40, 'x')}:1`);
      expect(await getError(`${PORTFOLIO}?positions=${long}`)).toEqual([
        414,
        'the address is longer than 8000 bytes; ask for fewer positions at once',
      ]);
    });

    test.each([
      ['', 'parameter "positions" is missing; it must be up to 200 positions SYMBOL:FACE'],
      ['positions=A:1,B', 'parameter "positions" must be up to 200 positions SYMBOL:FACE'],
      ['positions=A:1e6', 'parameter "positions" must be up to 200 positions'],
      ['positions=A:1&shift=1,x', 'parameter "shift" must be up to 12 numbers of basis points'],
      ['positions=A:1&shift=10001', 'parameter "shift" must be'],
      ['positions=A:1&key_rates=1Y,12M', 'parameter "key_rates" must be up to 30 different tenors'],
      ['positions=A:1&limit=2', 'unknown parameter "limit"'],
    ])('rejects %s', async (query, message) => {
      const [status, text] = await getError(`${PORTFOLIO}?${query}`);
      expect([status, String(text).slice(0, message.length)]).toEqual([400, message]);
    });
  });

  describe('figures at a price', () => {
    test('are those of the analytics at the quoted price, yield and spread', async () => {
      for (const symbol of ['BOND3', 'BILL91', 'SUKUK']) {
        const figures = await getFirst(`${ANALYTICS}?symbol=${symbol}`);
        for (const input of [
          `price=${figures.cleanPrice}`,
          `yield=${figures.ytm}`,
          `spread=${number(figures.zSpread).toFixed(10)}`,
        ]) {
          const record = await getFirst(`${PRICE}?symbol=${symbol}&${input}`);
          expect(Object.keys(record)).toEqual(Object.keys(figures));
          for (const [name, value] of Object.entries(figures))
            if (typeof value === 'number') expect(record[name]).toBeCloseTo(value, 4);
            else expect(record[name]).toBe(value as string);
        }
      }
    });

    test('are in the order of the symbols, one input for all or one for each', async () => {
      const records = await getData(`${PRICE}?symbol=BOND3,bill91,BOND3,nobody&yield=9,10,11,12`);
      expect(
        records.map(({ symbol, ytm }: AnyRecord) => `${symbol} ${Math.round(number(ytm))}`),
      ).toEqual([...['BOND3 9', 'BILL91 10', 'BOND3 11']]);
      const same = await getData(`${PRICE}?symbol=BOND3,BOND4&price=98.5&date=2026-06-29`);
      expect(same).toMatchObject([
        { date: '2026-06-29', cleanPrice: 98.5 },
        { date: '2026-06-29', cleanPrice: 98.5 },
      ]);
    });

    test('are null if there are none, whatever is quoted', async () => {
      const none = { ytm: null, modifiedDuration: null, zSpread: null, spread: null };
      expect(await getFirst(`${PRICE}?symbol=NOTERMS&price=97`)).toMatchObject({
        ...none,
        cleanPrice: 97,
      });
      expect(await getFirst(`${PRICE}?symbol=NOTERMS&yield=9`)).toMatchObject({ cleanPrice: null });
      expect(await getFirst(`${PRICE}?symbol=LONG&spread=9`)).toMatchObject({ cleanPrice: null });
      expect(await getFirst(`${PRICE}?symbol=BOND3&price=0`)).toMatchObject({ cleanPrice: null });
      const floater = await getFirst(`${PRICE}?symbol=FLOATER&yield=12`);
      expect(floater.ytm).toBeCloseTo(12, 7);
      expect(floater.discountMargin).toBeNumber();
    });

    test.each([
      ['symbol=A&price=1&yield=2', 'only one of the parameters price, yield, spread can'],
      ['price=1', 'parameter "symbol" is missing'],
      ['symbol=A,B,C&yield=1,2', 'parameter "yield" must be one number, or 3: as many as there'],
      ['symbol=A&yield=x', 'parameter "yield" must be a number in plain decimals'],
    ])('reject %s', async (query, message) => {
      const [status, text] = await getError(`${PRICE}?${query}`);
      expect([status, String(text).slice(0, message.length)]).toEqual([400, message]);
    });
  });
});
