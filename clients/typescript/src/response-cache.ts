/** A response to be reused if it has not changed. */
export interface CachedResponse {
  readonly etag: string;
  /** Text, so that callers cannot change each other's data. */
  readonly text: string;
  readonly headers: Headers;
}

/** Responses by request. Each client has its own, so that tokens do not share data. */
export interface ResponseCache {
  get(key: string): CachedResponse | undefined;
  set(key: string, response: CachedResponse): void;
}

/** An LRU cache of at most so many characters of bodies. */
export function createResponseCache(maxCharacters: number): ResponseCache {
  const entries = new Map<string, CachedResponse>();
  let characters = 0;
  const remove = (key: string) => {
    characters -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const response = entries.get(key);
      if (response) {
        // A map is ordered by insertion: the most recently used entry moves to the end.
        entries.delete(key);
        entries.set(key, response);
      }
      return response;
    },
    set(key, response) {
      remove(key);
      if (response.text.length > maxCharacters) return;
      entries.set(key, response);
      characters += response.text.length;
      for (const oldest of entries.keys()) {
        if (characters <= maxCharacters) return;
        remove(oldest);
      }
    },
  };
}
