import { basename, dirname, join } from 'node:path';
import {
  type CellRow,
  InvalidFileError,
  type NamedFile,
  openFileInput,
  readContents,
} from '../../formats/read-contents.ts';
import { findDate } from '../adapter/parse-cells.ts';
import { normalizeName } from './column-names.ts';
import {
  compileTemplate,
  getReferencedColumns,
  type ReadCell,
  type ResolveColumn,
  type RowCells,
} from './field-expression.ts';
import type { FieldExpression, Lookup, Mapping } from './mapping.ts';

export type ExternalColumns = Awaited<ReturnType<typeof loadExternalColumns>>;

/**
 * Columns of lookup files, and facts about the file itself, by their names in a mapping: `{file.name}`,
 * `{file.date}` (the first day in the name), `{lookup.column}`.
 */
export async function loadExternalColumns(mapping: Mapping, file: NamedFile) {
  const { lookup } = mapping;
  const variables = getFileVariables(file);
  const table = lookup && (await readLookupTable(lookup, mapping, file));
  const compileKey = ({ by }: Lookup, resolveColumn: ResolveColumn) => {
    const readKey = compileTemplate(by, resolveColumn);
    return (cells: RowCells) => toLookupKey(readKey(cells));
  };
  return {
    column(name: string, resolveColumn: ResolveColumn): ReadCell | undefined {
      if (Object.hasOwn(variables, name)) {
        const value = requireFileVariable(variables, name);
        return () => value;
      }
      if (!table || !name.startsWith(LOOKUP_PREFIX)) return undefined;
      const index = table.findColumn(name);
      const readKey = compileKey(lookup, resolveColumn);
      return (cells) => table.rows.get(readKey(cells))?.cells[index];
    },
    /** Explains a blank field; undefined if its expression uses no lookup. */
    explainBlank(expression: FieldExpression, resolveColumn: ResolveColumn) {
      const names = getReferencedColumns(expression);
      if (!table || !names.some((name) => name.startsWith(LOOKUP_PREFIX))) return undefined;
      const readKey = compileKey(lookup, resolveColumn);
      return (cells: RowCells) => {
        const key = readKey(cells);
        if (key === '' || table.rows.has(key)) return undefined;
        return `${JSON.stringify(key)} is not in ${table.name}`;
      };
    },
  };
}

const LOOKUP_PREFIX = 'lookup.';

/** The lookup file for a loaded file, which is in the same directory. */
export function getLookupFile({ file }: Lookup, loadedFile: NamedFile): NamedFile {
  const variables = getFileVariables(loadedFile);
  const name = file.replace(/\{(file\.\w+)\}/g, (_, variable) =>
    requireFileVariable(variables, variable),
  );
  return { path: join(dirname(loadedFile.path), name), name };
}

type FileVariables = Readonly<Record<string, string | undefined>>;

function getFileVariables(file: NamedFile): FileVariables {
  const name = basename(file.name);
  return { 'file.name': name, 'file.date': findDate(name) };
}

function requireFileVariable(variables: FileVariables, name: string): string {
  const value = variables[name];
  if (value !== undefined) return value;
  const rule = name === 'file.date' ? 'has no date such as 2026-06-30 in its name' : 'has no such';
  throw new InvalidFileError(`${rule}, and the mapping uses {${name}}`);
}

/** Errors name the lookup file, because it is not the loaded file. */
async function readLookupTable(lookup: Lookup, mapping: Mapping, loadedFile: NamedFile) {
  const { path, name } = getLookupFile(lookup, loadedFile);
  const input = await openFileInput(path);
  try {
    const contents = await readContents(input, {});
    if (contents.kind !== 'table') throw new InvalidFileError('is no table to look things up in');
    const rows: CellRow[] = [];
    for await (const batch of contents.rows) rows.push(...batch);
    return { name, ...indexLookupRows(rows, lookup, mapping, contents.locationUnit) };
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new InvalidFileError(`${name} ${cause.message}`);
  } finally {
    input.close();
  }
}

/** The rows by their keys, and the index of a column that the mapping names `lookup.column`. */
function indexLookupRows(
  [header, ...rows]: readonly CellRow[],
  lookup: Lookup,
  { fields = {} }: Mapping,
  unit: string,
) {
  const indexes = new Map(
    header?.cells.map((cell, index) => [normalizeName(String(cell ?? '')), index]),
  );
  const requireColumn = (name: string, use: string): number => {
    const index = indexes.get(normalizeName(name));
    if (index !== undefined) return index;
    throw new InvalidFileError(`has no column "${name}", which the mapping ${use}`);
  };
  const findColumn = (name: string) => requireColumn(name.slice(LOOKUP_PREFIX.length), 'uses');
  const keyIndex = requireColumn(lookup.column, 'looks in');
  const usedIndexes = Object.values(fields)
    .flatMap(getReferencedColumns)
    .filter((name) => name.startsWith(LOOKUP_PREFIX))
    .map(findColumn);
  const rowByKey = new Map<string, CellRow>();
  for (const row of rows) {
    const key = toLookupKey(row.cells[keyIndex]);
    const first = rowByKey.get(key);
    if (first && usedIndexes.some((index) => row.cells[index] !== first.cells[index])) {
      const locations = `in ${unit} ${first.position} and in ${unit} ${row.position}`;
      throw new InvalidFileError(
        `has ${JSON.stringify(key)} ${locations}, with other values; it must have one`,
      );
    }
    if (key !== '' && !first) rowByKey.set(key, row);
  }
  return { findColumn, rows: rowByKey };
}

function toLookupKey(cell: unknown): string {
  return String(cell ?? '').trim();
}
