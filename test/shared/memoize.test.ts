import { expect, test } from 'bun:test';
import { createBoundedMap, memoize, memoizeAsync } from '../../src/shared/memoize.ts';

test('a bounded map is emptied for a key above its number, and not for one that it has', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('b', 3);
  expect([map.get('a'), map.get('b')]).toEqual([1, 3]);
  map.set('c', 4);
  expect([map.has('a'), map.has('b'), map.get('c')]).toEqual([false, false, 4]);
});

test('a value is computed once for each key, also if it is undefined', () => {
  const computed: string[] = [];
  const compute = memoize(2, (key: string) => void computed.push(key));
  for (const key of ['a', 'a', 'b', 'a']) compute(key);
  expect(computed).toEqual(['a', 'b']);
});

test('what fails is computed again', async () => {
  let calls = 0;
  const compute = memoizeAsync(2, String, async (key: string) => {
    if (++calls === 1) throw new Error('once');
    return key;
  });
  await expect(Promise.resolve(compute('a'))).rejects.toThrow('once');
  expect(await compute('a')).toBe('a');
  expect(compute('a')).toBe('a');
  expect(calls).toBe(2);
});
