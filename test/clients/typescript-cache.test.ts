import { describe, expect, test } from 'bun:test';
import { answering, failureOf, ok, refusal } from './typescript-support.ts';

const quote = { symbol: 'ZZ' };

describe('what was answered before', () => {
  const unchanged =
    (headers: Record<string, string> = {}) =>
    () =>
      new Response(null, { status: 304, headers: { ETag: '"a"', ...headers } });

  test('is given again where it has not changed, with newer headers', async () => {
    const link = { Link: '<?cursor=b>; rel="next"' };
    await using server = answering(
      ok([quote], { ETag: '"a"', 'Tenor-Revision': '7', ...link }),
      unchanged({ 'Tenor-Revision': '8', 'X-Request-Id': 'r-2' }),
    );
    const client = server.client();
    const first = await client.quotes();
    (first.data as unknown[]).push('what a caller does to it');
    const second = await client.quotes();
    expect(server.requests[1]?.headers.get('if-none-match')).toBe('"a"');
    expect(second.data).toEqual([quote] as never);
    expect(second.meta).toEqual({ ...first.meta, revision: 8, requestId: 'r-2', cached: true });
  });

  test('is replaced where it has changed', async () => {
    await using server = answering(ok([1], { ETag: '"a"' }), ok([2], { ETag: '"b"' }), unchanged());
    const client = server.client();
    await client.quotes();
    expect((await client.quotes()).data).toEqual([2] as never);
    expect((await client.quotes()).data).toEqual([2] as never);
    const tags = server.requests.map(({ headers }) => headers.get('if-none-match'));
    expect(tags).toEqual([null, '"a"', '"b"']);
  });

  test('is not taken for another address, instant, count, form or token', async () => {
    await using server = answering(
      ok([1], { ETag: '"a"' }),
      ok([], { ETag: '"b"', 'Content-Type': 'text/csv' }),
    );
    const client = server.client();
    await client.quotes();
    await client.quotes({ limit: 5 });
    await client.asOf('2026-07-01').quotes();
    await client.quotes({}, { count: true });
    await failureOf(client.download('quotes', 'ndjson'));
    await server.client({ token: 'another' }).quotes();
    expect(server.requests.map(({ headers }) => headers.has('if-none-match'))).not.toContain(true);
    await client.asOf('2026-07-01').quotes();
    expect(server.requests.at(-1)?.headers.get('if-none-match')).toBe('"b"');
  });

  test('is not kept where it is a failure with status 200', async () => {
    await using server = answering(refusal(200, 'no_record_found', { ETag: '"a"' }));
    const client = server.client();
    await failureOf(client.fundAllocation({ fund_id: 'x' }));
    await failureOf(client.fundAllocation({ fund_id: 'x' }));
    expect(server.requests[1]?.headers.has('if-none-match')).toBe(false);
  });

  test('is not kept where nothing may be', async () => {
    await using server = answering(ok([1], { ETag: '"a"' }));
    const client = server.client({ cacheCharacters: 0 });
    await client.quotes();
    await client.quotes();
    expect(server.requests[1]?.headers.has('if-none-match')).toBe(false);
  });
});

describe('another form', () => {
  const csv = () =>
    new Response('a,b\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });

  test('comes as it is, of an answer or of a whole dataset', async () => {
    await using server = answering(csv);
    const client = server.client().asOf('2026-07-01');
    expect(await (await client.download('quotes', 'csv', { limit: 5 })).text()).toBe('a,b\r\n');
    expect(await (await client.export('fund-allocation', 'csv')).text()).toBe('a,b\r\n');
    const [one, whole] = server.requests;
    expect(one?.target).toBe('/2.0/bnb/quote?limit=5');
    expect(whole?.target).toBe('/exports/fund-allocation.csv');
    for (const { headers } of server.requests) {
      expect(headers.get('accept')).toBe('text/csv');
      expect(headers.get('accept-datetime')).toBe('2026-07-01T23:59:59Z');
    }
  });

  test('is a failure where the service answers with an error, or in a form that was not asked for', async () => {
    await using server = answering(
      refusal(200, 'no_record_found'),
      ok(),
      csv,
      refusal(403, 'forbidden'),
    );
    const client = server.client();
    const get = () => failureOf(client.download('fund-allocation', 'parquet', { fund_id: 'x' }));
    expect(await get()).toMatchObject({ kind: 'no_record_found' });
    expect(await get()).toMatchObject({ kind: 'malformed' });
    expect(await get()).toMatchObject({ kind: 'malformed' });
    expect(await get()).toMatchObject({ kind: 'forbidden' });
  });
});
