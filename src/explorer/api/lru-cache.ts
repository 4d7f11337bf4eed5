/** Things by name, as many as their weights allow: those that were wanted longest ago go first. */
export interface LruCache<T> {
  get(key: string): T | undefined;
  set(key: string, thing: T): void;
  /** Says what a thing weighs, once that is known; until then it is 1. */
  setWeight(key: string, weight: number): void;
  delete(key: string): void;
  clear(): void;
}

export function createLruCache<T>(max: number): LruCache<T> {
  const things = new Map<string, { readonly thing: T; weight: number }>();
  let all = 0;
  const drop = (key: string) => {
    all -= things.get(key)?.weight ?? 0;
    things.delete(key);
  };
  const lighten = () => {
    for (const oldest of things.keys()) {
      if (all <= max || things.size === 1) return;
      drop(oldest);
    }
  };
  return {
    get(key) {
      const known = things.get(key);
      if (!known) return undefined;
      // The order of a map is the order of putting in: the newest goes to the end.
      things.delete(key);
      things.set(key, known);
      return known.thing;
    },
    set(key, thing) {
      drop(key);
      things.set(key, { thing, weight: 1 });
      all += 1;
      lighten();
    },
    setWeight(key, weight) {
      const known = things.get(key);
      if (!known) return;
      all += weight - known.weight;
      known.weight = weight;
      lighten();
    },
    delete: drop,
    clear() {
      things.clear();
      all = 0;
    },
  };
}
