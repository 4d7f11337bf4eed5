/**
 * A table for looking up texts from outside: it has its own names alone. Any other object also has
 * those of its prototype, such as `constructor`.
 */
export function createLookupTable<Table extends object>(table: Table): Table {
  return Object.assign(Object.create(null), table);
}
