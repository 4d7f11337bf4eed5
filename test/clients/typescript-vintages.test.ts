import { describe, expect, test } from 'bun:test';
import { buildVintageMatrix } from '../../clients/typescript/src/vintage-matrix.ts';
import { createKiborStore, KIBOR_RECORDS, kibor } from '../support/declared-rates.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { catchError, createClient, ok, startScriptedServer } from './typescript-support.ts';

/** Revision 3 corrects the newest day, and 4 another one. */
const server = useTestServer(async () => {
  const store = await createKiborStore();
  await store.publish(
    kibor,
    KIBOR_RECORDS.slice(0, 2).map((record) => ({ ...record, offer: 14 })),
  );
  await store.publish(kibor, [{ ...KIBOR_RECORDS[3], bid: 12.5 }]);
  return store;
});

const INSTANTS: Readonly<Record<number, string>> = {
  1: 'on Monday',
  3: 'on Tuesday',
  4: 'on Friday',
};

const state = (record: object, since: number, until: number | null = null) => ({
  ...record,
  since,
  published: INSTANTS[since] ?? '',
  until,
  withdrawn: until === null ? null : (INSTANTS[until] ?? ''),
});

const quote = (symbol: string, ytm: number) => ({ date: '2026-06-30', symbol, type: 'bond', ytm });
/** A is corrected by revision 3; B is retired by it, and published again by 4. */
const STATES = [
  state(quote('A', 11), 1, 3),
  state(quote('A', 12), 3),
  state(quote('B', 9), 1, 3),
  state(quote('B', 8), 4),
];

describe('vintages', () => {
  test('are read with the parameters of the dataset, in pages, and as a matrix', async () => {
    const link = { Link: '</vintages/quotes?cursor=x>; rel="next"' };
    const responses = [ok(STATES.slice(0, 3), link), ok(STATES.slice(3))];
    await using server = startScriptedServer(...responses, ...responses);
    const { vintages } = server.client();
    const parameters = { symbol: ['A', 'B'], release: 'first', limit: 3 } as const;
    const states = await vintages.all('quotes', parameters).toArray();
    expect(states.map(({ since, until, ytm }) => [since, until, ytm])).toEqual([
      ...[
        [1, 3, 11],
        [3, null, 12],
        [1, 3, 9],
      ],
      [4, null, 8],
    ]);
    const target = '/vintages/quotes?limit=3&symbol=A%2CB&release=first';
    expect(server.requests[0]?.target).toBe(target);
    const { columns, rows } = await vintages.matrix('quotes', { limit: 3 });
    expect(columns.map(({ revision, published }) => `${revision} ${published}`)).toEqual(
      Object.entries(INSTANTS).map((entry) => entry.join(' ')),
    );
    expect([...rows]).toEqual([
      { key: { date: '2026-06-30', symbol: 'A' }, measure: 'ytm', values: [11, 12, 12] },
      { key: { date: '2026-06-30', symbol: 'B' }, measure: 'ytm', values: [9, null, 8] },
    ]);
  });
});

describe('the matrix of vintages', () => {
  test('has at each revision what is read as of it', async () => {
    const tenor = createClient(server);
    const { columns, rows } = await tenor.vintages.matrix('kibor', { limit: 3 });
    expect(columns.map(({ revision }) => revision)).toEqual([2, 3, 4]);
    for (const [index, { revision }] of columns.entries()) {
      const records = await tenor.asOf(revision).dataset.all('kibor').toArray();
      for (const [row, { key, measure, values }] of rows.entries()) {
        const record = records[Math.floor(row / 2)];
        expect({ ...key, [measure]: values[index] }).toEqual({
          date: record?.date,
          tenor: record?.tenor,
          [measure]: record?.[measure],
        });
      }
    }
    const [first] = await tenor.vintages.all('kibor', { tenor: '6M', release: 'first' }).toArray();
    expect(first).toMatchObject({ ...KIBOR_RECORDS[1], since: 2, until: 3 });
    const options = { measures: ['ask'] };
    const unknown = await catchError(tenor.vintages.matrix('kibor', {}, options));
    expect(unknown.message).toStartWith('there is no measure "ask"; there are bid, offer');
  });

  const list = (...rows: [measure: string, values: (string | number | null)[]][]) =>
    rows.map(([measure, values]) => ({ measure, values }));
  const build = (dataset: string, states: ReturnType<typeof state>[], measures?: string[]) =>
    buildVintageMatrix(dataset, states, measures).rows;

  test('has a row for each measure of a record, or for those that are named', () => {
    const rate = (bid: number, offer: number | null, status = 'A') => ({
      date: '2026-06-30',
      tenor: '6M',
      bid,
      offer,
      status,
    });
    const states = [state(rate(11, null, 'P'), 1, 4), state(rate(12, 13), 4)];
    const key = { date: '2026-06-30', tenor: '6M' };
    expect(build('kibor', states)).toEqual(
      list(['bid', [11, 12]], ['offer', [null, 13]]).map((row) => ({ key, ...row })),
    );
    expect(build('kibor', states, ['status'])).toMatchObject(list(['status', ['P', 'A']]));
  });

  test('has a row for each member of a list, and for each period and class of a fund', () => {
    const agents = (value: number) => ({
      period: 'Jun 2026',
      total: 5,
      provinces: [{ key: 'kpk', value }],
      status: 'A',
    });
    const series = build('branchless-banking-agents', [
      state(agents(1), 1, 3),
      state(agents(2), 3),
    ]);
    expect(series).toMatchObject(list(['total', [5, 5]], ['provinces.kpk', [1, 2]]));
    const fund = { fund_id: 'F', frequency: 'monthly', periods: [{ label: 'Jun 2026' }] };
    const rows = [{ label: 'Cash', values: [10.8] }];
    expect(build('fund-allocation', [state({ ...fund, rows }, 1)])).toEqual([
      { key: { fund_id: 'F', period: 'Jun 2026' }, measure: 'Cash', values: [10.8] },
    ]);
    expect(buildVintageMatrix('quotes', [])).toEqual({ columns: [], rows: [] });
  });
});
