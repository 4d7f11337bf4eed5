/** A few words that the browser keeps under a name. */
export interface StoredItem {
  get(): string | undefined;
  /** Undefined takes them away. */
  set(words: string | undefined): void;
}

/** Kept in that store of the browser; in memory where the visitor's settings forbid it. */
export function createStoredItem(store: () => Storage, name: string): StoredItem {
  let memory: string | undefined;
  return {
    get() {
      try {
        return store().getItem(name) ?? undefined;
      } catch {
        return memory;
      }
    },
    set(words) {
      memory = words;
      try {
        if (words === undefined) store().removeItem(name);
        else store().setItem(name, words);
      } catch {
        // Kept in memory alone.
      }
    },
  };
}
