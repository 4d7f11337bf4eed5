import { describe, expect, test } from 'bun:test';
import { type AsOf, resolveAsOf } from '../../clients/typescript/src/as-of.ts';
import { API_ERRORS } from '../../src/catalogue/model/api-errors.ts';
import { buildUrl } from '../../src/client/build-url.ts';
import { classifyResponse, TenorError } from '../../src/client/errors.ts';
import { resolveOptions } from '../../src/client/options.ts';
import { ResponseCache } from '../../src/client/response-cache.ts';
import { getBackoffMs, parseRetryAfter, SYSTEM_CLOCK, withRetry } from '../../src/client/retry.ts';

describe('withRetry', () => {
  const createError = (kind: TenorError['kind'], waitMs?: number) =>
    new TenorError(kind, '', { url: '', retryAfterMs: waitMs });

  /** Throws the errors one after the other, on a clock that only waiting moves. */
  async function retryAfter(errors: readonly Error[], totalMs = 1_000_000) {
    const waits: number[] = [];
    const timeouts: number[] = [];
    let nowMs = 0;
    const remaining = [...errors];
    const outcome = await withRetry(
      { tries: 4, timeoutMs: 30_000, totalMs },
      undefined,
      async (timeoutMs) => {
        timeouts.push(timeoutMs);
        const next = remaining.shift();
        if (next) throw next;
        return 'done';
      },
      {
        nowMs: () => nowMs,
        random: () => 0,
        wait: async (ms) => {
          waits.push(ms);
          nowMs += ms;
        },
      },
    ).catch((thrown) => thrown);
    return { outcome, waits, timeouts };
  }

  test('does not retry after permanent errors', async () => {
    for (const kind of ['unauthorized', 'bad_request', 'malformed', 'redirected'] as const) {
      const { outcome, waits } = await retryAfter([createError(kind)]);
      expect(outcome).toMatchObject({ kind });
      expect(waits).toEqual([]);
    }
    expect((await retryAfter([new RangeError('a bug')])).outcome).toBeInstanceOf(RangeError);
  });

  test('waits for Retry-After, else with exponential backoff', async () => {
    const { waits } = await retryAfter([
      createError('too_many_requests', 7_000),
      createError('network'),
      createError('temporarily_unavailable', 1_000),
    ]);
    expect(waits).toEqual([7_000, 1_000, 2_000]);
  });

  test('throws the last error after the maximum number of tries', async () => {
    const errors = Array.from({ length: 5 }, () => createError('network'));
    const { outcome, waits } = await retryAfter(errors);
    expect(outcome).toBe(errors[3]);
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  test.each([0, 0.5, 1])(
    'retries until a service is back after ten seconds, with random value %d',
    async (random) => {
      let nowMs = 0;
      const callback = async () => {
        if (nowMs < 10_000) throw createError('network');
        return 'done';
      };
      const wait = async (ms: number) => {
        nowMs += ms;
      };
      const clock = { nowMs: () => nowMs, random: () => random, wait };
      const defaults = resolveOptions({ baseUrl: 'http://127.0.0.1:8080', token: 't' });
      expect(await withRetry(defaults, undefined, callback, clock)).toBe('done');
    },
  );

  test('limits the timeout of a try to the remaining total time', async () => {
    const { timeouts } = await retryAfter([createError('network', 39_000)], 40_000);
    expect(timeouts).toEqual([30_000, 1_000]);
  });

  test('backs off for between half and all of a time that doubles up to ten seconds', () => {
    for (const [tried, fullMs] of [
      [1, 500],
      [2, 1_000],
      [4, 4_000],
      [30, 10_000],
    ] as const) {
      expect(getBackoffMs(tried, 0)).toBe(fullMs);
      expect(getBackoffMs(tried, 1)).toBe(fullMs / 2);
    }
  });

  test('parses Retry-After as seconds or as a date by the clock of its sender', () => {
    const nowMs = Date.UTC(2030, 0, 1);
    const read = (headers: Record<string, string>) => parseRetryAfter(new Headers(headers), nowMs);
    const at = 'Sun, 15 Nov 2026 04:30:30 GMT';
    expect(read({ 'retry-after': '12' })).toBe(12_000);
    expect(read({ 'retry-after': at, date: 'Sun, 15 Nov 2026 04:30:00 GMT' })).toBe(30_000);
    expect(read({ 'retry-after': 'Tue, 01 Jan 2030 00:00:05 GMT' })).toBe(5_000);
    expect(read({ 'retry-after': at })).toBe(0);
    expect(read({ 'retry-after': 'soon' })).toBeUndefined();
    expect(read({ 'retry-after': '-1', date: at })).toBeUndefined();
    expect(read({})).toBeUndefined();
  });
});

describe('ResponseCache', () => {
  const createResponse = (text: string) => ({ etag: '"x"', text, headers: new Headers() });

  test('never exceeds its size, and evicts the least recently used response', () => {
    const cache = new ResponseCache(10);
    cache.set('a', createResponse('1234'));
    cache.set('b', createResponse('1234'));
    cache.get('a');
    cache.set('c', createResponse('1234'));
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
    cache.set('d', createResponse('12345678901'));
    expect(cache.get('d')).toBeUndefined();
    cache.set('a', createResponse('1'));
    cache.set('e', createResponse('12345'));
    expect(['a', 'c', 'e'].map((key) => cache.get(key) !== undefined)).toEqual([true, true, true]);
  });
});

describe('buildUrl', () => {
  const base = new URL('http://127.0.0.1:8080/');

  test('percent-encodes parameters and omits undefined ones', () => {
    const url = buildUrl(base, '/a/{n}', { q: 'x&y z+ü', left: undefined, limit: 5 }, { n: 7 });
    expect(url.href).toBe('http://127.0.0.1:8080/a/7?q=x%26y+z%2B%C3%BC&limit=5');
  });

  test('sends a list as one text with commas', () => {
    const url = buildUrl(base, '/a', { symbol: ['A', 'B&C'] });
    expect(url.searchParams.get('symbol')).toBe('A,B&C');
    expect(buildUrl(base, '/a', { bank: ['x,y', 'z'] }).search).toBe('?bank=%22x%2Cy%22%2Cz');
  });

  test('rejects a value that is neither text nor number, nor a list of some', () => {
    for (const value of [null, true, [], [''], [null], new Date(0)]) {
      expect(() => buildUrl(base, '/a', { from: value })).toThrow('parameter "from"');
    }
  });
});

describe('resolveAsOf', () => {
  test('accepts a Date, a day, which means its end, an instant and a revision', () => {
    expect(resolveAsOf(new Date(250)).acceptDatetime).toBe('1970-01-01T00:00:00.250Z');
    expect(resolveAsOf('2026-07-01').acceptDatetime).toBe('2026-07-01T23:59:59Z');
    for (const instant of ['2026-07-01T12:00:00+05:00', 'Thu, 02 Jul 2026 00:00:00 GMT']) {
      expect(resolveAsOf(instant).acceptDatetime).toBe(instant);
    }
    expect(resolveAsOf(7)).toEqual({ revision: 7 });
  });

  test('rejects anything else', () => {
    const texts = ['', 'yesterday', '2026-13-01', '2026-02-30', '2026-07-01\n', '7', '1 July 2026'];
    const instants = ['2026-07-01T12:00:00', '2026-07-01T25:00:00Z', '2026-02-30T12:00:00Z'];
    const others = [new Date(Number.NaN), 0, -1, 1.5, null, true];
    for (const value of [...texts, ...instants, ...others]) {
      expect(() => resolveAsOf(value as AsOf)).toThrow(TypeError);
    }
  });
});

test('every API error has a kind', () => {
  const kindByStatus = {
    400: 'bad_request',
    404: 'not_found',
    405: 'bad_request',
    406: 'not_writable',
    412: 'bad_request',
    414: 'bad_request',
    416: 'bad_request',
  };
  for (const [name, { status, message }] of Object.entries(API_ERRORS)) {
    const expected = kindByStatus[status as keyof typeof kindByStatus] ?? name;
    expect(classifyResponse(status, message)).toBe(expected as ReturnType<typeof classifyResponse>);
  }
});

test('a wait ends after its delay, and at once when it is aborted before or meanwhile', async () => {
  await SYSTEM_CLOCK.wait(1, new AbortController().signal);
  expect(SYSTEM_CLOCK.wait(600_000, AbortSignal.abort('before'))).rejects.toBe('before');
  const controller = new AbortController();
  const wait = SYSTEM_CLOCK.wait(600_000, controller.signal);
  controller.abort('meanwhile');
  expect(wait).rejects.toBe('meanwhile');
});
