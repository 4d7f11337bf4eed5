/** A response to be reused if it has not changed. */
export interface CachedResponse {
  readonly etag: string;
  /** Text, so that callers cannot change each other's data. */
  readonly text: string;
  readonly headers: Headers;
}

/**
 * An LRU cache of at most so many characters of bodies. Each client has its own, so that tokens do
 * not share data.
 */
export class ResponseCache {
  readonly #maxCharacters: number;
  readonly #entries = new Map<string, CachedResponse>();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(key: string): CachedResponse | undefined {
    const response = this.#entries.get(key);
    if (response) {
      // A map is ordered by insertion: the most recently used entry moves to the end.
      this.#entries.delete(key);
      this.#entries.set(key, response);
    }
    return response;
  }

  set(key: string, response: CachedResponse): void {
    this.#remove(key);
    if (response.text.length > this.#maxCharacters) return;
    this.#entries.set(key, response);
    this.#characters += response.text.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#characters -= this.#entries.get(key)?.text.length ?? 0;
    this.#entries.delete(key);
  }
}
