import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StagedChange } from '../../store/open-store.ts';
import { GuardError } from '../errors.ts';
import type { PeriodCorrections } from '../quality/corrected-periods.ts';
import { REFUSAL_BOUNDS, REFUSAL_RULES } from '../quality/refusal-rules.ts';
import type { DraftValidator } from './draft-validator.ts';

/** Finds the reason to reject a load that corrects many records that are usually final. */
export async function limitCorrections(
  { name, shape, period }: Dataset,
  { counts, countCorrected }: StagedChange,
  { locations, published, completers, restatedFunds }: DraftValidator,
  { periods }: PeriodCorrections,
): Promise<GuardError | undefined> {
  const [, last] = published.periods;
  // No record is older than the last two periods.
  if (period && last === undefined) return undefined;
  const before = last ?? completers.quotes?.previousNewestDay ?? '';
  const label =
    last === undefined
      ? before
      : (published.records[1]?.[period?.field ?? ''] ?? period?.kind.formatLabel(last));
  const isFund = shape === 'fund';
  let loaded = isFund ? counts.corrected + counts.unchanged : 0;
  for (const [place, count] of locations.countByPlace) if (place < before) loaded += count;
  const range = isFund ? 'in periods before their newest published one' : `before ${label}`;
  const { minCorrected, correctedShare } = REFUSAL_BOUNDS;
  const findMany = (corrected: number) =>
    corrected < minCorrected || corrected <= correctedShare * loaded
      ? undefined
      : new GuardError(
          'corrects-many',
          `${corrected} of ${loaded} loaded records of ${name} ${range} would correct published ones, more than ${correctedShare * 100} %; ${REFUSAL_RULES['corrects-many'].option} corrects them`,
        );
  if (isFund) return findMany(restatedFunds);
  if (period) {
    const older = periods.filter(({ place }) => place < Number(before));
    const corrected = older.reduce((sum, each) => sum + each.corrected, 0);
    return findMany(corrected) ?? limitPeriod(name, period.kind.formatLabel, older);
  }
  // Most loads do not even correct that many records of all ages.
  return findMany(counts.corrected) && findMany(await countCorrected(before));
}

/** Finds a period most of whose records change: the label may be that of another one. */
function limitPeriod(
  name: string,
  formatLabel: (ordinal: number) => string,
  periods: PeriodCorrections['periods'],
): GuardError | undefined {
  const { minCorrected, correctedShare } = REFUSAL_BOUNDS;
  const many = periods.find(
    ({ corrected, records }) => corrected >= minCorrected && corrected > correctedShare * records,
  );
  if (!many) return undefined;
  const { corrected, records, place } = many;
  return new GuardError(
    'corrects-many',
    `${corrected} of ${records} published records of ${name} in ${formatLabel(place)} would be corrected, more than ${correctedShare * 100} %: is it another period? ${REFUSAL_RULES['corrects-many'].option} corrects them`,
  );
}
