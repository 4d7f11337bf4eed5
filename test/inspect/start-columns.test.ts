import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import {
  mobileMoneyAccountsMale,
  onlineBankingAnnualVolume as online,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import { inspectFile } from '../../src/inspect/inspect-file.ts';
import { createStart } from '../../src/inspect/start/create-start.ts';
import { parseMapping } from '../../src/publish/mapping/mapping.ts';
import { buildWorkbook } from './build-workbook.ts';
import { useStartLoader } from './start-loader.ts';

const { workspace, writeStart, loadWithStart } = useStartLoader();

describe('what inspect writes for columns and rows', () => {
  test('asks for prices that are no plain numbers, instead of taking them as none', async () => {
    const content = [
      'CUSIP,Coupon,Maturity,Trade Date,Bid,Asked',
      '912828AB1,4.5,2030-05-15,2026-06-30,99-10,99-12',
      '912828AB2,4.6,2031-05-15,2026-06-30,99-11+,99-13',
    ].join('\n');
    const { missing, text } = await writeStart('notes.csv', content, quotes);
    expect(missing).toEqual(['type', 'bidPrice', 'askPrice']);
    expect(text).toContain('Bid has no plain numbers, but 99-10');
  });

  test('takes the prices of Tesouro from the side of the market', async () => {
    const content = [
      'Tipo Titulo;Data Vencimento;Data Base;PU Compra Manha;PU Venda Manha',
      'Tesouro Prefixado;01/01/2029;16/06/2026;790,02;789,12',
      'Tesouro Prefixado;31/01/2032;16/06/2026;556,02;555,12',
    ].join('\n');
    const { text } = await writeStart('tesouro.csv', content, quotes);
    expect(JSON.parse(text).columns).toMatchObject({
      'PU Compra Manha': 'askPrice',
      'PU Venda Manha': 'bidPrice',
    });
  });

  test('takes the keys of a list from the column that is named after it, and adds them up', async () => {
    const content = [
      'Month,Bank,Province,Male Accounts',
      'Jan 2026,Alpha,Punjab,10',
      'Jan 2026,Alpha,Sindh,5',
      ',Beta,Sindh,1020',
    ].join('\n');
    const name = 'accounts.csv';
    const { start, records } = await loadWithStart(name, content, mobileMoneyAccountsMale);
    expect(start).toMatchObject({ kind: 'adapter', missing: [] });
    const provinces = [
      { key: 'Punjab', value: 10 },
      { key: 'Sindh', value: 1025 },
    ];
    expect(records).toEqual([{ period: 'Jan 2026', national: 1035, provinces }]);
  });

  test('turns amounts into shares of their total, in rows, across columns and in JSON', async () => {
    const operators = [
      { key: 'Alpha', value: 0.75 },
      { key: 'Beta', value: 0.25 },
    ];
    const rows = 'Month,Operator,Amount\nJan 2025,Alpha,300\nJan 2025,Beta,100\nTotal,,400\n';
    await loadWithStart('amounts.csv', rows, shares);
    const across = 'Operator,Feb 2025,Mar 2025\nAlpha,300,60\nBeta,100,20\n';
    await loadWithStart('amounts-across.csv', across, shares);
    const objects = operators.map(({ key, value }) => ({
      month: 'Apr 2025',
      operator: key,
      value,
    }));
    const amounts = objects.map((object) => ({ ...object, value: object.value * 1000 }));
    const json = JSON.stringify({ data: amounts });
    const { records } = await loadWithStart('amounts.json', json, shares);
    for (const period of ['Jan 2025', 'Feb 2025', 'Mar 2025', 'Apr 2025'])
      expect(records).toContainEqual({ period, operators });
    const columns = await writeStart('columns.csv', 'Month,Alpha,Beta\nJan 2025,300,100\n', shares);
    expect(columns.missing).toEqual(['operators']);
    const fund = 'Fund,Month,Asset Class,Value\nZ,Jun 2026,Cash,50000\n';
    const { questions } = await writeStart('fund.csv', fund, fundAllocation);
    expect(questions[0]).toStartWith('shares: value is in percent, and Value has up to 50000');
  });

  test('reads the coupon of a gilt, whose name has a fraction', async () => {
    const content = [
      'Trade Date,Gilt Name,ISIN Code,Redemption Date,Clean Price,Duration',
      '30-Jun-2026,4¼% Treasury Gilt 2032,GB0004893086,07-Jun-2032,£99.120,5.01',
      '30-Jun-2026,⅛% Treasury Gilt 2028,GB00BMBL1G81,31-Jan-2028,£94.510,1.51',
    ].join('\n');
    await loadWithStart('gilts.csv', content, quotes, (text) =>
      text.replace("type: ''", "type: 'bond'"),
    );
    expect(await workspace.readRecords(securities)).toMatchObject([
      { couponRate: 4.25 },
      { couponRate: 0.125 },
    ]);
  });

  test('turns words into instrument types, and leaves open what it does not know', async () => {
    const content = [
      'Security Type,CUSIP,Maturity Date,Price per $100,Auction Date',
      'Bill,912797AA1,09/24/2026,98.953,06/22/2026',
      'Oddity,91282CAB2,06/30/2028,99.88,06/23/2026',
    ].join('\n');
    const { text, questions } = await writeStart('auctions.csv', content, quotes);
    expect(questions).toEqual([expect.stringMatching(/^couponRate: no column has coupons/)]);
    expect(JSON.parse(text)).toMatchObject({
      dates: 'mdy',
      columns: { CUSIP: 'symbol', 'Price per $100': 'lastPrice', 'Auction Date': 'date' },
      fields: {
        type: {
          like: [
            ['^Bill$', 'tbill'],
            ['^Oddity$', ''],
          ],
        },
      },
    });
  });

  test('takes days out of times, figures out of amounts, and symbols out of names', async () => {
    const toBonds = (text: string) => text.replace("type: ''", "type: 'bond'");
    const amounts =
      'Symbol;Trade Date;Maturity;Price;Coupon\nZB1;30/06/2026;15/01/2030;98,50 €;5\n';
    const first = await loadWithStart('amounts.csv', amounts, quotes, toBonds);
    expect(first.records).toMatchObject([{ symbol: 'ZB1', lastPrice: 98.5 }]);
    const bond = { at: '2026-06-30T15:30:00Z', maturity: '2030-01-15', last: 98.5, coupon: 5 };
    const keyed = JSON.stringify({ ZB2: bond, ZB3: bond });
    const second = await loadWithStart('keyed.json', keyed, quotes, toBonds);
    expect(second.records.map(({ date, symbol }) => [date, symbol])).toEqual([
      ['2026-06-30', 'ZB1'],
      ['2026-06-30', 'ZB2'],
      ['2026-06-30', 'ZB3'],
    ]);
  });

  test('leaves out columns without a name, and names days that are numbers', async () => {
    const indexed = ',Year,Cash withdrawal\n0,2024,1\n1,2023,2\n';
    const { text } = await writeStart('indexed.csv', indexed, online);
    expect(JSON.parse(text)).toMatchObject({ otherColumns: 'ignore' });
    const serials = await buildWorkbook({
      Board: [
        ['Symbol', 'Trade Date', 'Price'],
        ['ZB1', 46203, 98.5],
        ['ZB2', 46203, 97.5],
      ],
    });
    const start = await writeStart('serials.xlsx', serials, quotes);
    expect(JSON.parse(start.text).about).toContain('Trade Date has days as numbers, such as 46203');
  });

  test('chooses the sheet that holds the dataset, or the one that is named', async () => {
    const header = ['Year', 'Cash withdrawal', 'Cash deposit', 'Funds transfer', 'Total'];
    const content = await buildWorkbook({
      Cards: [['Year', 'Cards', 'Banks'], ...[2023, 2024, 2025].map((year) => [year, 1, 2])],
      Online: [header, [2024, 1, 2, 3, 6]],
      'Online old': [
        ['Year', 'Cash withdrawal'],
        [2023, 1],
      ],
    });
    const { start, records } = await loadWithStart('book.xlsx', content, online);
    expect(JSON.parse(start.text)).toMatchObject({ sheet: 'Online' });
    expect(records).toMatchObject([{ year: '2024', total: 6 }]);
    const path = workspace.writeFile('book.xlsx', content);
    const profile = await inspectFile({ path, name: 'book.xlsx' }, { sheet: 'online OLD' });
    expect(createStart(online, profile)?.missing).toEqual([
      'cash_deposit',
      'funds_transfer',
      'total',
    ]);
  });

  test('asks about fractions for percentages, and about sums among rows that are added up', async () => {
    const content = 'Fund,Month,Asset Class,Weight\nZ,Jun 2026,Cash,0.5\nZ,Jun 2026,Cash,0.5\n';
    const { questions } = await writeStart('fractions.csv', content, fundAllocation);
    expect(questions).toEqual([
      'scale: value is in percent, and Weight has no more than 0.5',
      'rows: those of one record are added up; leave out any that are sums themselves',
    ]);
  });

  test('asks where a decimal sign or the order of a date is ambiguous', async () => {
    const content = 'Date;Symbol;Maturity;Price\n03/04/2026;ZB1;01/02/2030;98,125\n';
    const { questions, text } = await writeStart('unsure.csv', content, quotes);
    expect(questions.slice(0, 2)).toEqual([
      'decimal: "." or ","; figures such as "98,125" may be either',
      'dates: "dmy" or "mdy"; days such as "03/04/2026" may be either',
    ]);
    expect(JSON.parse(text)).toMatchObject({ decimal: '?', dates: '?' });
    expect(() => parseMapping(text, 'start.json')).toThrow('"decimal" must be "." or ","');
  });
});
