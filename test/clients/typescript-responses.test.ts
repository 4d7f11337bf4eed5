import { describe, expect, test } from 'bun:test';
import { catchError, errorResponse, ok, startScriptedServer } from './typescript-support.ts';

const quote = { symbol: 'ZZ' };

describe('a response', () => {
  test('has data, and meta with the values of the headers', async () => {
    await using server = startScriptedServer(
      ok([quote], {
        'Tenor-Revision': '22',
        'Tenor-Total-Count': '1234',
        'Memento-Datetime': 'Wed, 01 Jul 2026 06:12:00 GMT',
        'Last-Modified': 'Wed, 01 Jul 2026 06:12:00 GMT',
        RateLimit: '"per day; r=1";r=900;t=3600, "per minute";t=30;r=12',
        'Tenor-Units': '"percent", "a \\"b\\" \\\\", %"%e2%82%a8, billion"',
        ETag: '"abc"',
        'X-Request-Id': 'r-1',
        Link: '</2.0/bnb/quote>; rel="original timegate", <?cursor=x>; rel="next", </datasets/b-2>; rel="successor-version"',
      }),
    );
    const publishedAt = new Date('2026-07-01T06:12:00Z');
    expect(await server.client().quotes({ limit: 1 })).toEqual({
      data: [quote] as never,
      meta: {
        revision: 22,
        total: 1234,
        hasMore: true,
        next: `${server.address}/2.0/bnb/quote?cursor=x`,
        cursor: 'x',
        successor: 'b-2',
        units: ['percent', 'a "b" \\', '₨, billion'],
        memento: publishedAt,
        lastModified: publishedAt,
        publishedAt: undefined,
        sincePublishedAt: undefined,
        rateLimitLeft: 12,
        etag: '"abc"',
        requestId: 'r-1',
        cached: false,
      },
    });
  });

  test('is requested as JSON with the token, and counted or historical only on request', async () => {
    await using server = startScriptedServer(ok());
    const client = server.client({ token: 'abc' });
    await client.quotes({ symbol: 'a b' });
    await client.asOf('2026-07-01').quotes({}, { count: true });
    const [plain, special] = server.requests;
    expect(plain?.target).toBe('/2.0/bnb/quote?symbol=a+b');
    expect(plain?.headers.get('authorization')).toBe('Bearer abc');
    expect(plain?.headers.get('accept')).toBe('application/json');
    for (const name of ['prefer', 'accept-datetime', 'if-none-match']) {
      expect(plain?.headers.has(name)).toBe(false);
    }
    expect(special?.headers.get('prefer')).toBe('count=exact');
    expect(special?.headers.get('accept-datetime')).toBe('2026-07-01T23:59:59Z');
  });

  test('with a malformed Link header is an error', async () => {
    await using server = startScriptedServer(ok([quote], { Link: '?cursor=x; rel=next' }));
    expect(await catchError(server.client().quotes())).toMatchObject({ kind: 'malformed' });
  });
});

describe('pages', () => {
  /** Three pages, each with the address of the next, and beside it what else a Link may hold. */
  const pages = [
    ok([1, 2], { Link: '</2.0/bnb/quote?limit=2>; rel="first", <?limit=2&cursor=b>; rel="next"' }),
    ok([3, 4], { Link: '</2.0/bnb/quote?limit=2&cursor=c>; title="a, b"; rel="next"' }),
    ok([5], { Link: '</2.0/bnb/quote?limit=2>; rel="first"' }),
  ] as const;

  test('are followed to the last one, as pages or as records', async () => {
    await using server = startScriptedServer(...pages);
    expect(await server.client().quotes.all({ limit: 2 }).toArray()).toEqual([
      1, 2, 3, 4, 5,
    ] as never);
    const queries = server.requests.map(({ target }) => target.split('?')[1] ?? '');
    expect(queries).toEqual(['limit=2', 'limit=2&cursor=b', 'limit=2&cursor=c']);
  });

  test('are requested only when they are needed', async () => {
    await using server = startScriptedServer(...pages);
    for await (const { data } of server.client().quotes.pages()) {
      expect(data).toEqual([1, 2] as never);
      break;
    }
    for await (const _ of server.client().quotes.all()) break;
    expect(server.requests.map(({ target }) => target)).toEqual([
      '/2.0/bnb/quote?limit=1000',
      '/2.0/bnb/quote?limit=1000',
    ]);
  });

  test('are all requested with the options of the first', async () => {
    await using server = startScriptedServer(...pages);
    const { signal } = new AbortController();
    const { quotes } = server.client().asOf(new Date(0));
    for await (const _ of quotes.pages({}, { count: true, signal }));
    for (const { headers } of server.requests) {
      expect(headers.get('accept-datetime')).toBe('1970-01-01T00:00:00.000Z');
      expect(headers.get('prefer')).toBe('count=exact');
    }
    expect(server.requests.length).toBe(3);
  });

  test('are found below a path prefix', async () => {
    await using server = startScriptedServer(...pages);
    const client = server.client({ baseUrl: `${server.address}/tenor` });
    await client.quotes.all().toArray();
    for (const { target } of server.requests) expect(target).toStartWith('/tenor/2.0/bnb/quote?');
  });

  test.each([400, 410])(
    'that are answered with %d throw instead of ending the iteration',
    async (status) => {
      await using server = startScriptedServer(pages[0], errorResponse(status, 'invalid cursor'));
      const records: unknown[] = [];
      const iteration = (async () => {
        for await (const record of server.client().quotes.all()) records.push(record);
      })();
      expect(await catchError(iteration)).toMatchObject({ status, message: 'invalid cursor' });
      expect(records).toEqual([1, 2]);
    },
  );

  test('that repeat are an error', async () => {
    await using server = startScriptedServer(pages[0]);
    const error = await catchError(server.client().quotes.all().toArray());
    expect(error.message).toContain('already');
    expect(server.requests.length).toBe(2);
  });
});
