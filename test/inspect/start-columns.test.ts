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
import { answer, OPEN_ADAPTER, useStartLoader } from './start-loader.ts';

const { workspace, load, writeStart, loadWithStart, loadUnanswered } = useStartLoader();

describe('what inspect writes for columns and rows', () => {
  test('asks for prices that are no plain numbers, instead of taking them as none', async () => {
    const content = [
      'CUSIP,Coupon,Maturity,Trade Date,Bid,Asked',
      '912828AB1,4.5,2030-05-15,2026-06-30,99-10,99-12',
      '912828AB2,4.6,2031-05-15,2026-06-30,99-11+,99-13',
    ].join('\n');
    const { missing, text } = await writeStart('notes.csv', content, quotes);
    expect(missing).toEqual(expect.arrayContaining(['bidPrice', 'askPrice']));
    expect(JSON.parse(text).columns).toMatchObject({ Bid: null, Asked: null });
    expect(JSON.parse(text).about).toContain('in per 100 of face value; may be in Bid (99-10))');
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

  test('asks for the keys of a list, whatever the columns are named', async () => {
    const rows = ['Jan 2026,Alpha,Punjab,10', 'Jan 2026,Alpha,Sindh,5', 'Jan 2026,Beta,Sindh,1020'];
    const content = ['Month,Bank,Province,Male Accounts', ...rows].join('\n');
    const { missing } = await writeStart('accounts.csv', content, mobileMoneyAccountsMale);
    expect(missing).toEqual(['national', 'provinces']);
    expect(await loadUnanswered('accounts.csv', content, mobileMoneyAccountsMale)).toEqual(
      OPEN_ADAPTER,
    );
  });

  test('asks for a period whose year and month are two columns', async () => {
    const rows = ['2025,April,Alpha,7,30', '2025,April,Beta,9,10', '2025,May,Alpha,7,20'];
    const content = ['Year,Month,Bank,Transactions,Value', ...rows].join('\n');
    expect((await writeStart('months.csv', content, shares)).missing).toEqual([
      'period',
      'operators',
    ]);
    expect(await loadUnanswered('months.csv', content, shares)).toEqual([
      'start.json: "fields.period" is to be filled in for "?"',
    ]);
  });

  test('asks about blank cells of a key', async () => {
    const blank = 'Month,Operator,Share\nJan 2026,Alpha,0.5\n,Beta,0.5\n';
    const { questions, missing } = await writeStart('blank.csv', blank, shares);
    expect(missing).toContain('period');
    expect(questions).toContain('period: may be in Month (Jan 2026, 50 % blank)');
  });

  test('asks for shares if the file has amounts', async () => {
    const rows = 'Month,Operator,Amount\nJan 2025,Alpha,300\nJan 2025,Beta,100\n';
    expect((await writeStart('amounts.csv', rows, shares)).missing).toEqual(['operators']);
    const total = await writeStart('total.csv', `${rows}Total,,400\n`, shares);
    expect(total.text).toContain("operators: '?', // Shares by operator; operators:key and");
    const across = 'Operator,Feb 2025,Mar 2025\nAlpha,300,60\nBeta,100,20\n';
    expect(await loadUnanswered('across.csv', across, shares)).toEqual([
      expect.stringMatching(/^adapter\.ts line \d+: '\?' is to be filled in: Alpha: '\?',$/),
    ]);
    const columns = await writeStart('columns.csv', 'Month,Alpha,Beta\nJan 2025,300,100\n', shares);
    expect(columns.missing).toEqual(['operators']);
    const fund = 'Fund,Month,Asset Class,Value\nZ,Jun 2026,Cash,50000\n';
    const { questions } = await writeStart('fund.csv', fund, fundAllocation);
    expect(questions).toEqual(['scale: value is in percent, and Value has up to 50000']);
    expect(await loadUnanswered('fund.csv', fund, fundAllocation)).toEqual([
      expect.stringMatching(/^start\.json: "scale" must be/),
    ]);
  });

  test('reads the coupon of a gilt, whose name has a fraction, once it is asked for', async () => {
    const content = [
      'Trade Date,Gilt Name,ISIN Code,Redemption Date,Clean Price,Duration',
      '30-Jun-2026,4¼% Treasury Gilt 2032,GB0004893086,07-Jun-2032,£99.120,5.01',
      '30-Jun-2026,⅛% Treasury Gilt 2028,GB00BMBL1G81,31-Jan-2028,£94.510,1.51',
    ].join('\n');
    const path = workspace.writeFile('gilts.csv', content);
    const profile = await inspectFile({ path, name: 'gilts.csv' }, {});
    const start = createStart(quotes, profile, 'adapter');
    expect(start?.text).toContain(
      "lastPrice: '?', // Last traded price, in per 100 of face value; may be in Clean Price (£99.120)",
    );
    expect(start?.questions).toEqual([
      'couponRate: findPercentage in an adapter takes it out of "4¼% Treasury Gilt 2032"',
      'lastPrice: may be in Clean Price (£99.120)',
    ]);
    const fill = answer(
      ["symbol: '?'", "symbol: row.get('ISIN Code')"],
      ["type: '?'", "type: 'bond'"],
      ["bidPrice: '?'", 'bidPrice: 0'],
      ["askPrice: '?'", 'askPrice: 0'],
      ["lastPrice: '?'", "lastPrice: row.text('Clean Price').slice(1)"],
      ["bidVolume: '?'", 'bidVolume: 0'],
      ["askVolume: '?'", 'askVolume: 0'],
      ["volume: '?',", "volume: 0, couponRate: findPercentage(row.text('Gilt Name')),"],
    );
    await load('gilts.csv', content, fill(start?.text ?? ''), quotes);
    expect(await workspace.readRecords(securities)).toMatchObject([
      { couponRate: 4.25 },
      { couponRate: 0.125 },
    ]);
  });

  test('asks for instrument types in other words', async () => {
    const content = [
      'Security Type,CUSIP,Maturity Date,Price per $100,Auction Date',
      'Bill,912797AA1,09/24/2026,98.953,06/22/2026',
      'Oddity,91282CAB2,06/30/2028,99.88,06/23/2026',
    ].join('\n');
    const { text, questions } = await writeStart('auctions.csv', content, quotes);
    expect(questions).toEqual([
      expect.stringMatching(/^couponRate: no column has coupons/),
      'date: may be in Auction Date (06/22/2026)',
      'type: may be in Security Type (Bill)',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      about: expect.stringContaining(
        'type (one of tbill, bond, corporate; may be in Security Type (Bill))',
      ),
      dates: 'mdy',
      columns: { CUSIP: 'symbol', 'Price per $100': 'lastPrice', 'Auction Date': null },
      fields: { date: '?', type: '?' },
    });
    expect(await loadUnanswered('auctions.csv', content, quotes)).toEqual([
      'start.json: "fields.date" is to be filled in for "?"',
    ]);
  });

  test('asks for days with times, figures with currencies, and symbols that are names', async () => {
    const amounts =
      'Symbol;Trade Date;Maturity;Price;Coupon\nZB1;30/06/2026;15/01/2030;98,50 €;5\n';
    const first = await writeStart('amounts.csv', amounts, quotes);
    expect(first.missing).toContain('lastPrice');
    expect(JSON.parse(first.text).about).toContain('; may be in Price (98,50 €))');
    const bond = { at: '2026-06-30T15:30:00Z', maturity: '2030-01-15', last: 98.5, coupon: 5 };
    const keyed = JSON.stringify({ ZB2: bond, ZB3: bond });
    const second = await writeStart('keyed.json', keyed, quotes);
    expect(second.missing).toEqual(expect.arrayContaining(['date', 'symbol']));
    expect(second.text).toContain(
      '// To decide: keys: in *, keys[0] is ZB2, ZB3.\n// Not used: columns at.',
    );
    expect(await loadUnanswered('keyed.json', keyed, quotes)).toEqual(OPEN_ADAPTER);
  });

  test('leaves out columns without a name, and asks for days that are numbers', async () => {
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
    expect(start.missing).toContain('date');
    expect(await loadUnanswered('serials.xlsx', serials, quotes)).toEqual([
      'start.json: "fields.date" is to be filled in for "?"',
    ]);
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

  test('asks about fractions for percentages, and which of several rows of a class are added up', async () => {
    const rows = ['Z,Jun 2026,Cash,0.2', 'Z,Jun 2026,Cash,0.3', 'Z,Jun 2026,Bills,0.5'];
    const content = ['Fund,Month,Asset Class,Weight', ...rows].join('\n');
    const { questions, reasons } = await writeStart('fractions.csv', content, fundAllocation);
    expect(reasons).toEqual(['several rows are one record']);
    expect(questions).toEqual([
      'scale: value is in percent, and Weight has up to 0.5',
      'rows: those of one record are added up; leave out any that are sums themselves',
    ]);
    expect(await loadUnanswered('fractions.csv', content, fundAllocation)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart(
      'fractions.csv',
      content,
      fundAllocation,
      answer(
        ["scale: '?'", "scale: { value: '1e2' }"],
        ["row.text('?') !== ''", 'row.position > 1'],
      ),
    );
    expect(records).toMatchObject([
      {
        fund_id: 'Z',
        rows: [
          { label: 'Cash', values: [50] },
          { label: 'Bills', values: [50] },
        ],
      },
    ]);
  });

  test('asks if a decimal sign or the order of a date is ambiguous', async () => {
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
