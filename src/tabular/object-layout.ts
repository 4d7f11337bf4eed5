import type { AnyRecord } from '../catalogue/model/dataset.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import type { TabularCell, TabularColumn, TabularLayout } from './layout.ts';
import { columnTypeFor } from './layout.ts';

/** The flat form of objects with this schema: those within them are columns `outer.inner`. */
export function createObjectLayout(schema: JsonSchema): TabularLayout {
  const leaves = collectLeafColumns(schema, []);
  return {
    columns: leaves.map(({ path, type }) => ({ name: path.join('.'), type })),
    toRows: (record) => [leaves.map(({ path }) => getCellAt(record, path))],
  };
}

interface LeafColumn {
  readonly path: readonly string[];
  readonly type: TabularColumn['type'];
}

function collectLeafColumns(schema: JsonSchema, path: readonly string[]): LeafColumn[] {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties) return [{ path, type: columnTypeFor(schema) }];
  return Object.entries(properties).flatMap(([name, inner]) =>
    collectLeafColumns(inner, [...path, name]),
  );
}

/** Null where an object on the way is. */
function getCellAt(record: AnyRecord, path: readonly string[]): TabularCell {
  const value = path.reduce<unknown>((at, name) => (at as AnyRecord | null)?.[name], record);
  return (value ?? null) as TabularCell;
}
