import type { Dataset } from '../catalogue/model/dataset.ts';

/** The id of a dataset's dataflow: in capitals, every other character `_`. Names of datasets stay apart. */
export function toFlowId({ name }: Pick<Dataset, 'name'>): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}

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
