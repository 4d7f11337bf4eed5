import { describe, expect, test } from 'bun:test';
import { answering, failureOf, ok, refusal } from './typescript-support.ts';

const quote = { symbol: 'ZZ' };

describe('an answer', () => {
  test('has its data, and beside it what the headers tell', async () => {
    await using server = answering(
      ok([quote], {
        'Tenor-Revision': '22',
        'Tenor-Total-Count': '1234',
        'Memento-Datetime': 'Wed, 01 Jul 2026 06:12:00 GMT',
        'Last-Modified': 'Wed, 01 Jul 2026 06:12:00 GMT',
        RateLimit: '"per day; r=1";r=900;t=3600, "per minute";t=30;r=12',
        ETag: '"abc"',
        'X-Request-Id': 'r-1',
        Link: '</2.0/bnb/quote>; rel="original timegate", <?cursor=x>; rel="next"',
      }),
    );
    const at = new Date('2026-07-01T06:12:00Z');
    expect(await server.client().quotes({ limit: 1 })).toEqual({
      data: [quote] as never,
      meta: {
        revision: 22,
        total: 1234,
        next: `${server.address}/2.0/bnb/quote?cursor=x`,
        cursor: 'x',
        memento: at,
        lastModified: at,
        rateLimitLeft: 12,
        etag: '"abc"',
        requestId: 'r-1',
        cached: false,
      },
    });
  });

  test('is asked for with the token, as JSON, and counted or of the past only where wanted', async () => {
    await using server = answering(ok());
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

  test('whose Link cannot be read is a failure: it might have been cut', async () => {
    await using server = answering(ok([quote], { Link: '?cursor=x; rel=next' }));
    expect(await failureOf(server.client().quotes())).toMatchObject({ kind: 'malformed' });
  });
});

describe('pages', () => {
  /** Three pages, each with the address of the next, and beside it what else a Link may hold. */
  const walk = [
    ok([1, 2], { Link: '</2.0/bnb/quote?limit=2>; rel="first", <?limit=2&cursor=b>; rel="next"' }),
    ok([3, 4], { Link: '</2.0/bnb/quote?limit=2&cursor=c>; title="a, b"; rel="next"' }),
    ok([5], { Link: '</2.0/bnb/quote?limit=2>; rel="first"' }),
  ] as const;

  test('are followed to the last, one by one or as records', async () => {
    await using server = answering(...walk);
    expect(await server.client().quotes.all({ limit: 2 }).toArray()).toEqual([
      1, 2, 3, 4, 5,
    ] as never);
    const queries = server.requests.map(({ target }) => target.split('?')[1] ?? '');
    expect(queries).toEqual(['limit=2', 'limit=2&cursor=b', 'limit=2&cursor=c']);
  });

  test('are asked for only when they are wanted', async () => {
    await using server = answering(...walk);
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

  test('are all counted, of the past and ended as the first is', async () => {
    await using server = answering(...walk);
    const { signal } = new AbortController();
    const { quotes } = server.client().asOf(new Date(0));
    for await (const _ of quotes.pages({}, { count: true, signal }));
    for (const { headers } of server.requests) {
      expect(headers.get('accept-datetime')).toBe('1970-01-01T00:00:00.000Z');
      expect(headers.get('prefer')).toBe('count=exact');
    }
    expect(server.requests.length).toBe(3);
  });

  test('are found behind a prefix that the service does not know of', async () => {
    await using server = answering(...walk);
    const client = server.client({ baseUrl: `${server.address}/tenor` });
    await client.quotes.all().toArray();
    for (const { target } of server.requests) expect(target).toStartWith('/tenor/2.0/bnb/quote?');
  });

  test.each([400, 410])('that are refused with %d are a failure, never an end', async (status) => {
    await using server = answering(walk[0], refusal(status, 'that cursor is refused'));
    const records: unknown[] = [];
    const walking = (async () => {
      for await (const record of server.client().quotes.all()) records.push(record);
    })();
    expect(await failureOf(walking)).toMatchObject({ status, message: 'that cursor is refused' });
    expect(records).toEqual([1, 2]);
  });

  test('that lead back to one that was there are a failure', async () => {
    await using server = answering(walk[0]);
    const failure = await failureOf(server.client().quotes.all().toArray());
    expect(failure.message).toContain('already');
    expect(server.requests.length).toBe(2);
  });
});
