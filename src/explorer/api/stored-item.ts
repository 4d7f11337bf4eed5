/** A string in browser storage, or in memory if the browser's settings forbid storage. */
export class StoredItem {
  #memory: string | undefined;

  constructor(
    private readonly getStorage: () => Storage,
    private readonly name: string,
  ) {}

  get(): string | undefined {
    try {
      return this.getStorage().getItem(this.name) ?? undefined;
    } catch {
      return this.#memory;
    }
  }

  set(value: string | undefined): void {
    this.#memory = value;
    try {
      if (value === undefined) this.getStorage().removeItem(this.name);
      else this.getStorage().setItem(this.name, value);
    } catch {
      // The value stays in memory.
    }
  }
}
