import type { Location } from './row.ts';

const locations = new WeakMap<object, Location>();

/**
 * Says where a record comes from, if that is not the row which the adapter read last:
 * `yield at(row, { … })`. Returns the record.
 */
export function at<T extends object>(location: Location, record: T): T {
  locations.set(record, location);
  return record;
}

export function findRecordLocation(record: unknown): Location | undefined {
  return typeof record === 'object' && record !== null ? locations.get(record) : undefined;
}
