import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StagedChange } from '../../store/open-store.ts';
import { findManyCorrected, REFUSAL_RULES } from '../quality/refusal-rules.ts';
import type { DraftValidator } from './draft-validator.ts';

/** Finds the reason to reject a load that corrects many records which are usually final by now. */
export async function limitCorrections(
  dataset: Dataset,
  { counts, countCorrected }: StagedChange,
  { locations, published, completers, restatedFunds }: DraftValidator,
): Promise<Error | undefined> {
  const { shape, period } = dataset;
  if (!REFUSAL_RULES['corrects-many'].appliesTo(dataset)) return undefined;
  if (shape === 'fund') {
    const range = 'in periods before their newest published one';
    const loaded = counts.corrected + counts.unchanged;
    return findManyCorrected(dataset, { corrected: restatedFunds, loaded, range });
  }
  const newest = period ? published[1]?.[period.field] : completers.quotes?.previousNewestDay;
  const label = String(newest ?? '');
  const before = period ? (period.kind.toOrdinal(label) ?? 0) : label;
  const counted: Iterable<[string | number, number]> = period
    ? locations.periods.keys().map((ordinal) => [ordinal, 1])
    : locations.quotesByDay;
  let loaded = 0;
  for (const [key, count] of counted) if (key < before) loaded += count;
  const find = (corrected: number) =>
    findManyCorrected(dataset, { corrected, loaded, range: `before ${label}` });
  // Most loads do not correct so many records of any age.
  return find(counts.corrected) && find(await countCorrected(before));
}
