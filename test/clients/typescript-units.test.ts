import { describe, expect, test } from 'bun:test';
import { toAcceptDatetime } from '../../clients/typescript/src/accept-datetime.ts';
import { buildUrl } from '../../clients/typescript/src/build-url.ts';
import { classifyResponse, TenorError } from '../../clients/typescript/src/errors.ts';
import { resolveOptions } from '../../clients/typescript/src/options.ts';
import { createResponseCache } from '../../clients/typescript/src/response-cache.ts';
import { getBackoffMs, parseRetryAfter, withRetry } from '../../clients/typescript/src/retry.ts';
import { API_ERRORS } from '../../src/catalogue/model/api-errors.ts';

describe('trying again', () => {
  const failure = (kind: TenorError['kind'], waitMs?: number) =>
    new TenorError(kind, '', { url: '', retryAfterMs: waitMs });

  /** Fails as told, one after the other, on a clock that only waiting moves. */
  async function trying(failing: readonly Error[], totalMs = 1_000_000) {
    const waits: number[] = [];
    const timeouts: number[] = [];
    let nowMs = 0;
    const left = [...failing];
    const outcome = await withRetry(
      { tries: 4, timeoutMs: 30_000, totalMs },
      undefined,
      async (timeoutMs) => {
        timeouts.push(timeoutMs);
        const next = left.shift();
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

  test.each(['network', 'timeout', 'too_many_requests', 'temporarily_unavailable'] as const)(
    'mends %s',
    async (kind) => {
      const { outcome, waits } = await trying([failure(kind), failure(kind)]);
      expect(outcome).toBe('done');
      expect(waits).toEqual([500, 1_000]);
    },
  );

  test('does not repeat what would fail again', async () => {
    for (const kind of ['unauthorized', 'bad_request', 'malformed', 'redirected'] as const) {
      const { outcome, waits } = await trying([failure(kind)]);
      expect(outcome).toMatchObject({ kind });
      expect(waits).toEqual([]);
    }
    expect((await trying([new RangeError('a bug')])).outcome).toBeInstanceOf(RangeError);
  });

  test('waits as long as the service asks, and else ever longer', async () => {
    const { waits } = await trying([
      failure('too_many_requests', 7_000),
      failure('network'),
      failure('temporarily_unavailable', 1_000),
    ]);
    expect(waits).toEqual([7_000, 1_000, 2_000]);
  });

  test('ends after its tries, with the last failure', async () => {
    const failing = Array.from({ length: 5 }, () => failure('network'));
    const { outcome, waits } = await trying(failing);
    expect(outcome).toBe(failing[3]);
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  test.each([0, 0.5, 1])(
    'outlasts a service that is away for ten seconds, whatever chance says: %d',
    async (chance) => {
      let nowMs = 0;
      const away = async () => {
        if (nowMs < 10_000) throw failure('network');
        return 'done';
      };
      const wait = async (ms: number) => {
        nowMs += ms;
      };
      const clock = { nowMs: () => nowMs, random: () => chance, wait };
      const defaults = resolveOptions({ baseUrl: 'http://127.0.0.1:8080', token: 't' });
      expect(await withRetry(defaults, undefined, away, clock)).toBe('done');
    },
  );

  test('gives up at once where the service asks for more time than there is', async () => {
    const { outcome, waits } = await trying([failure('too_many_requests', 3_600_000)], 60_000);
    expect(outcome).toMatchObject({ kind: 'too_many_requests', retryAfterMs: 3_600_000 });
    expect(waits).toEqual([]);
  });

  test('gives a later try no more time than is left of the whole', async () => {
    const { timeouts } = await trying([failure('network', 39_000)], 40_000);
    expect(timeouts).toEqual([30_000, 1_000]);
  });

  test('waits between half and all of a time that doubles up to ten seconds', () => {
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

  test('reads Retry-After as seconds or as a date by the clock of its sender', () => {
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

describe('what is kept', () => {
  const kept = (text: string) => ({ etag: '"x"', text, headers: new Headers() });

  test('never exceeds its bound, and what was asked for longest ago goes first', () => {
    const store = createResponseCache(10);
    store.set('a', kept('1234'));
    store.set('b', kept('1234'));
    store.get('a');
    store.set('c', kept('1234'));
    expect(['a', 'b', 'c'].map((key) => store.get(key) !== undefined)).toEqual([true, false, true]);
    store.set('d', kept('12345678901'));
    expect(store.get('d')).toBeUndefined();
    store.set('a', kept('1'));
    store.set('e', kept('12345'));
    expect(['a', 'c', 'e'].map((key) => store.get(key) !== undefined)).toEqual([true, true, true]);
  });
});

describe('an address', () => {
  const base = new URL('http://127.0.0.1:8080/');

  test('has its parameters percent-encoded, and none that is undefined', () => {
    const url = buildUrl(base, '/a/{n}', { q: 'x&y z+ü', left: undefined, limit: 5 }, { n: 7 });
    expect(url.href).toBe('http://127.0.0.1:8080/a/7?q=x%26y+z%2B%C3%BC&limit=5');
  });

  test('stays below the path of the base', () => {
    const under = new URL('https://example.org/tenor/');
    expect(buildUrl(under, '/catalogue').href).toBe('https://example.org/tenor/catalogue');
  });

  test('refuses a value that is no text and no number, and names it', () => {
    for (const value of [null, true, ['x'], new Date(0)]) {
      expect(() => buildUrl(base, '/a', { from: value })).toThrow('parameter "from"');
    }
  });
});

describe('an instant', () => {
  test('may be a Date, a day, which means its end, or the text of an instant', () => {
    expect(toAcceptDatetime(new Date(250))).toBe('1970-01-01T00:00:00.250Z');
    expect(toAcceptDatetime('2026-07-01')).toBe('2026-07-01T23:59:59Z');
    expect(toAcceptDatetime('2026-07-01T12:00:00+05:00')).toBe('2026-07-01T12:00:00+05:00');
  });

  test('is refused where it is none', () => {
    for (const wrong of ['', 'yesterday', '2026-13-01', new Date(Number.NaN), '2026-07-01\n']) {
      expect(() => toAcceptDatetime(wrong)).toThrow(TypeError);
    }
  });
});

test('every failure of the service has its kind', () => {
  const others = { 400: 'bad_request', 405: 'bad_request', 412: 'bad_request', 416: 'bad_request' };
  for (const [name, { status, message }] of Object.entries(API_ERRORS)) {
    const expected = others[status as keyof typeof others] ?? name;
    expect(classifyResponse(status, message)).toBe(expected as ReturnType<typeof classifyResponse>);
  }
});
