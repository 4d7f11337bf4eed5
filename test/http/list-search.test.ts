import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { DESCRIBED_BY, fetchPages } from '../support/follow-links.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { UNKNOWN_TERMS } from '../support/unknown-terms.ts';
import { useTestServer } from '../support/use-test-server.ts';

const SECURITIES = '/2.0/bnb/securities';
const FUNDS = '/3.0/funds';
const days = (day: number) => `2026-03-0${day}T10:00:00.000Z`;
const reference = { ...securities.example, isin: null };

const service = useTestServer(async () => {
  const store = await createStore();
  const records = ['b1', 'A1', 'É1'].map((symbol) => quote({ symbol, isin: `ZZ${symbol}` }));
  await publishAt(store, days(1), quotes, { records });
  await publishAt(store, days(2), securities, {
    records: [
      { ...reference, symbol: 'B1', isin: 'ZZOTHER', name: 'Crédit du Nord', couponRate: 5.5 },
      { ...reference, symbol: 'ONLY', isin: 'ZZONLY', name: null, floating: true },
    ],
  });
  await publishAt(store, days(3), fundAllocation, {
    records: ['y', 'X'].map((fund_id) => ({ ...fundAllocation.example, fund_id })),
  });
  await publishAt(store, days(4), funds, {
    records: [
      { ...funds.example, fund_id: 'x', name: 'Equity Fund' },
      { ...funds.example, fund_id: 'only' },
    ],
  });
  return store;
});

const list = async (target: string, headers = {}): Promise<Record<string, unknown>[]> =>
  (await service.getJson(target, headers)).data;
const symbols = async (target: string) => (await list(target)).map(({ symbol }) => symbol);

describe('the list of securities', () => {
  test('has what quotes tell first, then reference data, null if unknown', async () => {
    const all = await list(SECURITIES);
    expect(all.map(({ symbol }) => symbol)).toEqual(['A1', 'ONLY', 'b1', 'É1']);
    const [, only, quoted] = all;
    expect(quoted).toEqual({
      symbol: 'b1',
      isin: 'ZZb1',
      type: quotes.example.type,
      maturityDate: quotes.example.maturityDate,
      firstDate: quotes.example.date,
      lastDate: quotes.example.date,
      ...UNKNOWN_TERMS,
      name: 'Crédit du Nord',
      issuer: reference.issuer,
      issueDate: reference.issueDate,
      couponRate: 5.5,
      pricing: 'discount',
      floating: false,
      settlementDays: 1,
      calendar: 'ZED',
    });
    expect(
      Object.keys(quoted ?? {})
        .slice(0, 6)
        .join(),
    ).toBe('symbol,isin,type,maturityDate,firstDate,lastDate');
    const never = { type: null, maturityDate: null, firstDate: null, lastDate: null };
    expect(only).toMatchObject({ isin: 'ZZONLY', ...never, name: null, floating: true });
  });

  test('has the reference data of the requested instant', async () => {
    const before = await list(SECURITIES, { 'accept-datetime': days(1) });
    expect(before.map(({ symbol, name }) => [symbol, name])).toEqual([
      ['A1', null],
      ['b1', null],
      ['É1', null],
    ]);
  });

  test.each([
    ['credit', ['b1']],
    ['CRÉDIT du', ['b1']],
    ['zzonly', ['ONLY']],
    ['e1', ['É1']],
    ['1', ['A1', 'b1', 'É1']],
    ['nothing', []],
    ['%25', []],
  ])('finds %s in symbols, ISINs and names', async (q, expected) => {
    expect(await symbols(`${SECURITIES}?q=${q === '%25' ? q : encodeURIComponent(q)}`)).toEqual(
      expected,
    );
  });

  test('comes in pages of one revision, with the total', async () => {
    const pages = await fetchPages(
      (target) => service.request(target),
      `${SECURITIES}?q=1&limit=2`,
    );
    expect(pages.flat().map(({ symbol }) => symbol)).toEqual(['A1', 'b1', 'É1']);
    expect(pages).toHaveLength(2);
    const { headers } = await fetchRaw(service, `${SECURITIES}?limit=3`, {
      prefer: 'count=exact',
      accept: 'text/csv',
    });
    expect(headers.get('tenor-total-count')).toBe('4');
    expect(headers.get('link')).toContain('rel="next"');
    expect((await fetchRaw(service, SECURITIES)).headers.get('link')).toBe(DESCRIBED_BY);
    expect((await fetchRaw(service, `${SECURITIES}?limit=4`)).headers.get('link')).toBe(
      DESCRIBED_BY,
    );
  });
});

test('the list of funds has names, and those that have no allocation yet', async () => {
  const all = await list(FUNDS);
  expect(all.map(({ fund_id, frequency, name }) => [fund_id, frequency, name])).toEqual([
    ['only', null, funds.example.name],
    ['X', 'monthly', 'Equity Fund'],
    ['y', 'monthly', null],
  ]);
  expect(await list(`${FUNDS}?q=EQUITY`)).toEqual(all.slice(1, 2));
  expect(await list(`${FUNDS}?q=on&limit=1`)).toEqual(all.slice(0, 1));
});

test('corrections of reference data are found by symbol or fund', async () => {
  const store = service.store;
  await publishAt(store, days(5), securities, {
    records: [{ ...reference, symbol: 'only', name: 'named' }],
  });
  const revision = await service.request(`/corrections/securities?symbol=ONLY`, {
    'tenor-revision': '5',
  });
  const { data } = (await revision.json()) as { data: { new: { name: string } }[] };
  expect(data.map((change) => change.new.name)).toEqual(['named']);
  expect(await list('/corrections/securities?symbol=b1')).toEqual([]);
  expect(await list('/corrections/funds?fund_id=x')).toEqual([]);
  const wrong = await service.request('/corrections/funds?symbol=x');
  expect(wrong.status).toBe(400);
});
