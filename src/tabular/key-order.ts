import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';

/** The keys of a list in all records, in an order that matches as many records as possible. */
export class KeyOrder {
  readonly keys: string[] = [];
  /** Whether every record has all keys, in this order. */
  isUniform = true;
  private readonly indexes = new Map<string, number>();
  private hasRecords = false;

  /** Adds the keys of one record; a new key is inserted after the one that precedes it there. */
  add(keys: readonly string[]): void {
    if (this.hasRecords && !this.matches(keys)) this.isUniform = false;
    this.hasRecords = true;
    let index = -1;
    for (const key of keys) {
      const existing = this.indexes.get(key);
      index = existing ?? index + 1;
      if (existing !== undefined) continue;
      this.keys.splice(index, 0, key);
      for (const [position, name] of this.keys.entries()) this.indexes.set(name, position);
    }
  }

  /** Whether a record has all keys, in this order. */
  matches(keys: readonly string[]): boolean {
    return keys.length === this.keys.length && keys.every((key, index) => key === this.keys[index]);
  }
}

export type KeyOrders = ReadonlyMap<string, KeyOrder>;

/** An empty order for each list of keyed values, which becomes one column per key. */
export function createKeyOrders({ fields }: Dataset): KeyOrders {
  const lists = Object.keys(fields).filter((name) => {
    const { key, value } = fields[name]?.itemFields ?? {};
    return key && value;
  });
  return new Map(lists.map((name) => [name, new KeyOrder()]));
}

export function collectKeyOrders(dataset: Dataset, records: readonly AnyRecord[]): KeyOrders {
  const orders = createKeyOrders(dataset);
  for (const record of records) collectKeys(orders, record);
  return orders;
}

export function collectKeys(orders: KeyOrders, record: AnyRecord): void {
  for (const [list, order] of orders)
    order.add((record[list] as readonly { key: string }[]).map(({ key }) => key));
}
