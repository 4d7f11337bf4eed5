import { describe, expect, test } from 'bun:test';
import { catchError, errorResponse, ok, startScriptedServer } from './typescript-support.ts';

const quote = { symbol: 'ZZ' };

describe('the cache', () => {
  const notModified =
    (headers: Record<string, string> = {}) =>
    () =>
      new Response(null, { status: 304, headers: { ETag: '"a"', ...headers } });

  test('returns an unchanged response with the newer headers', async () => {
    const link = { Link: '<?cursor=b>; rel="next"' };
    await using server = startScriptedServer(
      ok([quote], { ETag: '"a"', 'Tenor-Revision': '7', ...link }),
      notModified({ 'Tenor-Revision': '8', 'X-Request-Id': 'r-2' }),
    );
    const client = server.client();
    const first = await client.quotes();
    (first.data as unknown[]).push('a change by the caller');
    const second = await client.quotes();
    expect(server.requests[1]?.headers.get('if-none-match')).toBe('"a"');
    expect(second.data).toEqual([quote] as never);
    expect(second.meta).toEqual({ ...first.meta, revision: 8, requestId: 'r-2', cached: true });
  });

  test('sends the newest revision seen with every later request, as of an instant too', async () => {
    await using server = startScriptedServer(
      ok([quote], { 'Tenor-Revision': '7' }),
      ok([quote], { 'Tenor-Revision': '5' }),
      ok([quote], { 'Tenor-Revision': '8' }),
      ok([quote]),
    );
    const client = server.client();
    await client.quotes();
    await client.asOf('2026-07-01').quotes();
    await client.quotes({ limit: 5 });
    await client.quotes({ limit: 6 });
    const revisions = server.requests.map(({ headers }) => headers.get('tenor-revision'));
    expect(revisions).toEqual([null, '7', '7', '8']);
  });

  test('replaces a changed response', async () => {
    await using server = startScriptedServer(
      ok([1], { ETag: '"a"' }),
      ok([2], { ETag: '"b"' }),
      notModified(),
    );
    const client = server.client();
    await client.quotes();
    expect((await client.quotes()).data).toEqual([2] as never);
    expect((await client.quotes()).data).toEqual([2] as never);
    const tags = server.requests.map(({ headers }) => headers.get('if-none-match'));
    expect(tags).toEqual([null, '"a"', '"b"']);
  });

  test('separates URLs, instants, counts, formats and tokens', async () => {
    await using server = startScriptedServer(
      ok([1], { ETag: '"a"' }),
      ok([], { ETag: '"b"', 'Content-Type': 'text/csv' }),
    );
    const client = server.client();
    await client.quotes();
    await client.quotes({ limit: 5 });
    await client.asOf('2026-07-01').quotes();
    await client.quotes({}, { count: true });
    await catchError(client.download('quotes', 'ndjson'));
    await server.client({ token: 'another' }).quotes();
    expect(server.requests.map(({ headers }) => headers.has('if-none-match'))).not.toContain(true);
    await client.asOf('2026-07-01').quotes();
    expect(server.requests.at(-1)?.headers.get('if-none-match')).toBe('"b"');
  });

  test('does not store an error with status 200', async () => {
    await using server = startScriptedServer(
      errorResponse(200, 'no_record_found', { ETag: '"a"' }),
    );
    const client = server.client();
    await catchError(client.fundAllocation({ fund_id: 'x' }));
    await catchError(client.fundAllocation({ fund_id: 'x' }));
    expect(server.requests[1]?.headers.has('if-none-match')).toBe(false);
  });

  test('stores nothing if its size is 0', async () => {
    await using server = startScriptedServer(ok([1], { ETag: '"a"' }));
    const client = server.client({ cacheCharacters: 0 });
    await client.quotes();
    await client.quotes();
    expect(server.requests[1]?.headers.has('if-none-match')).toBe(false);
  });
});

describe('another format', () => {
  const csv = () =>
    new Response('a,b\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });

  test('is returned as it was sent, for a response and for an export', async () => {
    await using server = startScriptedServer(csv);
    const client = server.client().asOf('2026-07-01');
    expect(await (await client.download('quotes', 'csv', { limit: 5 })).text()).toBe('a,b\r\n');
    expect(await (await client.export('fund-allocation', 'csv')).text()).toBe('a,b\r\n');
    const [download, exported] = server.requests;
    expect(download?.target).toBe('/2.0/bnb/quote?limit=5');
    expect(exported?.target).toBe('/exports/fund-allocation.csv');
    for (const { headers } of server.requests) {
      expect(headers.get('accept')).toBe('text/csv');
      expect(headers.get('accept-datetime')).toBe('2026-07-01T23:59:59Z');
    }
  });

  test('is an error if the service sends an error or another format', async () => {
    await using server = startScriptedServer(
      errorResponse(200, 'no_record_found'),
      ok(),
      csv,
      errorResponse(403, 'forbidden'),
    );
    const client = server.client();
    const get = () => catchError(client.download('fund-allocation', 'parquet', { fund_id: 'x' }));
    expect(await get()).toMatchObject({ kind: 'no_record_found' });
    expect(await get()).toMatchObject({ kind: 'malformed' });
    expect(await get()).toMatchObject({ kind: 'malformed' });
    expect(await get()).toMatchObject({ kind: 'forbidden' });
  });
});
