import { describe, expect, test } from 'bun:test';
import { alignedColumn } from '../../clients/typescript/src/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { createKiborStore, declareIn, KIBOR } from '../support/declared-rates.ts';
import { useTestServer } from '../support/use-test-server.ts';
import {
  catchError,
  createClient,
  errorResponse,
  ok,
  startScriptedServer,
} from './typescript-support.ts';

const BID = 'kibor.bid(tenor=6M)';
/** A value with every sign that means something in a column, but for the comma that no value has. */
const BANK = 'A (new): 50% =+&';

const server = useTestServer(async () => {
  const store = await createKiborStore();
  const dimensions = ['bank', 'branch'].map((field) => ({ field, title: field }));
  const declaration = { ...KIBOR, name: 'banks', dimensions };
  await declareIn(store, declaration);
  const records = [{ date: '2026-06-03', bank: BANK, branch: 'B', bid: 7, offer: null }];
  await store.publish(createDeclaredDataset(declaration), records);
  return store;
});

describe('an aligned table', () => {
  test('is requested by the texts of its columns, which the fields of its rows have', async () => {
    const rows = [{ period: 'Q2 2026', [BID]: 11.1, 'a.b:pc1': null }];
    await using server = startScriptedServer(ok(rows));
    const table = { frequency: 'quarter', from: '2026-Q1', limit: 5, min_share: 0.8 } as const;
    const parameters = { ...table, status: true, partial: false };
    const { data } = await server.client().aligned([BID, 'a.b:pc1'], parameters);
    // The compiler knows the fields.
    const figures: (number | null | undefined)[] = [data[0]?.[BID], data[0]?.['a.b:pc1']];
    const texts: (string | null | undefined)[] = [data[0]?.period, data[0]?.['a.b:pc1.status']];
    expect([...figures, ...texts]).toEqual([11.1, null, 'Q2 2026', undefined]);
    const { searchParams } = new URL(server.requests[0]?.target ?? '', server.address);
    expect(Object.fromEntries(searchParams)).toEqual({
      frequency: 'quarter',
      from: '2026-Q1',
      status: 'true',
      limit: '5',
      min_share: '0.8',
      partial: 'false',
      columns: `${BID},a.b:pc1`,
    });
  });

  test('is followed to its last page, as of a revision', async () => {
    const link = { Link: '</aligned?columns=a.b&cursor=x>; rel="next"' };
    const responses = [
      ok([{ period: '2026', 'a.b': 2 }], link),
      ok([{ period: '2025', 'a.b': 1 }]),
    ];
    await using server = startScriptedServer(...responses);
    const rows = await server.client().asOf(7).aligned.all(['a.b']).toArray();
    expect(rows.map((row) => row['a.b'])).toEqual([2, 1]);
    expect(server.requests[0]?.target).toContain('as_of=7');
  });

  test('is read from the service with any value of a dimension, in pages', async () => {
    const tenor = createClient(server);
    const column = alignedColumn('banks', 'bid', { bank: BANK, branch: 'B' });
    const rows = await tenor.aligned.all([BID, column], { limit: 1, status: true }).toArray();
    expect(rows.map((row) => [row.period, row[BID], row[column]])).toEqual([
      ['2026-06-03', 11.1, 7],
      ['2026-06-02', 12.1, null],
      ['2026-06-01', 13.1, null],
    ]);
    const { data, meta } = await tenor.aligned([`${BID}:chg`], { limit: 1 });
    expect([data[0]?.[`${BID}:chg`], meta.units]).toEqual([-1, ['percentage points']]);
    const columns = [column, BID];
    const csv = await (await tenor.download('aligned', 'csv', { columns })).text();
    expect(csv).toStartWith(`period,"${column}",${BID}\r\n`);
    const unknown = await catchError(tenor.aligned(['nothing.bid']));
    expect([unknown.kind, unknown.message]).toEqual([
      'bad_request',
      expect.stringContaining('kibor'),
    ]);
  });

  test('that the service rejects is an error with its message', async () => {
    await using server = startScriptedServer(
      errorResponse(
        400,
        'column 1 is not written as dataset.measure(dimension=value):units, without spaces',
      ),
    );
    const error = await catchError(server.client().aligned(['none']));
    expect([error.kind, error.message]).toEqual([
      'bad_request',
      'column 1 is not written as dataset.measure(dimension=value):units, without spaces',
    ]);
    const wrong = catchError(server.client().aligned(BID as never));
    expect(await wrong).toMatchObject({ name: 'TypeError' });
  });
});

test('the text of a column has the signs of its syntax in values percent-encoded', () => {
  expect(alignedColumn('kibor', 'bid', { tenor: '6M' })).toBe(BID);
  expect(alignedColumn('a', 'b', {}, 'pc1')).toBe('a.b:pc1');
  expect(alignedColumn('a', 'b@c', {}, 'chg', 'mean')).toBe('a.b%40c@mean:chg');
  const selection = { bank: '50%, (new)', branch: 'a:b' };
  expect(alignedColumn('a', 'operators.x,y', selection, 'chg')).toBe(
    'a.operators.x%2Cy(bank=50%25%2C %28new%29,branch=a%3Ab):chg',
  );
});
