import type { AnyRecord, Entry, FieldEntry } from '../service/catalogue.ts';

/** One value of a record that is not what it was. */
export interface Difference {
  /** Where it stands in the record: `lastPrice`, `provinces › punjab`, `rows › Cash › Jun 2026`. */
  readonly name: string;
  /** What it is, in words of the catalogue. */
  readonly words: string;
  /** What the values are measured by. */
  readonly field: FieldEntry;
  /** Undefined where there was none. */
  readonly old: unknown;
  /** Undefined where there is none any more. */
  readonly new: unknown;
}

/** What differs between two states of a record, in the order of its fields; lists by their keys. */
export function differences(
  { fields }: Pick<Entry, 'fields'>,
  old: AnyRecord,
  later: AnyRecord,
): Difference[] {
  const [before, after] = [leavesOf(fields, old), leavesOf(fields, later)];
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const leaf = is ?? was;
    if (!leaf || was?.value === is?.value) return [];
    const { words, field } = leaf;
    return { name, words, field, old: was?.value, new: is?.value };
  });
}

/** The difference that says most: a figure that became another, else a figure, else the first. */
export function foremost(all: readonly Difference[]): Difference | undefined {
  const isFigure = (value: unknown) => typeof value === 'number';
  return (
    all.find(({ old, new: later }) => isFigure(old) && isFigure(later)) ??
    all.find(({ old, new: later }) => isFigure(old) || isFigure(later)) ??
    all[0]
  );
}

/** One value of a record. */
interface Leaf {
  readonly words: string;
  readonly field: FieldEntry;
  readonly value: unknown;
}

type Leaves = Map<string, Leaf>;

function leavesOf(fields: readonly FieldEntry[], record: AnyRecord): Leaves {
  const leaves: Leaves = new Map();
  for (const field of fields) {
    const value = record[field.name];
    if (field.fields && Array.isArray(value)) addList(leaves, field, value, record);
    else if (value !== undefined) {
      leaves.set(field.name, { words: field.meaning, field, value: plain(value) });
    }
  }
  return leaves;
}

/** The kinds of fields that hold a figure, or several. All others tell elements of a list apart. */
const FIGURES = new Set(['price', 'percent', 'years', 'amount', 'count', 'share', 'numbers']);

function addList(
  leaves: Leaves,
  list: FieldEntry,
  elements: readonly AnyRecord[],
  record: AnyRecord,
): void {
  const inner = list.fields ?? [];
  const keys = inner.filter(({ kind }) => !FIGURES.has(kind));
  const figures = inner.filter(({ kind }) => FIGURES.has(kind));
  for (const element of elements) {
    const label = String(element[keys[0]?.name ?? ''] ?? '');
    const name = `${list.name} › ${label}`;
    const words = `${list.meaning}: ${label}`;
    if (figures.length === 0) add(leaves, name, { words: list.meaning, field: list, value: label });
    for (const field of figures) {
      const value = element[field.name];
      // With several figures to a key, each is named.
      const own = figures.length > 1 ? ` › ${field.name}` : '';
      if (!Array.isArray(value)) add(leaves, name + own, { words, field, value });
      else addRow(leaves, { name: name + own, words, field }, value, record);
    }
  }
}

/** The values of a row belong to the periods of its record, place by place. */
function addRow(
  leaves: Leaves,
  { name, words, field }: Omit<Leaf, 'value'> & { readonly name: string },
  values: readonly unknown[],
  { periods }: AnyRecord,
): void {
  const labels = Array.isArray(periods) ? periods.map(({ label }) => String(label)) : [];
  for (const [place, value] of values.entries()) {
    const label = labels[place] ?? `${place + 1}`;
    add(leaves, `${name} › ${label}`, { words: `${words}, ${label}`, field, value });
  }
}

/** A name that is there already gets a number: nothing that a list repeats is lost. */
function add(leaves: Leaves, name: string, leaf: Leaf): void {
  let free = name;
  for (let number = 2; leaves.has(free); number++) free = `${name} (${number})`;
  leaves.set(free, leaf);
}

/** What is neither text nor number is compared by its JSON. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
