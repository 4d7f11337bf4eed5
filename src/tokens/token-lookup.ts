import { withTimeout } from '../shared/awaitable.ts';
import { system } from '../shared/system.ts';

/** The digests that one query looks up: as many as one address may guess at once. */
const MAX_DIGESTS = 1_000;
const QUERY_INTERVAL_MS = 50;
/** A store that takes longer counts as unreachable. */
const QUERY_TIMEOUT_MS = 2_000;

/**
 * Looks up digests of secrets that are not in memory: all waiting ones in one query, and one query at a time,
 * at most 20 a second, however many secrets are guessed.
 */
export class TokenLookup {
  readonly #digests = new Set<string>();
  /** The next query, which waits for the previous one and the interval after it. */
  #next: Promise<void> | undefined;
  #previous: Promise<unknown> = Promise.resolve();
  #isSuspended = false;

  /** `query` loads the stored tokens of the digests into memory. */
  constructor(private readonly query: (digests: readonly string[]) => Promise<void>) {}

  /** Resolves when whatever is stored for a digest is in memory; undefined if it is not looked up. */
  find(digest: string): Promise<void> | undefined {
    if (this.#isSuspended || this.#digests.size >= MAX_DIGESTS) return undefined;
    this.#digests.add(digest);
    this.#next ??= this.#runNext();
    return this.#next;
  }

  /** Resumes after a failure, because the store was reached again. */
  resume(): void {
    this.#isSuspended = false;
  }

  async #runNext(): Promise<void> {
    await this.#previous;
    const digests = [...this.#digests];
    this.#digests.clear();
    this.#next = undefined;
    if (this.#isSuspended) return;
    const result = withTimeout(this.query(digests), QUERY_TIMEOUT_MS, () => new Error('late'));
    const running = result.catch(() => {
      // The next reload reports the cause; until one succeeds, clients do not wait for another failure.
      this.#isSuspended = true;
    });
    this.#previous = Promise.all([running, system.sleep(QUERY_INTERVAL_MS)]);
    await running;
  }
}
