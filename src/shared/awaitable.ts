/** A value, or a promise of it. What is there already can be used at once, which is faster. */
export type Awaitable<T> = T | Promise<T>;

/** Calls a function with a value: at once, or when its promise is fulfilled. */
export function whenReady<T, U>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
