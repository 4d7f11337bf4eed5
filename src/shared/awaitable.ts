import { system } from './system.ts';

/** A value, or a promise of it. A value that is already there can be used at once, which is faster. */
export type Awaitable<T> = T | Promise<T>;

/** Calls a function with a value: at once, or when its promise resolves. */
export function whenReady<T, U>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Settles like the promise, unless it is late: then it rejects with what `onTimeout` returns. */
export function withTimeout<T>(
  response: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Awaitable<Error>,
): Promise<T> {
  // A race would take several promises more, and each read from a server has a timeout.
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = system.setTimeout(() => whenReady(onTimeout(), reject), timeoutMs);
  response.then(resolve, reject).finally(() => timer.cancel());
  return promise;
}
