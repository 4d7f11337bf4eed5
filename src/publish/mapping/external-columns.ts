import { basename, dirname, join } from 'node:path';
import type { CellRow } from '../../formats/read-contents.ts';
import { InvalidFileError, openFileInput, readContents } from '../../formats/read-contents.ts';
import type { FileToLoad } from '../load/fingerprint-file.ts';
import { normalizeName } from './column-names.ts';
import type { ExternalColumns } from './column-plan.ts';
import type { RowCells } from './field-expression.ts';
import { compileTemplate, getReferencedColumns } from './field-expression.ts';
import type { Lookup, Mapping } from './mapping.ts';

/**
 * What a mapping can name beside the columns of a file: `{file.name}`, `{file.date}` (the first
 * YYYY-MM-DD in the name) and `{lookup.column}` of another file.
 */
export async function loadExternalColumns(
  mapping: Mapping,
  file: FileToLoad,
): Promise<ExternalColumns> {
  const { lookup } = mapping;
  const facts = getFileVariables(file);
  const table = lookup && (await readLookupTable(lookup, mapping, file));
  return {
    column(wanted, column) {
      if (Object.hasOwn(facts, wanted)) {
        const fact = requireFileVariable(facts, wanted);
        return () => fact;
      }
      if (!table || !wanted.startsWith(LOOKUP_PREFIX)) return undefined;
      const place = table.columnIndex(wanted);
      const key = compileTemplate(lookup.by, column);
      return (cells) => table.rows.get(toLookupKey(key(cells)))?.cells[place];
    },
    explainBlank(expression, column) {
      if (
        !table ||
        !getReferencedColumns(expression).some((name) => name.startsWith(LOOKUP_PREFIX))
      )
        return undefined;
      const keyIn = compileTemplate(lookup.by, column);
      return (cells) => {
        const key = toLookupKey(keyIn(cells));
        if (key === '' || table.rows.has(key)) return undefined;
        return `${JSON.stringify(key)} is not in ${table.name}`;
      };
    },
  };
}

const LOOKUP_PREFIX = 'lookup.';

/** The file that a mapping looks things up in, beside the file that is loaded; if it does. */
export function getLookupFile(
  lookup: Lookup | undefined,
  beside: FileToLoad,
): FileToLoad | undefined {
  return lookup && resolveLookupFile(lookup, beside);
}

function resolveLookupFile({ file }: Lookup, beside: FileToLoad): FileToLoad {
  const facts = getFileVariables(beside);
  const name = file.replace(/\{(file\.\w+)\}/g, (_, fact) => requireFileVariable(facts, fact));
  return { path: join(dirname(beside.path), name), name };
}

type FileVariables = Readonly<Record<string, string | undefined>>;

function getFileVariables(file: FileToLoad): FileVariables {
  const name = basename(file.name);
  return { 'file.name': name, 'file.date': /\d{4}-\d{2}-\d{2}/.exec(name)?.[0] };
}

function requireFileVariable(facts: FileVariables, name: string): string {
  const fact = facts[name];
  if (fact !== undefined) return fact;
  const rule = name === 'file.date' ? 'has no date such as 2026-06-30 in its name' : 'has no such';
  throw new InvalidFileError(`${rule}, and the mapping uses {${name}}`);
}

interface LookupTable {
  readonly name: string;
  /** Where a column is that the mapping calls `lookup.column`. */
  readonly columnIndex: (wanted: string) => number;
  readonly rows: ReadonlyMap<string, { readonly position: number; readonly cells: RowCells }>;
}

/** What is wrong with the list is told with its name: it is not the file that is loaded. */
async function readLookupTable(
  lookup: Lookup,
  mapping: Mapping,
  beside: FileToLoad,
): Promise<LookupTable> {
  const { path, name } = resolveLookupFile(lookup, beside);
  const input = await openFileInput(path);
  try {
    const contents = await readContents(input, {});
    if (contents.kind !== 'table') throw new InvalidFileError('is no table to look things up in');
    const rows: CellRow[] = [];
    for await (const batch of contents.rows) rows.push(...batch);
    return { name, ...indexLookupRows(rows, lookup, mapping, contents.locationUnit) };
  } catch (cause) {
    throw cause instanceof InvalidFileError
      ? new InvalidFileError(`${name} ${cause.message}`)
      : cause;
  } finally {
    input.close();
  }
}

function indexLookupRows(
  [header, ...rows]: readonly CellRow[],
  { column }: Lookup,
  { fields = {} }: Mapping,
  word: string,
): Pick<LookupTable, 'columnIndex' | 'rows'> {
  const places = new Map(
    header?.cells.map((cell, index) => [normalizeName(String(cell ?? '')), index]),
  );
  const placeNamed = (name: string, use: string): number => {
    const place = places.get(normalizeName(name));
    if (place !== undefined) return place;
    throw new InvalidFileError(`has no column "${name}", which the mapping ${use}`);
  };
  const placeOf = (wanted: string) => placeNamed(wanted.slice(LOOKUP_PREFIX.length), 'uses');
  const keyPlace = placeNamed(column, 'looks in');
  const wanted = Object.values(fields).flatMap(getReferencedColumns);
  const used = wanted.filter((name) => name.startsWith(LOOKUP_PREFIX)).map(placeOf);
  const byKey = new Map<string, CellRow>();
  for (const row of rows) {
    const key = toLookupKey(row.cells[keyPlace]);
    const before = byKey.get(key);
    if (before && used.some((place) => row.cells[place] !== before.cells[place])) {
      const where = `in ${word} ${before.position} and in ${word} ${row.position}`;
      throw new InvalidFileError(
        `has ${JSON.stringify(key)} ${where}, with other values; it must have one`,
      );
    }
    if (key !== '' && !before) byKey.set(key, row);
  }
  return { columnIndex: placeOf, rows: byKey };
}

function toLookupKey(cell: unknown): string {
  return String(cell ?? '').trim();
}
