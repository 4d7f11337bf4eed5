import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import { keyFields } from '../derive/key.ts';
import type { RecordChange } from '../store/index.ts';

/** What a revision did to a record, for a person: the fields that changed, old and new. */
export function sideBySide(
  dataset: Dataset,
  { change, old, new: replacement }: RecordChange,
): string[] {
  const before = old === null ? undefined : (JSON.parse(old) as AnyRecord);
  const after = replacement === null ? undefined : (JSON.parse(replacement) as AnyRecord);
  const key = keyFields(dataset)
    .map((field) => (after ?? before)?.[field])
    .join(' ');
  const title = `${change} ${key}`;
  if (!before || !after) return [title];
  const changed = Object.keys(dataset.fields).flatMap((field) =>
    differences(field, before[field], after[field]),
  );
  const width = Math.max(...changed.map(([name]) => name.length));
  return [title, ...changed.map(([name, a, b]) => `  ${name.padEnd(width)}  ${a} → ${b}`)];
}

type Difference = readonly [name: string, before: string, after: string];

/** Where two values differ: down to the entries of lists and objects. */
function differences(name: string, before: unknown, after: unknown): Difference[] {
  const [a, b] = [JSON.stringify(before), JSON.stringify(after)];
  if (a === b) return [];
  const parts = [partsOf(before), partsOf(after)] as const;
  if (!parts[0] || !parts[1]) return [[name, a ?? '–', b ?? '–']];
  const [old, now] = parts as [Map<string, unknown>, Map<string, unknown>];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].flatMap((part) => differences(`${name}.${part}`, old.get(part), now.get(part)));
}

/** The entries of a list, by the key or label that they carry, else by their place. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((item, place): [string, unknown] => {
    if (typeof item !== 'object' || item === null) return [String(place + 1), item];
    const { key, value: figure, date, label, values } = item as Record<string, unknown>;
    if (key !== undefined) return [String(key), figure];
    return [String(date ?? label ?? place + 1), values ?? label];
  });
  return new Map(entries);
}
