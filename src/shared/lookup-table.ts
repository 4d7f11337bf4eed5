/**
 * A table for looking up texts from outside, without a prototype: any other object also has the names of its
 * prototype, such as `constructor`.
 */
export function createLookupTable<Table extends object>(table: Table): Table {
  return Object.assign(Object.create(null), table);
}
