/** Names that every object has from its prototype. */
export const INHERITED_NAMES = [
  ...['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf'],
] as const;

/** A name that every object of this thread has while lookups are recorded. */
export const RECORDED_NAME = 'inheritedbyall';

/**
 * Runs a function, and returns where it reads a name from an object that only inherits it: of texts
 * from outside, each of these places would find what no table has.
 */
export async function recordInheritedLookups(run: () => Promise<unknown>): Promise<string[]> {
  const places = new Set<string>();
  Object.defineProperty(Object.prototype, RECORDED_NAME, {
    configurable: true,
    get() {
      places.add(String(new Error().stack).split('\n').slice(2, 4).join(' ').trim());
      return undefined;
    },
    set(value) {
      Object.defineProperty(this, RECORDED_NAME, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    },
  });
  try {
    await run();
  } finally {
    Reflect.deleteProperty(Object.prototype, RECORDED_NAME);
  }
  return [...places];
}
