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
import { answer, OPEN_ADAPTER, useStartLoader } from './start-loader.ts';

const { workspace, writeStart, loadWithStart, loadUnanswered } = useStartLoader();

describe('what inspect writes for a shape of files', () => {
  test('asks which columns of a wide table with two header rows are read', async () => {
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
    expect(await loadUnanswered('wide.xlsx', content, atmYears)).toEqual(OPEN_ADAPTER);
    const { start, records } = await loadWithStart(
      'wide.xlsx',
      content,
      atmYears,
      answer(["parsePeriod('?'", 'parsePeriod(/^(.+) Volume$/.exec(column)?.[1]']),
    );
    expect(start).toMatchObject({ kind: 'adapter', missing: [] });
    expect(start.questions).toEqual(['columns: Volume or Value of each period, in getPeriod']);
    expect(records).toMatchObject([
      { year: 'FY24', atm_cash: 950, funds_transfer: 29, funds_transfers: 45, total: 1050.4 },
      { year: 'FY23', atm_cash: 900.5, deposit_instrument: 0.5, total: 997 },
    ]);
  });

  test('adds up monthly rows by bank, and asks which rows are sums', async () => {
    const content = [
      'Month,Bank,Government Securities,Interbank Funds Transfers,Third Party Transfers,Ancillary Clearing',
      'Jan-2024,Alpha,"1,000.1",2,3,4',
      'Jan-2024,Beta,0.2,5,-,7',
      'Feb-2024,Alpha,1,2,3,4',
      'Total,,"1,001.3",9,6,15',
    ].join('\n');
    expect(await loadUnanswered('banks.csv', content, settlement)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart(
      'banks.csv',
      content,
      settlement,
      answer(["row.text('?')", "row.text('Bank')"]),
    );
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

  test('adds up holdings to classes, by a column or by headings, and asks for funds and classes', async () => {
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
    const fund = [
      "getFund = (sheet: Sheet) => '?'",
      'getFund = (sheet: Sheet) => sheet.name',
    ] as const;
    const funds = await buildWorkbook({ ZIF: byColumn, ZCF: byColumn });
    expect(await loadUnanswered('holdings.xlsx', funds, fundAllocation)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart('holdings.xlsx', funds, fundAllocation, answer(fund));
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
    expect(await loadUnanswered('headings.xlsx', content, fundAllocation)).toEqual(OPEN_ADAPTER);
    const classes = [
      fund,
      ["'Debt Instruments': '?'", "'Debt Instruments': 'Debt Instruments'"],
      ["TREPS: '?'", "TREPS: 'TREPS'"],
    ] as const;
    const load = (line: string) =>
      loadWithStart(
        'headings.xlsx',
        content,
        fundAllocation,
        answer(...classes, ["'Net Receivables': '?',", line]),
      );
    expect(await workspace.describeRejection(() => load(''))).toEqual([
      expect.stringContaining('the class of "Net Receivables" is not known'),
    ]);
    const second = await load("'Net Receivables': 'Net Receivables',");
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
    const MISSING = ['type', 'bidVolume', 'askVolume'];
    const start = await writeStart('kurse.csv', content, quotes);
    expect(start).toMatchObject({ kind: 'mapping', missing: MISSING, questions: [] });
    expect(await loadUnanswered('kurse.csv', content, quotes)).toEqual([
      'start.json: "fields.type" is to be filled in for "?"',
    ]);
    const { records } = await loadWithStart(
      'kurse.csv',
      content,
      quotes,
      answer(
        ['"type": "?"', '"type": "bond"'],
        ['"bidVolume": "?"', '"bidVolume": "0"'],
        ['"askVolume": "?"', '"askVolume": "0"'],
      ),
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

  test('asks for a coupon that is in a name, and which rows are sums', async () => {
    const content = [
      'Trade Date,Security Description,ISIN No,Maturity,Close Price,Traded Volume',
      '30-Jun-2026,ZED FINANCE NCD 9.90% 2029,INE001A07XX1,15-Mar-2029,101.25,500000',
      'Total,,,,,500000',
    ].join('\n');
    const { questions } = await writeStart('ncd.csv', content, quotes);
    expect(questions).toEqual([
      'couponRate: findPercentage in an adapter takes it out of "ZED FINANCE NCD 9.90% 2029"',
    ]);
    expect(await loadUnanswered('ncd.csv', content, quotes)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart(
      'ncd.csv',
      content,
      quotes,
      answer(
        ["row.text('?')", "row.text('Maturity')"],
        ["symbol: '?'", "symbol: row.get('ISIN No')"],
        ["type: '?'", "type: 'corporate'"],
        ["bidPrice: '?'", 'bidPrice: 0'],
        ["askPrice: '?'", 'askPrice: 0'],
        ["bidVolume: '?'", 'bidVolume: 0'],
        [
          "askVolume: '?',",
          "askVolume: 0, couponRate: findPercentage(row.text('Security Description')),",
        ],
      ),
    );
    expect(records).toMatchObject([{ lastPrice: 101.25, ytm: expect.closeTo(9.357, 2) }]);
    expect(await workspace.readRecords(securities)).toMatchObject([{ couponRate: 9.9 }]);
  });

  test('asks what fiscal quarters are', async () => {
    const content = [
      'Quarter,ATM Cash Withdrawals,Intra Bank Funds Transfers,Inter Bank Funds Transfers,Utility Bills,Cash Deposits,Total',
      'Q2-FY24,100.5,20,10,3,5,138.5',
      'Q3-FY24P,110.5,20,10,3,5,148.5',
    ].join('\n');
    expect(await loadUnanswered('fiscal.csv', content, atmQuarters)).toEqual([
      'start.json: "periods" must be "sbp"',
    ]);
    const { start, records } = await loadWithStart(
      'fiscal.csv',
      content,
      atmQuarters,
      answer(
        ['"periods": "?"', '"periods": "sbp"'],
        ['"cash_withdrawl": "?"', '"cash_withdrawl": "{ATM Cash Withdrawals}"'],
      ),
    );
    expect(start).toMatchObject({ kind: 'mapping', missing: ['cash_withdrawl'] });
    expect(start.questions[0]).toStartWith('periods: "sbp" takes fiscal years as July to June');
    expect(records.map(({ period, inter_bank }) => [period, inter_bank])).toEqual([
      ['Q3 2024', 10],
      ['Q2 2024', 10],
    ]);
  });

  test('asks for the days of a workbook with a sheet for each', async () => {
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
    const { questions } = await writeStart('days.xlsx', content, quotes);
    expect(questions).toEqual([
      'date: the name of the sheet has 2026-06-29; findDate in an adapter reads it',
    ]);
    expect(await loadUnanswered('days.xlsx', content, quotes)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart(
      'days.xlsx',
      content,
      quotes,
      answer(
        ["date: '?'", 'date'],
        ["isin: '?'", "isin: row.get('Symbol')"],
        ["bidVolume: '?'", 'bidVolume: 0'],
        ["askVolume: '?'", 'askVolume: 0'],
      ),
    );
    expect(records.map(({ date, symbol, askPrice }) => [date, symbol, askPrice])).toEqual([
      ['2026-06-30', 'ZB1', 98.9],
      ['2026-06-29', 'ZB1', 98.9],
    ]);
  });

  test('asks for the keys of lists, across the columns and in rows', async () => {
    const across = 'Operator,Jan 2024,Feb 2024\nAlpha,0.6,0.5\nBeta,0.4,0.5\n';
    expect(await loadUnanswered('across.csv', across, shares)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart(
      'across.csv',
      across,
      shares,
      answer(["Alpha: '?'", "Alpha: 'operators.Alpha'"], ["Beta: '?'", "Beta: 'operators.Beta'"]),
    );
    const operators = [
      { key: 'Alpha', value: 0.6 },
      { key: 'Beta', value: 0.4 },
    ];
    expect(records[1]).toEqual({ period: 'Jan 2024', operators });
    const rows = 'Month,Operator,Share\nMar 2024,Alpha,0.6\nMar 2024,Beta,0.4\n';
    expect(await loadUnanswered('rows.csv', rows, shares)).toEqual([
      'start.json: "fields.operators:key" is to be filled in for "?"',
    ]);
    const second = await loadWithStart(
      'rows.csv',
      rows,
      shares,
      answer(
        ['"operators:key": "?"', '"operators:key": "{Operator}"'],
        ['"operators:value": "?"', '"operators:value": "{Share}"'],
      ),
    );
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
    expect(funds.unused.columns).toEqual(['Cash', 'T-Bills']);
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

  test('asks about a header of years and months, and about a year and a quarter in two columns', async () => {
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
    expect(await loadUnanswered('rbi.xlsx', content, settlement)).toEqual(OPEN_ADAPTER);
    const { records } = await loadWithStart(
      'rbi.xlsx',
      content,
      settlement,
      answer(["parsePeriod('?'", 'parsePeriod(/^Value (\\d+ \\w+)$/.exec(column)?.[1]']),
    );
    expect(records.map(({ period, ibft }) => [period, ibft])).toEqual([
      ['Jun 2026', 6],
      ['Jun 2025', 5],
    ]);
    const cards = ['Debit card', 'Credit cards', 'Pre-paid cards', 'Social welfare card'];
    const rows = ['2024,Q1,1,2,3,4,5', ',Q2,2,2,3,4,5'];
    const csv = [['Year,Quarter,ATM', ...cards].join(','), ...rows].join('\n');
    expect(JSON.parse((await writeStart('pos.csv', csv, pos)).text).about).toContain(
      'period: may be in Year (2024, 50 % blank), Quarter (Q1); "{A} {B}" joins two columns.',
    );
    expect(await loadUnanswered('pos.csv', csv, pos)).toEqual([
      'start.json: "fields.period" is to be filled in for "?"',
    ]);
  });

  test('asks which sheet is read if several hold as many fields, or one table is on several', async () => {
    const header = ['Operator', 'Jan 2024', 'Feb 2024'];
    const table = [header, ['Alpha', 0.6, 0.5], ['Beta', 0.4, 0.5]];
    const same = await buildWorkbook({ North: table, South: table });
    const wide = await writeStart('same.xlsx', same, shares);
    expect(wide.text).toContain("sheet: '?'");
    const years = (name: string) => [
      ['Year', name],
      [2024, 1],
    ];
    const other = await buildWorkbook({ Cards: years('Cards'), ATMs: years('ATMs') });
    const { questions, text } = await writeStart('other.xlsx', other, online);
    expect(questions).toContain('sheet: Cards or ATMs, by --sheet');
    expect(JSON.parse(text).sheet).toBe('?');
  });

  test('asks what fiscal quarters across the columns are', async () => {
    const content = 'Item,Q1-FY25,Q2-FY25\nCash deposits,1,2\nTotal,1,2\n';
    const { questions, text } = await writeStart('fiscal.csv', content, atmQuarters);
    expect(questions).toContain(
      'periods: "sbp" takes fiscal years as July to June, named after the year they end in',
    );
    expect(text).toContain("parsePeriod('?', 'quarter')");
  });

  test('asks which rows are records if another table follows', async () => {
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
    expect(await loadUnanswered('stacked.csv', stacked, online)).toEqual(OPEN_ADAPTER);
    const { start, records } = await loadWithStart(
      'stacked.csv',
      stacked,
      online,
      answer(["row.text('?') !== ''", 'row.position <= 3']),
    );
    expect(start.reasons).toEqual(['another table follows']);
    expect(records).toHaveLength(2);
  });
});
