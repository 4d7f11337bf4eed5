/** An answer that was given before, to be given again where it has not changed. */
export interface CachedResponse {
  readonly etag: string;
  /** A text, so that nobody changes what another gets. */
  readonly text: string;
  readonly headers: Headers;
}

/** Answers by what was asked. Each client has its own, so no token sees what another was given. */
export interface ResponseCache {
  get(key: string): CachedResponse | undefined;
  set(key: string, kept: CachedResponse): void;
}

/** Keeps as many characters of bodies as it may, and lets go of what was not asked for longest. */
export function createResponseCache(mostCharacters: number): ResponseCache {
  const entries = new Map<string, CachedResponse>();
  let characters = 0;
  const remove = (key: string) => {
    characters -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const kept = entries.get(key);
      if (kept) {
        // The order of a map is the order of putting in: the newest goes to the end.
        entries.delete(key);
        entries.set(key, kept);
      }
      return kept;
    },
    set(key, kept) {
      remove(key);
      if (kept.text.length > mostCharacters) return;
      entries.set(key, kept);
      characters += kept.text.length;
      for (const oldest of entries.keys()) {
        if (characters <= mostCharacters) return;
        remove(oldest);
      }
    },
  };
}
