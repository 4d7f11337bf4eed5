import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { type FieldOrigin, type FieldPlan, getTargets } from './field-plan.ts';
import { compareWords, splitWords } from './split-words.ts';

/** Plans a list with a row for each key, or with a column for each. */
export function planList(
  list: string,
  dataset: Dataset,
  free: readonly ColumnProfile[],
): FieldPlan[] {
  const figures = free.filter(({ kind }) => kind === 'number' || kind === 'percent');
  const texts = free.filter(({ kind, distinct }) => kind === 'text' && distinct > 1);
  const value = findAlike(figures, dataset.name) ?? (figures.length === 1 ? figures[0] : undefined);
  const key = findAlike(texts, list) ?? (value && texts.length === 1 ? texts[0] : undefined);
  const isShare = getTargets(dataset).lists.get(list)?.value.kind === 'share';
  // Figures beyond 1 are no shares, but can be turned into some.
  const isAmount = ({ max = 0 }: ColumnProfile) => isShare && max > 1;
  const check = '';
  if (key) {
    const origin: FieldOrigin = value
      ? { kind: isAmount(value) ? 'share' : 'column', column: value.name }
      : { kind: 'missing', requirement: `one of ${figures.map(({ name }) => name).join(', ')}` };
    return [
      { field: `${list}:key`, origin: { kind: 'column', column: key.name }, check },
      { field: `${list}:value`, origin, ...(value && { check }) },
    ];
  }
  const amounts = figures.filter(isAmount).map(({ name }) => name);
  if (figures.length > 0 && amounts.length === 0)
    return figures.map(({ name }) => ({
      field: `${list}.${name}`,
      origin: { kind: 'column', column: name },
      check,
    }));
  const requirement =
    amounts.length > 0
      ? `shares of 1; ${amounts.join(', ')} hold more, which sharesOfTotal in an adapter divides`
      : 'a column for each key';
  return [{ field: list, origin: { kind: 'missing', requirement } }];
}

/** The column whose name is the most like a name; undefined where none has a word of it. */
function findAlike(columns: readonly ColumnProfile[], name: string): ColumnProfile | undefined {
  const words = splitWords(name);
  const likeness = (column: ColumnProfile) => compareWords(splitWords(column.name), words);
  const [best] = columns.toSorted((a, b) => likeness(b) - likeness(a));
  return best && likeness(best) > 0 ? best : undefined;
}
