import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ChangeCounts } from '../../store/open-store.ts';
import { PublishError } from '../errors.ts';
import { REFUSAL_BOUNDS, REFUSAL_RULES } from '../quality/refusal-rules.ts';

export interface ChangeLimitOptions {
  readonly canRetireMany?: boolean;
  readonly canCorrectMany?: boolean;
}

const { retiredShare, correctedShare, minCorrected } = REFUSAL_BOUNDS;

/**
 * Finds the reason to reject a load that would retire or correct far more than is usual. `corrected` is the number of
 * corrections that count: a fund is corrected by every new period, too.
 */
export function findUnusualChange(
  dataset: Dataset,
  { added, retired, unchanged, corrected: allCorrected }: ChangeCounts,
  corrected: number,
  { canRetireMany = false, canCorrectMany = false }: ChangeLimitOptions,
): PublishError | undefined {
  const before = allCorrected + retired + unchanged;
  if (!canRetireMany && retired > retiredShare * before)
    return new PublishError(
      `nothing was published: --replace would retire ${retired} of ${before} records of ${dataset.name}, more than ${retiredShare * 100} %; ${REFUSAL_RULES['retires-many'].option} retires them`,
    );
  const touched = added + allCorrected + unchanged;
  const isChecked = REFUSAL_RULES['corrects-many'].appliesTo(dataset);
  const isMany = corrected >= minCorrected && corrected > correctedShare * touched;
  if (isChecked && !canCorrectMany && isMany)
    return new PublishError(
      `nothing was published: ${corrected} of ${touched} records of ${dataset.name} that are loaded would correct published ones, more than ${correctedShare * 100} %; ${REFUSAL_RULES['corrects-many'].option} corrects them`,
    );
  return undefined;
}
