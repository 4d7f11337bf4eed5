import { basename, dirname, join } from 'node:path';
import type { Row } from '../../formats/index.ts';
import { FileRefused, openInput, readContents } from '../../formats/index.ts';
import type { LoadFile } from '../fingerprint.ts';
import type { Cells } from './made.ts';
import { columnsIn, template } from './made.ts';
import type { Lookup, Mapping } from './mapping.ts';
import { loosely } from './names.ts';
import type { Elsewhere } from './plan.ts';

/**
 * What a mapping can name beside the columns of a file: `{file.name}`, `{file.date}` (the first
 * YYYY-MM-DD in the name) and `{lookup.column}` of another file.
 */
export async function elsewhereOf(mapping: Mapping, file: LoadFile): Promise<Elsewhere> {
  const { lookup } = mapping;
  const facts = factsOf(file);
  const table = lookup && (await readLookup(lookup, mapping, file));
  return {
    column(wanted, column) {
      if (Object.hasOwn(facts, wanted)) {
        const fact = factOf(facts, wanted);
        return () => fact;
      }
      if (!table || !wanted.startsWith(LOOKUP)) return undefined;
      const place = table.placeOf(wanted);
      const key = template(lookup.by, column);
      return (cells) => table.rows.get(keyOf(key(cells)))?.cells[place];
    },
    whyBlank(made, column) {
      if (!table || !columnsIn(made).some((name) => name.startsWith(LOOKUP))) return undefined;
      const keyIn = template(lookup.by, column);
      return (cells) => {
        const key = keyOf(keyIn(cells));
        if (key === '' || table.rows.has(key)) return undefined;
        return `${JSON.stringify(key)} is not in ${table.name}`;
      };
    },
  };
}

const LOOKUP = 'lookup.';

/** The file that a mapping looks things up in, beside the file that is loaded; if it does. */
export function lookupFile(lookup: Lookup | undefined, beside: LoadFile): LoadFile | undefined {
  return lookup && besides(lookup, beside);
}

function besides({ file }: Lookup, beside: LoadFile): LoadFile {
  const facts = factsOf(beside);
  const name = file.replace(/\{(file\.\w+)\}/g, (_, fact) => factOf(facts, fact));
  return { path: join(dirname(beside.path), name), name };
}

type Facts = Readonly<Record<string, string | undefined>>;

function factsOf(file: LoadFile): Facts {
  const name = basename(file.name);
  return { 'file.name': name, 'file.date': /\d{4}-\d{2}-\d{2}/.exec(name)?.[0] };
}

function factOf(facts: Facts, name: string): string {
  const fact = facts[name];
  if (fact !== undefined) return fact;
  const rule = name === 'file.date' ? 'has no date such as 2026-06-30 in its name' : 'has no such';
  throw new FileRefused(`${rule}, and the mapping uses {${name}}`);
}

interface LookupTable {
  readonly name: string;
  /** Where a column is that the mapping calls `lookup.column`. */
  readonly placeOf: (wanted: string) => number;
  readonly rows: ReadonlyMap<string, { readonly at: number; readonly cells: Cells }>;
}

/** What is wrong with the list is told with its name: it is not the file that is loaded. */
async function readLookup(
  lookup: Lookup,
  mapping: Mapping,
  beside: LoadFile,
): Promise<LookupTable> {
  const { path, name } = besides(lookup, beside);
  const input = await openInput(path);
  try {
    const contents = await readContents(input, {});
    if (contents.kind !== 'table') throw new FileRefused('is no table to look things up in');
    const rows: Row[] = [];
    for await (const batch of contents.rows) rows.push(...batch);
    return { name, ...tableOf(rows, lookup, mapping, contents.place) };
  } catch (cause) {
    throw cause instanceof FileRefused ? new FileRefused(`${name} ${cause.message}`) : cause;
  } finally {
    input.close();
  }
}

function tableOf(
  [header, ...rows]: readonly Row[],
  { column }: Lookup,
  { fields = {} }: Mapping,
  word: string,
): Pick<LookupTable, 'placeOf' | 'rows'> {
  const places = new Map(header?.cells.map((cell, place) => [loosely(String(cell ?? '')), place]));
  const placeNamed = (name: string, use: string): number => {
    const place = places.get(loosely(name));
    if (place !== undefined) return place;
    throw new FileRefused(`has no column "${name}", which the mapping ${use}`);
  };
  const placeOf = (wanted: string) => placeNamed(wanted.slice(LOOKUP.length), 'uses');
  const keyPlace = placeNamed(column, 'looks in');
  const wanted = Object.values(fields).flatMap(columnsIn);
  const used = wanted.filter((name) => name.startsWith(LOOKUP)).map(placeOf);
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row.cells[keyPlace]);
    const before = byKey.get(key);
    if (before && used.some((place) => row.cells[place] !== before.cells[place])) {
      const where = `in ${word} ${before.at} and in ${word} ${row.at}`;
      throw new FileRefused(
        `has ${JSON.stringify(key)} ${where}, with other values; it must have one`,
      );
    }
    if (key !== '' && !before) byKey.set(key, row);
  }
  return { placeOf, rows: byKey };
}

function keyOf(cell: unknown): string {
  return String(cell ?? '').trim();
}
