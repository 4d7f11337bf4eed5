/** A string in browser storage. */
export interface StoredItem {
  get(): string | undefined;
  /** Undefined removes it. */
  set(value: string | undefined): void;
}

/** Falls back to memory if the browser's settings forbid storage. */
export function createStoredItem(getStorage: () => Storage, name: string): StoredItem {
  let memory: string | undefined;
  return {
    get() {
      try {
        return getStorage().getItem(name) ?? undefined;
      } catch {
        return memory;
      }
    },
    set(value) {
      memory = value;
      try {
        if (value === undefined) getStorage().removeItem(name);
        else getStorage().setItem(name, value);
      } catch {
        // The value stays in memory.
      }
    },
  };
}
