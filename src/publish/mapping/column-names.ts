import { InvalidFileError } from '../../formats/read-contents.ts';
import type { FieldTargets } from './field-targets.ts';

/** Two columns for the same field, or with the same name. */
export class AmbiguousColumnsError extends InvalidFileError {}

/** A column that the mapping uses but the file lacks. */
export class MissingColumnError extends InvalidFileError {
  constructor(readonly column: string) {
    super(`has no column "${column}", which the mapping uses`);
  }
}

/** Names are compared ignoring letter case, spaces and underscores: `Bid Price` equals `bidPrice`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\u00a0]+/g, '');
}

/** Finds the index of a column: by its exact name, else by its normalized one. */
export type FindColumn = (name: string) => number | 'ambiguous' | undefined;

export function createColumnIndex(columns: readonly string[]): FindColumn {
  const exact = indexNames(columns);
  const normalized = indexNames(columns.map(normalizeName));
  return (name) => exact.get(name) ?? normalized.get(normalizeName(name));
}

function indexNames(names: readonly string[]): ReadonlyMap<string, number | 'ambiguous'> {
  const indexes = new Map<string, number | 'ambiguous'>();
  for (const [index, name] of names.entries())
    indexes.set(name, indexes.has(name) ? 'ambiguous' : index);
  return indexes;
}

export function createTargetResolver({ fields, lists }: FieldTargets) {
  const names = [
    ...fields.keys(),
    ...[...lists.keys()].flatMap((list) => [`${list}:key`, `${list}:value`]),
  ];
  const byName = new Map(names.map((name) => [normalizeName(name), name]));
  // Funds in long format often have a column `fund`.
  if (fields.has('class')) byName.set('fund', 'fund_id');
  return (name: string): string | undefined => {
    const target = byName.get(normalizeName(name));
    if (target !== undefined) return target;
    const dot = name.indexOf('.');
    const list = dot > 0 ? byName.get(normalizeName(name.slice(0, dot))) : undefined;
    return list !== undefined && lists.has(list)
      ? `${list}.${name.slice(dot + 1).trim()}`
      : undefined;
  };
}
