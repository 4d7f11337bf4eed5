import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import {
  atmTransactionsQuarterlyValue as atmQuarters,
  atmTransactionsAnnualVolume as atmYears,
  onlineBankingAnnualVolume as online,
  posTransactionsQuarterlyVolume as pos,
  settlementTransactionsValue as settlement,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import { buildWorkbook } from './build-workbook.ts';
import { useStartLoader } from './start-loader.ts';

const { workspace, writeStart, loadWithStart, loadUnanswered } = useStartLoader();

describe('what inspect writes for a shape of files', () => {
  test('loads a wide table with two header rows and footnotes', async () => {
    const items = [
      ['Cash Withdrawals', 900.5, 1, 950],
      ['Cash Deposits', 20, 1, 21],
      ['Deposit of Payment Instruments', 0.5, 1, 0.4],
      ['Account to Account Fund Transfers', 28, 1, 29],
      ['Utility Bills Payments', 4, 1, 5],
      ['Third Party Account to Account Fund Transfers', 44, 1, 45],
      ['Total', 997, 6, 1050.4],
    ];
    const content = await buildWorkbook({
      'Table 5': [
        ['Table 5: ATM transactions, volume in million'],
        [],
        ['Type', 'FY23', null, 'FY24 (P)'],
        [null, 'Volume', 'Value', 'Volume'],
        ...items,
        [],
        ['P: provisional'],
        ['Source: made up'],
      ],
    });
    const { start, records } = await loadWithStart('wide.xlsx', content, atmYears);
    expect(start).toMatchObject({ kind: 'adapter', missing: [] });
    expect(start.questions).toEqual(['Volume is taken, not Value']);
    expect(records).toMatchObject([
      { year: 'FY24', atm_cash: 950, funds_transfer: 29, funds_transfers: 45, total: 1050.4 },
      { year: 'FY23', atm_cash: 900.5, deposit_instrument: 0.5, total: 997 },
    ]);
  });

  test('adds up monthly rows by bank', async () => {
    const content = [
      'Month,Bank,Government Securities,Interbank Funds Transfers,Third Party Transfers,Ancillary Clearing',
      'Jan-2024,Alpha,"1,000.1",2,3,4',
      'Jan-2024,Beta,0.2,5,-,7',
      'Feb-2024,Alpha,1,2,3,4',
      'Total,,"1,001.3",9,6,15',
    ].join('\n');
    const { records } = await loadWithStart('banks.csv', content, settlement);
    expect(records).toEqual([
      {
        period: 'Feb 2024',
        govt_securities: 1,
        ibft: 2,
        third_party_transfer: 3,
        ancillary_clearing: 4,
      },
      {
        period: 'Jan 2024',
        govt_securities: 1000.3,
        ibft: 7,
        third_party_transfer: 3,
        ancillary_clearing: 11,
      },
    ]);
  });

  test('adds up holdings to classes, by a column or by headings, with the day above the table', async () => {
    const byColumn = [
      ['Zed Income Fund'],
      ['Portfolio as on June 30, 2026'],
      [],
      ['Sr', 'Name of Instrument', 'Asset Class', '% to Net Assets'],
      [1, 'Bill A', 'Treasury Bills', 40.1],
      [2, 'Bill B', 'Treasury Bills', 30.2],
      [3, 'Bank', 'Cash', 29.7],
      [null, 'Total', null, 100],
    ];
    const { records } = await loadWithStart(
      'holdings.xlsx',
      await buildWorkbook({ ZIF: byColumn, ZCF: byColumn }),
      fundAllocation,
    );
    const rows = [
      { label: 'Treasury Bills', values: [70.3] },
      { label: 'Cash', values: [29.7] },
    ];
    const periods = [{ label: 'Jun 2026', date: '2026-06-30' }];
    expect(records).toMatchObject([
      { fund_id: 'ZCF', periods, rows },
      { fund_id: 'ZIF', periods, rows },
    ]);

    const byHeading = [
      ['Portfolio Statement as on 31-Jul-2026'],
      [],
      ['Name of the Instrument', 'Rating', 'Quantity', '% to NAV'],
      ['Debt Instruments'],
      ['Bond A', 'AAA', 5, 60],
      ['Bond B', 'AA', 5, 20],
      ['Sub Total', null, 10, 80],
      ['TREPS'],
      ['Repo', 'none', 1, 15],
      ['Sub Total', null, 1, 15],
      ['Net Receivables', null, null, 5],
      ['Grand Total', null, null, 100],
      ['Notes: unaudited'],
    ];
    const content = await buildWorkbook({ ZHF: byHeading });
    expect(await loadUnanswered('headings.xlsx', content, fundAllocation)).toEqual([
      expect.stringContaining('the class of "Net Receivables" is not known'),
    ]);
    const second = await loadWithStart('headings.xlsx', content, fundAllocation, (text) =>
      text.replace("TREPS: 'TREPS',", "TREPS: 'TREPS', 'Net Receivables': 'Net Receivables',"),
    );
    expect(second.records.find(({ fund_id }) => fund_id === 'ZHF')).toMatchObject({
      rows: [
        { label: 'Debt Instruments', values: [80] },
        { label: 'TREPS', values: [15] },
        { label: 'Net Receivables', values: [5] },
      ],
    });
  });

  test('reads semicolons and decimal commas in Latin-1, with a line to add for what is missing', async () => {
    const content = Buffer.from(
      [
        'Börse Zedstadt; Kurse vom 30.06.2026',
        'Datum;Kürzel;ISIN;Fälligkeit;Geldkurs;Briefkurs;Letzter Kurs;Umsatz;Rendite;Kupon',
        '30.06.2026;Anleihe 27;ZZ0624197586;15.02.2027;98,125;98,250;98,200;1.250.000;4,45;1,50',
      ].join('\n'),
      'latin1',
    );
    const start = await writeStart('kurse.csv', content, quotes);
    expect(start).toMatchObject({ kind: 'mapping', missing: ['type'], questions: [] });
    const { records } = await loadWithStart('kurse.csv', content, quotes, (text) =>
      text.replace('"type": "?"', '"type": "bond"'),
    );
    expect(records).toMatchObject([
      {
        symbol: 'Anleihe 27',
        maturityDate: '2027-02-15',
        bidPrice: 98.125,
        volume: 1250000,
        ytm: 4.45,
      },
    ]);
  });

  test('takes the coupon out of a name, and leaves out sums', async () => {
    const content = [
      'Trade Date,Security Description,ISIN No,Maturity,Close Price,Traded Volume',
      '30-Jun-2026,ZED FINANCE NCD 9.90% 2029,INE001A07XX1,15-Mar-2029,101.25,500000',
      'Total,,,,,500000',
    ].join('\n');
    const { records } = await loadWithStart('ncd.csv', content, quotes, (text) =>
      text.replace("type: '?'", "type: 'corporate'"),
    );
    expect(records).toMatchObject([{ lastPrice: 101.25, ytm: expect.closeTo(9.357, 2) }]);
    expect(await workspace.readRecords(securities)).toMatchObject([{ couponRate: 9.9 }]);
  });

  test('reads fiscal quarters, and says what it takes them for', async () => {
    const content = [
      'Quarter,ATM Cash Withdrawals,Intra Bank Funds Transfers,Inter Bank Funds Transfers,Utility Bills,Cash Deposits,Total',
      'Q2-FY24,100.5,20,10,3,5,138.5',
      'Q3-FY24P,110.5,20,10,3,5,148.5',
    ].join('\n');
    const { start, records } = await loadWithStart('fiscal.csv', content, atmQuarters);
    expect(start).toMatchObject({ kind: 'mapping', missing: [] });
    expect(start.questions[0]).toStartWith('periods: "sbp" takes fiscal years as July to June');
    expect(records.map(({ period, inter_bank }) => [period, inter_bank])).toEqual([
      ['Q3 2024', 10],
      ['Q2 2024', 10],
    ]);
  });

  test('reads several days in one workbook, by the names of its sheets', async () => {
    const board = [
      ['Zedland Stock Exchange: board'],
      [],
      ['Symbol', 'Type', 'Maturity', 'Bid', 'Offer', 'Last', 'Volume', 'Coupon'],
      ['ZB1', 'bond', '2030-01-15', 98.5, 98.9, 98.7, 1000, 5],
    ];
    const content = await buildWorkbook({
      About: [['This workbook was made up']],
      '29-Jun-2026': board,
      '30-Jun-2026': board,
    });
    const { records } = await loadWithStart('days.xlsx', content, quotes);
    expect(records.map(({ date, symbol, askPrice }) => [date, symbol, askPrice])).toEqual([
      ['2026-06-30', 'ZB1', 98.9],
      ['2026-06-29', 'ZB1', 98.9],
    ]);
  });

  test('reads lists by key, across the columns and in rows', async () => {
    const across = 'Operator,Jan 2024,Feb 2024\nAlpha,0.6,0.5\nBeta,0.4,0.5\n';
    const { records } = await loadWithStart('across.csv', across, shares);
    const operators = [
      { key: 'Alpha', value: 0.6 },
      { key: 'Beta', value: 0.4 },
    ];
    expect(records[1]).toEqual({ period: 'Jan 2024', operators });
    const rows = 'Month,Operator,Share\nMar 2024,Alpha,0.6\nMar 2024,Beta,0.4\n';
    const second = await loadWithStart('rows.csv', rows, shares);
    expect(second.start.kind).toBe('mapping');
    expect(second.records[0]).toEqual({ period: 'Mar 2024', operators });
  });

  test('asks about days and classes that are columns', async () => {
    const days = 'Symbol,Maturity,Coupon,2026-06-29,2026-06-30\nZB1,2030-01-15,5,98.5,98.6\n';
    const { questions, missing } = await writeStart('columns.csv', days, quotes);
    expect(missing).toContain('date');
    expect(questions).toContain(
      'columns: 2026-06-29, 2026-06-30 may be one record each, which unpivot in an adapter makes',
    );
    expect(await loadUnanswered('columns.csv', days, quotes)).toEqual([
      'start.json: "fields.date" is to be filled in for "?"',
    ]);
    const classes = 'Fund,Month,Cash,T-Bills\nZed A,Jun 2026,40,60\n';
    const funds = await writeStart('funds.csv', classes, fundAllocation);
    expect(funds.missing).toEqual(['class', 'value']);
    expect(funds.questions).toEqual([
      'columns: Cash, T-Bills may be one record each, which unpivot in an adapter makes',
    ]);
  });

  test('reads a list of flat objects, and securities by their ISINs', async () => {
    const list = JSON.stringify([{ ticker: 'ZB9', 'Issuer Name': 'Zedland', coupon: 5 }]);
    const terms = await loadWithStart('terms.json', list, securities);
    expect(terms.start.kind).toBe('mapping');
    expect(terms.records.at(-1)).toMatchObject({ symbol: 'ZB9', issuer: 'Zedland', couponRate: 5 });
    const byIsin = 'ISIN,Security Name\nZZ0000000016,Zedland 5 %\n';
    const { records: named } = await loadWithStart('isins.csv', byIsin, securities);
    expect(named).toContainEqual(
      expect.objectContaining({ symbol: 'ZZ0000000016', name: 'Zedland 5 %' }),
    );
  });

  test('joins a year and a month of a header, and asks about years that are blank', async () => {
    const content = await buildWorkbook({
      Payments: [
        ['System', 'Volume', null, 'Value', null],
        [null, '2025', '2026', '2025', '2026'],
        [null, 'Jun', 'Jun', 'Jun', 'Jun'],
        ['Government securities', 1, 2, 3, 4],
        ['Inter-bank fund transfers', 1, 2, 5, 6],
        ['Third-party customer transfers', 1, 2, 7, 8],
        ['Ancillary clearing settlement', 1, 2, 9, 10],
      ],
    });
    const { records } = await loadWithStart('rbi.xlsx', content, settlement);
    expect(records.map(({ period, ibft }) => [period, ibft])).toEqual([
      ['Jun 2026', 6],
      ['Jun 2025', 5],
    ]);
    const cards = ['Debit card', 'Credit cards', 'Pre-paid cards', 'Social welfare card'];
    const rows = ['2024,Q1,1,2,3,4,5', ',Q2,2,2,3,4,5'];
    const csv = [['Year,Quarter,ATM', ...cards].join(','), ...rows].join('\n');
    expect((await writeStart('pos.csv', csv, pos)).questions).toContain(
      'period: Year has blank cells; fill them in where the cell above holds for them',
    );
    expect(await loadUnanswered('pos.csv', csv, pos)).toEqual([
      'pos.csv line 3, period: "" must be a quarter such as Q1 2024; it is blank',
    ]);
  });

  test('stops where another table follows', async () => {
    const stacked = [
      'Year,Cash withdrawal,Cash deposit,Account to account funds transfer,Total transactions',
      '2023,1,2,3,6',
      '2024,2,3,4,9',
      '',
      'Table 2',
      'Year,Cards,ATMs',
      '2023,100,200',
      '2024,101,201',
    ].join('\n');
    const { start, records } = await loadWithStart('stacked.csv', stacked, online);
    expect(start.reasons).toEqual(['another table follows']);
    expect(records).toHaveLength(2);
  });
});
