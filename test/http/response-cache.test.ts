import { describe, expect, test } from 'bun:test';
import type { HttpResponse } from '../../src/http/responses/response.ts';
import { ResponseCache } from '../../src/http/responses/response-cache.ts';

function answer(revision: number | null, bytes = 1_000): HttpResponse {
  return { status: 200, body: new Blob([new Uint8Array(bytes)]), headers: new Headers(), revision };
}

/** A cache that knows of the first revision. */
function createCache(maxBytes: number): ResponseCache {
  const cache = new ResponseCache(maxBytes);
  cache.advanceTo(1);
  return cache;
}

describe('response cache', () => {
  test('returns a stored response until there is a newer revision', () => {
    const cache = createCache(1e6);
    const one = answer(1);
    cache.set('a', one);
    expect(cache.get('a')).toBe(one);
    expect(cache.advanceTo(1)).toBe(false);
    expect(cache.get('a')).toBe(one);
    expect(cache.advanceTo(2)).toBe(true);
    expect(cache.get('a')).toBeUndefined();
  });

  test('stores as the newest no response of an older or a later revision', () => {
    const cache = createCache(1e6);
    cache.advanceTo(2);
    for (const revision of [1, 3]) {
      cache.set('a', answer(revision));
      expect([cache.get('a'), cache.revision]).toEqual([undefined, 2]);
    }
  });

  test('evicts the oldest entry that was not read first', () => {
    const cache = createCache(4 * 5_100);
    for (const target of ['a', 'b', 'c']) cache.set(target, answer(1));
    cache.get('a');
    cache.set('d', answer(1));
    cache.set('e', answer(1));
    expect(['a', 'b', 'c', 'd', 'e'].filter((target) => cache.get(target))).toEqual([
      'a',
      'c',
      'd',
      'e',
    ]);
  });

  test('stays within its bytes when every entry is read', () => {
    const cache = createCache(4 * 5_100);
    const targets = Array.from({ length: 50 }, (_, index) => `t${index}`);
    for (const target of targets) {
      cache.set(target, answer(1));
      for (const other of targets) cache.get(other);
    }
    expect(targets.filter((target) => cache.get(target)).length).toBe(4);
  });

  test('does not count a key twice that is stored again', () => {
    const cache = createCache(4 * 5_100);
    cache.set('a', answer(1));
    for (let time = 0; time < 10; time++) cache.set('b', answer(1));
    expect(cache.get('a')).toBeDefined();
  });

  test('stores neither a response that would fill a quarter of it nor one without a revision', () => {
    const cache = createCache(40_000);
    cache.set('quarter', answer(1, 5_900));
    cache.set('more', answer(1, 6_100));
    cache.set('error', answer(null));
    expect(cache.get('quarter')).toBeDefined();
    expect([cache.get('more'), cache.get('error')]).toEqual([undefined, undefined]);
  });

  test('stores a historical response beside the newest, and drops both for a newer revision', () => {
    const cache = createCache(1e6);
    const past = answer(1);
    cache.advanceTo(7);
    cache.set('a', answer(7));
    cache.setHistorical('a 1', past);
    expect(cache.get('a 1')).toBe(past);
    expect(cache.get('a')?.revision).toBe(7);
    cache.advanceTo(8);
    expect([cache.get('a'), cache.get('a 1')]).toEqual([undefined, undefined]);
  });

  test('counts the bytes of historical responses', () => {
    const cache = createCache(4 * 5_100);
    const keys = Array.from({ length: 50 }, (_, revision) => `t ${revision}`);
    for (const [revision, key] of keys.entries()) cache.setHistorical(key, answer(revision));
    expect(keys.filter((key) => cache.get(key)).length).toBe(4);
  });

  test('counts bytes that are added to a response', () => {
    const cache = createCache(4 * 5_100);
    const [a, b, c] = [answer(1), answer(1), answer(1)];
    for (const [target, response] of Object.entries({ a, b, c })) cache.set(target, response);
    cache.addBytes(c, 4_000);
    expect(cache.get('a')).toBe(a);
    cache.addBytes(c, 4_000);
    // The one that was asked for stays; of the others the oldest goes.
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([a, undefined, c]);
  });

  test('counts a derived response, and what is added to it, with its source', () => {
    const cache = createCache(4 * 5_100);
    const [source, derived] = [answer(1), answer(1)];
    cache.set('source', source);
    cache.attach(derived, source);
    cache.addBytes(derived, 5_000);
    expect(cache.get('source')).toBe(source);
    cache.addBytes(derived, 6_000);
    expect(cache.get('source')).toBeUndefined();
  });

  test('evicts a response that outgrows the cache', () => {
    const cache = createCache(4 * 5_100);
    const large = answer(1);
    cache.set('large', large);
    cache.addBytes(large, 20_000);
    expect(cache.get('large')).toBeUndefined();
    const targets = ['a', 'b', 'c', 'd'];
    for (const target of targets) cache.set(target, answer(1));
    expect(targets.filter((target) => cache.get(target))).toEqual(targets);
  });

  test('does not count bytes that are added to an evicted response', () => {
    const cache = createCache(4 * 5_100);
    const [never, forgotten, replaced] = [answer(1), answer(1), answer(2)];
    cache.set('a', forgotten);
    cache.advanceTo(2);
    cache.set('b', replaced);
    cache.set('b', answer(2));
    for (const response of [never, replaced, forgotten]) cache.addBytes(response, 1e6);
    expect(cache.get('b')).toBeDefined();
  });

  test('counts bytes that are added to a historical response', () => {
    const cache = createCache(4 * 5_100);
    const past = answer(1);
    cache.set('a', answer(7));
    cache.setHistorical('a 1', past);
    cache.addBytes(past, 14_000);
    expect([cache.get('a'), cache.get('a 1')]).toEqual([undefined, past]);
  });

  test('stores a text as a blob when it is requested for the second time', () => {
    const cache = createCache(1e6);
    const response: HttpResponse = { ...answer(1), body: 'text' };
    expect(cache.set('a', response)).toBe(response);
    expect(cache.get('a')).toBeUndefined();
    const stored = cache.set('a', response);
    expect(stored.body).toEqual(new Blob(['text']));
    expect(cache.get('a')).toBe(stored);
  });

  test('stores a text at once that was requested at an earlier revision', () => {
    const cache = createCache(1e6);
    for (const revision of [1, 2]) {
      cache.advanceTo(revision);
      cache.set('a', { ...answer(revision), body: 'text' });
    }
    expect(cache.get('a')?.revision).toBe(2);
  });
});
