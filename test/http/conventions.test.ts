import { describe, expect, test } from 'bun:test';
import { holidays } from '../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { vectors } from '../bonds/quantlib-conventions.json';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { ENGINES } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';
const toQuotes = (...dates: string[]) =>
  [
    HEADER,
    ...dates.map((date) => `${date},ACME,ZZ0000000016,corporate,2036-10-15,0,0,98.5,0,0,0`),
    '',
  ].join('\n');

for (const { name, createStore } of ENGINES)
  describe(`${name}: conventions in terms`, () => {
    let loaded: Awaited<ReturnType<Awaited<ReturnType<typeof createLoadWorkspace>>['load']>>[];
    const server = useTestServer(async () => {
      const workspace = await createLoadWorkspace(createStore);
      const load = (dataset: Parameters<typeof workspace.load>[0], text: string) => {
        workspace.writeFile('file.csv', text);
        return workspace.load(dataset, 'file.csv');
      };
      const conventions = 'dayCount,exDividendDays,settlementDays,calendar';
      loaded = [
        await load(
          securities,
          `symbol,couponRate,couponFrequency,${conventions}\nACME,12,2,30/360,7,2,zed\n`,
        ),
        await load(quotes, toQuotes('2026-06-25')),
        await load(holidays, 'calendar,date,name\nZED,2026-06-29,\nother,2026-06-30,\n'),
        await load(quotes, toQuotes('2026-06-25', '2026-10-01', '2026-10-02')),
        await load(holidays, 'calendar,date,name\nZED,2026-10-05,\n'),
      ];
      return workspace.store;
    });
    const read = async (target: string) => (await server.getJson(`/2.0/bnb/${target}`)).data;

    test('settle, accrue and yield as QuantLib does, by the holidays of a calendar', async () => {
      const vector = vectors.find(
        ({ dayCount, settlement, maturity }) =>
          dayCount === '30/360' && settlement === '2026-06-30' && maturity === '2036-10-15',
      );
      const [record] = await read('analytics?symbol=ACME&date=2026-06-25');
      expect(record.settlementDate).toBe('2026-06-30');
      for (const [figure, value] of Object.entries(vector?.figures ?? {}))
        expect(record[figure]).toBeCloseTo(value, 7);
      const [quote] = await read('quote?symbol=ACME&date=2026-06-25');
      expect(quote.ytm).toBeCloseTo(record.ytm, 5);
      expect(quote.maturityYears).toBeCloseTo(3760 / 365, 5);
    });

    test('are those of the revision that a response is as of', async () => {
      const [record] = await read('analytics?symbol=ACME&date=2026-06-25&as_of=2');
      expect(record).toMatchObject({ settlementDate: '2026-06-29', accrued: 2.46666667 });
    });

    test('leave the next coupon to the seller in the ex-dividend period', async () => {
      const records = await read('analytics?symbol=ACME&from=2026-10-01&to=2026-10-02&as_of=4');
      expect(records.map(({ accrued }: { accrued: number }) => accrued)).toEqual([
        -0.3, 5.66666667,
      ]);
      const [first] = await read('cashflows?symbol=ACME&date=2026-10-02&as_of=4');
      expect(first).toMatchObject({ date: '2027-04-15', coupon: 6 });
      const [due] = await read('cashflows?symbol=ACME&date=2026-10-01&as_of=4');
      expect(due).toMatchObject({ date: '2026-10-15', coupon: 6 });
    });

    test('follow a holiday that is published after the quotes', async () => {
      const [record] = await read('analytics?symbol=ACME&date=2026-10-01');
      expect(record).toMatchObject({ settlementDate: '2026-10-06', accrued: -0.3 });
    });

    test('are known, so that no yield that follows from them is a warning', () => {
      expect(loaded.flatMap(({ report }) => report.warnings.map(({ rule }) => rule))).toEqual([]);
    });
  });
