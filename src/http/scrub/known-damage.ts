import type { Awaitable } from '../../shared/awaitable.ts';
import { StoreDamagedError } from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';

/** Stands for all datasets among their names, if a fault is not one of a single dataset. */
export const EVERYTHING = '*';

/** The response to a request for what is made from damaged data. */
export const DAMAGED_ERROR = new HttpError('temporarily_unavailable', {}, { 'Retry-After': '60' });

/** Learns what requests cannot read. */
export interface ReadObserver {
  /** A read failed because of damage; without names, it is not known of what. */
  suspect(datasets: readonly string[]): void;
}

/** The damage of one database that is known: nothing that is made from it is sent. */
export class KnownDamage {
  /** Whether there is any. */
  exists = false;
  readonly #names = new Set<string>();

  constructor(private readonly observer?: ReadObserver) {}

  add(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    this.exists = this.#names.size > 0;
  }

  /** Whether some of these datasets are damaged. */
  covers(datasets: readonly string[]): boolean {
    if (!this.exists) return false;
    return this.#names.has(EVERYTHING) || datasets.some((name) => this.#names.has(name));
  }

  /** Whether nothing else is damaged. */
  isWithin(names: readonly string[]): boolean {
    return [...this.#names].every((name) => names.includes(name));
  }

  /**
   * Reads some datasets. If that fails because of damage, a single one counts as damaged at once; which
   * one of several it is, or what else, a scrub finds out.
   */
  async watch<T>(datasets: readonly string[], read: () => Awaitable<T>): Promise<T> {
    try {
      return await read();
    } catch (cause) {
      return this.#throwObserved(datasets, cause);
    }
  }

  /** The same for chunks of a file, none of which is sent once damage is known. */
  async *watchChunks<T>(
    datasets: readonly string[],
    chunks: AsyncGenerator<T, undefined>,
  ): AsyncGenerator<T, undefined> {
    try {
      for await (const chunk of chunks) {
        if (this.covers(datasets)) throw new StoreDamagedError('it is known to be damaged');
        yield chunk;
      }
    } catch (cause) {
      this.#throwObserved(datasets, cause);
    }
    return undefined;
  }

  #throwObserved(datasets: readonly string[], cause: unknown): never {
    // Stored texts are JSON, which is parsed wherever it is not sent as it is.
    const error = cause instanceof SyntaxError ? new StoreDamagedError(cause.message) : cause;
    if (error instanceof StoreDamagedError) {
      // Whoever read a single one of them knows best.
      error.dataset ??= datasets.length === 1 ? datasets[0] : undefined;
      const names = error.dataset === undefined ? [] : [error.dataset];
      this.add(names);
      this.observer?.suspect(names);
    }
    throw error;
  }
}
