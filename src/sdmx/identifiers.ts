import { RESERVED_FIELDS } from '../catalogue/declaration-problems.ts';

/** Ids of texts in their order; one that an earlier text has got `_2`, `_3` and so on. */
export function assignIds(
  texts: Iterable<string>,
  toId: (text: string) => string,
  reserved: readonly string[] = [],
): ReadonlyMap<string, string> {
  const taken = new Set(reserved);
  const ids = new Map<string, string>();
  for (const text of texts) {
    if (ids.has(text)) continue;
    const base = toId(text);
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
    taken.add(id);
    ids.set(text, id);
  }
  return ids;
}

/** A code by SDMX's IDType; characters that it has not are `_`. */
export function toCodeId(value: string): string {
  return value.replaceAll(/[^A-Za-z0-9_@$-]/gu, '_') || '_';
}

/** The name of a dataset that is declared by a dataflow with this id. */
export function toName(id: string): string {
  const text = id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return text.replace(/^(?=[^a-z])/, 'flow-').replace(/-$/, '');
}

/** The field of a dimension or a measure with this id. */
export function toField(id: string): string {
  const text = /^[a-z]\w*$/.test(id) ? id : id.toLowerCase();
  const field = text.replaceAll(/\W/g, '_').replace(/^(?=[^a-z])/, 'f');
  return RESERVED_FIELDS.includes(field) ? `${field}_code` : field;
}
