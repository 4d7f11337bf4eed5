/** Tables, indexes and views by kind and name, each with a text that defines it. */
export type SchemaObjects = ReadonlyMap<string, string>;

/** The faults of a schema: objects that are missing or differ from those of a new database. */
export function compareSchemas(actual: SchemaObjects, expected: SchemaObjects): string[] {
  return [...expected].flatMap(([name, definition]) => {
    if (actual.get(name) === definition) return [];
    return [actual.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}
