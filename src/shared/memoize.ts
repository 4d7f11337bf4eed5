import type { Awaitable } from './awaitable.ts';

/** A map that is cleared before it would exceed `max` entries. */
export type BoundedMap<K, V> = Pick<Map<K, V>, 'get' | 'has' | 'set'>;

export function createBoundedMap<K, V>(max: number): BoundedMap<K, V> {
  const map = new Map<K, V>();
  return {
    get: (key) => map.get(key),
    has: (key) => map.has(key),
    set(key, value) {
      if (map.size >= max && !map.has(key)) map.clear();
      return map.set(key, value);
    },
  };
}

/** Computes a value once for each key and keeps up to `max` values. */
export function memoize<K, V>(max: number, compute: (key: K) => V): (key: K) => V {
  const cache = createBoundedMap<K, V>(max);
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined || cache.has(key)) return cached as V;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}

/** Computes a value once for each object and keeps it for the object's lifetime. The last value is found fastest. */
export function memoizeByIdentity<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: cache.getOrInsertComputed(key, compute) };
    return last.value;
  };
}

/** The same for promises; a settled value is returned without one. */
export function memoizeAsync<Arguments extends readonly unknown[], V>(
  max: number,
  toKey: (...values: Arguments) => string,
  compute: (...values: Arguments) => Promise<V>,
): (...values: Arguments) => Awaitable<V> {
  const cache = createBoundedMap<string, V>(max);
  const computeAndKeep = async (key: string, values: Arguments) => {
    const value = await compute(...values);
    cache.set(key, value);
    return value;
  };
  return (...values) => {
    const key = toKey(...values);
    return cache.has(key) ? (cache.get(key) as V) : computeAndKeep(key, values);
  };
}

/** Calls `create` once and keeps its promise; after a rejection, `create` is called again. */
export function onceAsync<T>(create: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= create().catch((cause) => {
      promise = undefined;
      throw cause;
    });
    return promise;
  };
}
