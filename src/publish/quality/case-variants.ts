import type { Warning } from './warning-rules.ts';

/** Warns about the first name that differs only in letter case from another one in its list or an earlier one. */
export function findCaseVariant(
  names: Iterable<string>,
  earlierNames: Iterable<string> = [],
): Omit<Warning, 'field'> | undefined {
  const spellings = new Map<string, string>();
  for (const name of earlierNames) spellings.set(name.toLowerCase(), name);
  for (const name of names) {
    const other = spellings.getOrInsert(name.toLowerCase(), name);
    if (other === name) continue;
    const text = `${name} differs from ${other} by letter case alone`;
    return { rule: 'case-variant', value: name, text };
  }
  return undefined;
}
