import { PERIOD_UNITS } from '../catalogue/model/period-unit.ts';
import type { FileCell } from '../formats/read-contents.ts';
import { findPercentage } from '../publish/adapter/parse-cells.ts';
import { isBlankMark } from '../publish/cells/value-format.ts';
import { type CellKind, classifyCell } from './cell-kinds.ts';

/** The contents of a column, judged by the examined rows. */
export interface ColumnProfile {
  readonly name: string;
  /** From 0. */
  readonly index: number;
  /** The kind of nearly all non-blank cells; mixed if there is none. */
  readonly kind: CellKind | 'mixed';
  /** The number of non-blank cells of each kind. */
  readonly kinds: Readonly<Partial<Record<CellKind, number>>>;
  /** The share of blank cells, from 0 to 1. */
  readonly blank: number;
  /** Texts that stand for no value, such as `n.a.`. */
  readonly blankMarks: readonly string[];
  readonly decimal?: '.' | ',' | 'either' | 'both';
  readonly dateOrder?: 'dmy' | 'mdy' | 'either' | 'both' | 'named';
  /** Whether figures have a currency. */
  readonly hasUnit?: true;
  /** Whether days have a time of day. */
  readonly hasTime?: true;
  readonly needsPeriodConversion: boolean;
  readonly examples: readonly string[];
  /** The number of distinct values, at most MAX_DISTINCT. */
  readonly distinct: number;
  readonly min?: number;
  readonly max?: number;
  /** The first texts with a percentage in them, such as `NCD 9.90%`. */
  readonly percentInText?: string;
  /** Of a column that the file does not have as such: the columns that its name, a template, takes. */
  readonly parts?: readonly string[];
  /** Of the names of objects in JSON: which `*` of the path they stand for. */
  readonly key?: number;
}

export const MAX_DISTINCT = 1_000;
const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 40;
const NEARLY_ALL = 0.95;

export function profileColumn(
  name: string,
  index: number,
  cells: readonly (FileCell | undefined)[],
): ColumnProfile {
  const filled = cells
    .map((cell) => ({ cell, cellTraits: classifyCell(cell) }))
    .filter(({ cellTraits }) => cellTraits.kind !== 'blank');
  const traits = filled.map(({ cellTraits }) => cellTraits);
  const texts = filled.map(({ cell }) => String(cell).trim());
  const kinds: Partial<Record<CellKind, number>> = {};
  // A lone sign, such as # for less than 0.005, fits any kind.
  const plainTraits = traits.filter((_, cell) => /[\p{L}\p{N}]/u.test(texts[cell] ?? ''));
  for (const { kind } of plainTraits) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const kind = isNamedYear(name, texts) ? 'year' : findKind(kinds, plainTraits.length);
  const figures = filled.flatMap(({ cell }) => (typeof cell === 'number' ? [cell] : []));
  const plain =
    kind === 'number' && figures.length === 0 ? texts.map(Number).filter(Number.isFinite) : figures;
  const percentInText = kind === 'text' || kind === 'mixed' ? texts.find(hasPercent) : undefined;
  const distinct = [...new Set(texts)];
  const decimal = agree(
    traits.map(({ decimal }) => decimal),
    ['.', ','],
  );
  const dateOrder = agree(
    traits.map(({ order }) => order),
    ['dmy', 'mdy'],
  );
  return {
    name,
    index,
    kind,
    kinds,
    blank: cells.length === 0 ? 1 : 1 - filled.length / cells.length,
    blankMarks: [...new Set(cells.map((cell) => String(cell ?? '').trim()).filter(isBlankMark))],
    ...(decimal && { decimal }),
    ...(dateOrder && { dateOrder }),
    ...(traits.some(({ hasUnit }) => hasUnit) && { hasUnit: true as const }),
    ...(traits.some(({ hasTime }) => hasTime) && { hasTime: true as const }),
    needsPeriodConversion: traits.some(({ needsConversion }) => needsConversion),
    examples: distinct.slice(0, MAX_EXAMPLES).map((text) => shorten(text)),
    distinct: Math.min(MAX_DISTINCT, distinct.length),
    ...(plain.length > 0 && { min: Math.min(...plain), max: Math.max(...plain) }),
    ...(percentInText !== undefined && { percentInText: shorten(percentInText) }),
  };
}

/** Excludes 4 1/4%, which is more than its last digit. */
const hasPercent = (text: string) => findPercentage(text) !== undefined && /[a-z]{2}/i.test(text);

function findKind(kinds: ColumnProfile['kinds'], total: number): CellKind | 'mixed' {
  if (total === 0) return 'blank';
  const most = (kind: CellKind, ...others: CellKind[]) =>
    [kind, ...others].reduce((sum, one) => sum + (kinds[one] ?? 0), 0) >= total * NEARLY_ALL;
  // Figures may look like years, and texts like anything.
  const pure = ([...PERIOD_UNITS, 'isin', 'percent'] as const).find((kind) => most(kind));
  if (pure) return pure;
  if (most('number', 'year')) return 'number';
  if (most('percent', 'number')) return 'percent';
  if (most('isin', 'text') || (kinds.text ?? 0) >= total * NEARLY_ALL) return 'text';
  return 'mixed';
}

/** Years before 1900, which are figures in a column of another name. */
const isNamedYear = (name: string, texts: readonly string[]) =>
  /^years?$/i.test(name.trim()) &&
  texts.length > 0 &&
  texts.every((text) => /^(?:1\d|20)\d\d$/.test(text));

/** The spelling that all cells agree on; both if they contradict each other. */
function agree<T extends string>(
  spellings: readonly (T | undefined)[],
  [one, other]: readonly [T, T],
) {
  const found = new Set<string | undefined>(spellings);
  if (found.has(one) && found.has(other)) return 'both';
  return [one, other, 'either', 'named'].find((spelling) => found.has(spelling)) as T | undefined;
}

/** The name of a column, else its number. */
export const labelColumn = ({ name, index }: Pick<ColumnProfile, 'name' | 'index'>) =>
  name === '' ? `(column ${index + 1})` : name;

/** The share of blank cells; 0 % and 100 % are exact. */
export function formatBlank({ blank }: ColumnProfile): string {
  if (blank > 0 && blank < 0.01) return '<1 %';
  return blank < 1 && blank > 0.99 ? '>99 %' : `${Math.round(blank * 100)} %`;
}

export const hasFigures = ({ kinds }: ColumnProfile) =>
  (kinds.number ?? 0) + (kinds.percent ?? 0) > 0;

/** A cell without the end of a very long text, which no column is judged by. */
export const cutCell = (cell: FileCell): FileCell =>
  typeof cell === 'string' && cell.length > MAX_TEXT_LENGTH ? shorten(cell, MAX_TEXT_LENGTH) : cell;

const MAX_TEXT_LENGTH = 4_096;

/** Cuts between whole characters, because half of one is not valid text. */
export function shorten(text: string, max = MAX_EXAMPLE_LENGTH): string {
  return text.length > max ? `${[...text.slice(0, 2 * max)].slice(0, max - 1).join('')}…` : text;
}
