/** A string in browser storage; in memory if the browser's settings forbid storage. */
export function createStoredItem(getStorage: () => Storage, name: string) {
  let memory: string | undefined;
  return {
    get(): string | undefined {
      try {
        return getStorage().getItem(name) ?? undefined;
      } catch {
        return memory;
      }
    },
    set(value: string | undefined): void {
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
