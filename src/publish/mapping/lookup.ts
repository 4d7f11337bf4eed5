import { basename, dirname, join } from 'node:path';
import { FileRefused, openInput, readContents } from '../../formats/index.ts';
import type { LoadFile } from '../fingerprint.ts';
import type { Cells, Get } from './made.ts';
import { template } from './made.ts';
import type { Lookup, Mapping } from './mapping.ts';
import { loosely } from './names.ts';
import type { Elsewhere } from './plan.ts';

/**
 * What a mapping can name beside the columns of a file: `{file.name}`, `{file.date}` (the first
 * YYYY-MM-DD in the name) and `{lookup.column}` of another file.
 */
export async function elsewhereOf({ lookup }: Mapping, file: LoadFile): Promise<Elsewhere> {
  const facts = factsOf(file);
  const table = lookup && (await readLookup(lookup, file));
  return (wanted, column) => {
    if (Object.hasOwn(facts, wanted)) {
      const fact = factOf(facts, wanted);
      return () => fact;
    }
    const place = table?.columns.get(loosely(wanted.replace(/^lookup\./, '')));
    if (!lookup || !table || place === undefined || !wanted.startsWith('lookup.')) return undefined;
    const key: Get = template(lookup.by, column);
    return (cells) => table.rows.get(keyOf(key(cells)))?.[place];
  };
}

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
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, Cells>;
}

async function readLookup(lookup: Lookup, beside: LoadFile): Promise<LookupTable> {
  const { column } = lookup;
  const { path, name: named } = besides(lookup, beside);
  const input = await openInput(path);
  try {
    const contents = await readContents(input, {});
    if (contents.kind !== 'table')
      throw new FileRefused(`${named} is no table to look things up in`);
    const columns = new Map<string, number>();
    const rows = new Map<string, Cells>();
    for await (const batch of contents.rows) {
      for (const { cells } of batch) {
        if (columns.size > 0) rows.set(keyOf(cells[columns.get(loosely(column)) ?? 0]), cells);
        else for (const [place, cell] of cells.entries()) columns.set(loosely(String(cell)), place);
      }
    }
    if (!columns.has(loosely(column))) {
      throw new FileRefused(`${named} has no column "${column}", which the mapping looks in`);
    }
    return { columns, rows };
  } finally {
    input.close();
  }
}

function keyOf(cell: unknown): string {
  return String(cell ?? '').trim();
}
