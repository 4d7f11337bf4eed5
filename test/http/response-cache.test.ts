import { describe, expect, test } from 'bun:test';
import type { HttpResponse } from '../../src/http/responses/response.ts';
import { createResponseCache } from '../../src/http/responses/response-cache.ts';

function answer(revision: number | null, bytes = 1_000): HttpResponse {
  return { status: 200, body: new Blob([new Uint8Array(bytes)]), headers: new Headers(), revision };
}

describe('memory', () => {
  test('gives back what it keeps, until a newer revision is there', () => {
    const cache = createResponseCache(1e6);
    const one = answer(1);
    cache.set('a', one);
    expect(cache.get('a')).toBe(one);
    expect(cache.advanceTo(1)).toBe(false);
    expect(cache.get('a')).toBe(one);
    expect(cache.advanceTo(2)).toBe(true);
    expect(cache.get('a')).toBeUndefined();
  });

  test('an answer from a newer revision forgets the older ones, and an older one is not kept', () => {
    const kept = createResponseCache(1e6);
    kept.set('a', answer(1));
    kept.set('b', answer(2));
    expect(kept.get('a')).toBeUndefined();
    kept.set('c', answer(1));
    expect(kept.get('c')).toBeUndefined();
  });

  test('the oldest that nobody asked for goes first', () => {
    const kept = createResponseCache(4 * 5_100);
    for (const target of ['a', 'b', 'c']) kept.set(target, answer(1));
    kept.get('a');
    kept.set('d', answer(1));
    kept.set('e', answer(1));
    expect(['a', 'b', 'c', 'd', 'e'].filter((target) => kept.get(target))).toEqual([
      'a',
      'c',
      'd',
      'e',
    ]);
  });

  test('stays within its bytes when everything is asked for', () => {
    const kept = createResponseCache(4 * 5_100);
    const targets = Array.from({ length: 50 }, (_, index) => `t${index}`);
    for (const target of targets) {
      kept.set(target, answer(1));
      for (const other of targets) kept.get(other);
    }
    expect(targets.filter((target) => kept.get(target)).length).toBe(4);
  });

  test('keeping the same target again does not count it twice', () => {
    const kept = createResponseCache(4 * 5_100);
    kept.set('a', answer(1));
    for (let time = 0; time < 10; time++) kept.set('b', answer(1));
    expect(kept.get('a')).toBeDefined();
  });

  test('keeps no answer that would fill it, and none without a revision', () => {
    const kept = createResponseCache(10_000);
    kept.set('large', answer(1, 9_000));
    kept.set('error', answer(null));
    expect([kept.get('large'), kept.get('error')]).toEqual([undefined, undefined]);
  });

  test('keeps an answer of the past beside the newest, and forgets both with a newer revision', () => {
    const kept = createResponseCache(1e6);
    const past = answer(1);
    kept.set('a', answer(7));
    kept.setHistorical('a 1', past);
    expect(kept.get('a 1')).toBe(past);
    expect(kept.get('a')?.revision).toBe(7);
    kept.advanceTo(8);
    expect([kept.get('a'), kept.get('a 1')]).toEqual([undefined, undefined]);
  });

  test('answers of the past count towards its bytes', () => {
    const kept = createResponseCache(4 * 5_100);
    const keys = Array.from({ length: 50 }, (_, revision) => `t ${revision}`);
    for (const [revision, key] of keys.entries()) kept.setHistorical(key, answer(revision));
    expect(keys.filter((key) => kept.get(key)).length).toBe(4);
  });

  test('what an answer grows by counts towards its bytes', () => {
    const kept = createResponseCache(4 * 5_100);
    const [a, b, c] = [answer(1), answer(1), answer(1)];
    for (const [target, each] of Object.entries({ a, b, c })) kept.set(target, each);
    kept.addBytes(c, 4_000);
    expect(kept.get('a')).toBe(a);
    kept.addBytes(c, 4_000);
    // The one that was asked for stays; of the others the oldest goes.
    expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([a, undefined, c]);
  });

  test('an answer that outgrows all room goes itself, and its bytes with it', () => {
    const kept = createResponseCache(4 * 5_100);
    const large = answer(1);
    kept.set('large', large);
    kept.addBytes(large, 20_000);
    expect(kept.get('large')).toBeUndefined();
    const targets = ['a', 'b', 'c', 'd'];
    for (const target of targets) kept.set(target, answer(1));
    expect(targets.filter((target) => kept.get(target))).toEqual(targets);
  });

  test('what is no more kept grows on its own account', () => {
    const kept = createResponseCache(4 * 5_100);
    const [never, forgotten, replaced] = [answer(1), answer(1), answer(2)];
    kept.set('a', forgotten);
    kept.set('b', replaced);
    kept.set('b', answer(2));
    for (const each of [never, replaced, forgotten]) kept.addBytes(each, 1e6);
    expect(kept.get('b')).toBeDefined();
  });

  test('an answer of the past grows like any other', () => {
    const kept = createResponseCache(4 * 5_100);
    const past = answer(1);
    kept.set('a', answer(7));
    kept.setHistorical('a 1', past);
    kept.addBytes(past, 14_000);
    expect([kept.get('a'), kept.get('a 1')]).toEqual([undefined, past]);
  });
});
