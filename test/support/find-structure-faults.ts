import type { StoreInspector } from '../../src/store/open-store.ts';

/** The faults of the structure of a store, of all its slices. */
export async function findStructureFaults(inspector: StoreInspector): Promise<string[]> {
  const found = await Array.fromAsync(inspector.structureFaults());
  return found.flatMap(({ faults }) => faults);
}
