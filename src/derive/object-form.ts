import type { AnyRecord } from '../catalogue/dataset.ts';
import type { JsonSchema } from '../catalogue/field.ts';
import type { FlatCell, FlatColumn, FlatForm } from './flat.ts';
import { columnType } from './flat.ts';

/** The flat form of objects with this schema: those within them are columns `outer.inner`. */
export function objectForm(schema: JsonSchema): FlatForm {
  const leaves = leavesOf(schema, []);
  return {
    columns: leaves.map(({ path, type }) => ({ name: path.join('.'), type })),
    rowsOf: (record) => [leaves.map(({ path }) => cellAt(record, path))],
  };
}

interface Leaf {
  readonly path: readonly string[];
  readonly type: FlatColumn['type'];
}

function leavesOf(schema: JsonSchema, path: readonly string[]): Leaf[] {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties) return [{ path, type: columnType(schema) }];
  return Object.entries(properties).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** Null where an object on the way is. */
function cellAt(record: AnyRecord, path: readonly string[]): FlatCell {
  const value = path.reduce<unknown>((at, name) => (at as AnyRecord | null)?.[name], record);
  return (value ?? null) as FlatCell;
}
