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
export async function withTimeout<T>(
  response: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Awaitable<Error>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = system.setTimeout(() => whenReady(onTimeout(), late.reject), timeoutMs);
  return Promise.race([response, late.promise]).finally(() => timer.cancel());
}
