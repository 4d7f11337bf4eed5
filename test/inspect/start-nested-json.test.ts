import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  atmTransactionsQuarterlyValue as atmQuarters,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import { answer, OPEN_ADAPTER, useStartLoader } from './start-loader.ts';

const { writeStart, loadWithStart, loadUnanswered } = useStartLoader();

describe('what inspect writes for nested JSON', () => {
  test('asks for the period of objects that are named by year and quarter', async () => {
    const quarter = {
      cash_withdrawl: 10,
      intra_bank: 3,
      inter_bank: 2,
      utility_bills: 1,
      cash_deposits: 2,
      total: 18,
    };
    const content = JSON.stringify({
      source: 'made up',
      data: { 2023: { Q3: quarter, Q4: quarter }, 2024: { Q1: quarter } },
    });
    expect(await loadUnanswered('nested.json', content, atmQuarters)).toEqual(OPEN_ADAPTER);
    const { start, records } = await loadWithStart(
      'nested.json',
      content,
      atmQuarters,
      answer(["period: '?'", "period: [keys[1], keys[0]].join(' ')"]),
    );
    expect(start.missing).toEqual(['period']);
    expect(start.text).toContain(
      '// To decide: keys: in data.*.*, keys[0] is 2023, 2024; keys[1] is Q3, Q4, Q1.',
    );
    expect(start.text).toContain("const PATH = 'data.*.*';");
    expect(records).toEqual(
      ['Q1 2024', 'Q4 2023', 'Q3 2023'].map((period) => ({ period, ...quarter })),
    );
  });

  test('asks for the names and figures of objects below a year and quarter', async () => {
    const names = [
      ['Cash withdrawal', 'cash_withdrawl', 10.5],
      ['Intra-bank fund transfer', 'intra_bank', 3],
      ['Inter-bank fund transfers', 'inter_bank', 2],
      ['Peer-to-peer payments', 'utility_bills', 1],
      ['Cash deposits', 'cash_deposits', 2],
      ['Total', 'total', 18.5],
    ] as const;
    const entries = names.map(([name, , amount]) => ({ name, amount }));
    const content = JSON.stringify({
      data: { 2023: { 4: { entries } }, 2024: { 1: { entries } } },
    });
    const fields = names.map(([name, field]) => `'${name}': '${field}'`);
    expect(await loadUnanswered('nested.json', content, atmQuarters)).toEqual(OPEN_ADAPTER);
    const { start, records } = await loadWithStart(
      'nested.json',
      content,
      atmQuarters,
      answer(
        ["{ '?': '?' }", `{ ${fields.join(', ')} }`],
        ["getPeriod = (item: JsonValue) => '?'", GET_QUARTER],
        ["getName = (item: JsonValue): string => '?'", GET_NAME],
        ["getFigure = (item: JsonValue) => '?'", GET_FIGURE],
      ),
    );
    expect(start).toMatchObject({
      missing: ['period', ...names.map(([, field]) => field)],
      reasons: ['the records are nested'],
      questions: [
        `dataset: no column has the name of a field of ${atmQuarters.name}; is it the right one`,
        'PATH: the objects with a figure each',
        'getPeriod, getName, getFigure: where the period, the name and the figure of an object are',
        'FIELDS: the fields that these names stand for',
        'keys: in data.*.*.entries.*, keys[0] is 2023, 2024; keys[1] is 4, 1',
      ],
    });
    const figures = Object.fromEntries(names.map(([, field, amount]) => [field, amount]));
    expect(records).toEqual(['Q1 2024', 'Q4 2023'].map((period) => ({ period, ...figures })));
  });

  test('asks for the keys and values of lists', async () => {
    const byName = { Alpha: { TOTAL: { share: 0.75 } }, Beta: { TOTAL: { share: 0.25 } } };
    const months = JSON.stringify({ data: { 2024: { Jan: byName, Feb: byName } } });
    const { missing } = await writeStart('months.json', months, shares);
    expect(missing).toEqual(['period', 'operators']);
    expect(await loadUnanswered('months.json', months, shares)).toEqual(OPEN_ADAPTER);
  });

  test('asks which of several lists is meant, and names those that are not read', async () => {
    const bond = { symbol: 'ZB1', date: '2026-06-30', maturity: '2030-01-15', last: 98, coupon: 5 };
    const bill = { symbol: 'ZT1', date: '2026-06-30', maturity: '2026-12-15', discount: 9 };
    const content = JSON.stringify({ time: 1, bonds: [bond, bond], bills: [bill] });
    const { questions, text, unused } = await writeStart('lists.json', content, quotes);
    expect(questions).toContain('PATH: bonds.* or bills.*');
    expect(text).toContain("const PATH = '?';");
    expect(unused.objects).toEqual(['bills.*', 'at the top']);
    const nested = JSON.stringify({ bonds: { ZB1: [bond], ZB2: [bond] }, time: 1 });
    const start = await writeStart('keys.json', nested, quotes);
    expect(start.questions).toContain('keys: in bonds.*.*, keys[0] is ZB1, ZB2');
  });

  test('asks for the name and the figure if there are several', async () => {
    const parts = [
      { type: 'CARD', count: 7, amount: 1 },
      { type: 'TOTAL', count: 9, amount: 2 },
    ];
    const entries = [{ name: 'Cash withdrawal', parts }];
    const content = JSON.stringify({
      data: { 2023: { 4: { entries } }, 2024: { 1: { entries } } },
    });
    const { questions, text } = await writeStart('parts.json', content, atmQuarters);
    expect(questions).toContain(
      'getPeriod, getName, getFigure: where the period, the name and the figure of an object are',
    );
    expect(text).toContain(
      'Not used: objects data.*.*.entries.*.\n// Not used: columns type, count, amount.',
    );
    expect(await loadUnanswered('parts.json', content, atmQuarters)).toEqual(OPEN_ADAPTER);
  });
});

const GET_QUARTER =
  "getPeriod = (item: JsonValue) => ['Q', item.keys[1], ' ', item.keys[0]].join('')";
const GET_NAME = 'getName = (item: JsonValue): string => item.value.name';
const GET_FIGURE = 'getFigure = (item: JsonValue) => item.value.amount';
