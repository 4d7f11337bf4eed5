import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type Field, isNumberField } from '../../catalogue/model/field.ts';
import { normalizeName } from '../../publish/mapping/column-names.ts';
import type { FieldTargets } from '../../publish/mapping/field-targets.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { isAlias } from './aliases.ts';
import { getTargets } from './field-plan.ts';
import { compareWords, splitWords } from './split-words.ts';

/** Something in a file with a name: a column, a member of JSON objects, or a row of figures. */
export type NamedSource = Pick<ColumnProfile, 'name' | 'kind' | 'kinds'>;

export interface FieldMatch<S extends NamedSource> {
  readonly field: string;
  readonly source: S;
  /** Whether the name is that of the field; else it is a guess. */
  readonly isSure: boolean;
}

const MIN_SCORE = 0.5;
const SURE = 1;
const ALIAS = 0.9;
/** Two fields that fit one column this nearly the same are no guess at all. */
const MARGIN = 0.02;

/** Finds the columns of fields, best first; each column and each field at most once. */
export function matchFields<S extends NamedSource>(
  sources: readonly S[],
  { fields, lists }: FieldTargets,
): readonly FieldMatch<S>[] {
  const scores = sources.flatMap((source) =>
    [...fields]
      .filter(([name]) => !lists.has(name))
      .map(([field, target]) => ({
        field,
        source,
        score: scoreMatch(source, field, target.field),
      })),
  );
  const fitting = scores.filter(({ score }) => score >= MIN_SCORE);
  // The name of a security that has an ISIN is no symbol, although it may be called one.
  const isNeeded = (field: string) => {
    const alternative = fields.get(field)?.alternative;
    return !fitting.some((other) => other.field === alternative);
  };
  const likely = fitting.toSorted(
    (a, b) => b.score - a.score || Number(isNeeded(b.field)) - Number(isNeeded(a.field)),
  );
  const matches: FieldMatch<S>[] = [];
  const isTaken = (field: string, source: S) =>
    matches.some((match) => match.field === field || match.source === source);
  for (const { field, source, score } of likely) {
    if (isTaken(field, source)) continue;
    const isUnclear = likely.some(
      (other) =>
        other.source === source &&
        other.field !== field &&
        !isTaken(other.field, source) &&
        score < ALIAS &&
        score - other.score < MARGIN,
    );
    if (!isUnclear) matches.push({ field, source, isSure: score === SURE });
  }
  return matches;
}

function scoreMatch(source: NamedSource, name: string, field: Field): number {
  if (!canHold(source, field)) return 0;
  if (normalizeName(source.name) === normalizeName(name)) return SURE;
  // The last name of a member of an object in an object: `quote.bid`.
  if (isAlias(name, source.name.replace(/^.*\w\.(?=\w)/, ''))) return ALIAS;
  if (name === 'isin' && source.kind === 'isin') return ALIAS;
  if (field.periodKind && isPeriodOf(source, field)) return ALIAS;
  const words = splitWords(source.name);
  const byName = compareWords(words, splitWords(name.replaceAll('_', ' ')));
  const byDescription = compareWords(words, splitWords(field.description));
  // Descriptions say more: two fields may have nearly the same name.
  return Math.max(byName * 0.82, byDescription * 0.87);
}

function isPeriodOf({ kind }: NamedSource, { periodKind }: Field): boolean {
  return periodKind !== undefined && kind === periodKind.unit;
}

/** Whether cells of this kind can be values of the field. */
function canHold(source: NamedSource, field: Field): boolean {
  const { kind, kinds } = source;
  if (kind === 'blank') return isNumberField(field);
  if (field.periodKind)
    return isPeriodOf(source, field) || (field.periodKind.name === 'monthly' && kind === 'day');
  if (field.kind === 'day') return kind === 'day' || (kind === 'mixed' && (kinds.day ?? 0) > 0);
  if (!isNumberField(field)) return kind !== 'day' && kind !== 'percent';
  if (kind === 'percent') return field.kind === 'percent' || field.kind === 'share';
  return kind === 'number' || kind === 'year' || (kind === 'mixed' && (kinds.number ?? 0) > 0);
}

/** The fields that names of figures stand for; `?` for names that are no field. */
export function matchNames(dataset: Dataset, names: readonly string[]) {
  const { fields, lists } = getTargets(dataset);
  const [list] = lists.keys();
  const sources = names.map((name) => ({ name, kind: 'number' as const, kinds: {} }));
  const figures = new Map(
    [...fields].filter(([name, { field }]) => !field.periodKind && !lists.has(name)),
  );
  const matches = matchFields(sources, { fields: figures, lists });
  const fieldByName = new Map(matches.map(({ field, source }) => [source.name, field]));
  const missing = [...figures.keys()].filter(
    (name) => !figures.get(name)?.isOptional && !matches.some(({ field }) => field === name),
  );
  const other = (name: string) => (list === undefined ? '?' : `${list}.${name}`);
  return {
    /** In the order of the names. */
    fields: names.map((name) => [name, fieldByName.get(name) ?? other(name)] as const),
    missing,
  };
}
