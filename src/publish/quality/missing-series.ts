import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { MissingSeries, StoreReader } from '../../store/open-store.ts';
import type { Warning } from './warning-rules.ts';

/** Whether each period of a dataset should have the dimension values of the one before. */
export function hasStableSeries({ declaration }: Dataset): boolean {
  return (declaration?.dimensions?.length ?? 0) > 0 && declaration?.coverage !== 'open';
}

/** The series that the newest period lacks. */
export interface Completeness extends MissingSeries {
  readonly place: number;
  readonly previousPlace: number;
}

/** Undefined for a dataset without series, or with fewer than two periods. */
export async function readCompleteness(
  reader: Pick<StoreReader, 'missingSeries'>,
  dataset: Dataset,
  [place, previousPlace]: readonly number[],
): Promise<Completeness | undefined> {
  if (!hasStableSeries(dataset) || place === undefined || previousPlace === undefined)
    return undefined;
  return { place, previousPlace, ...(await reader.missingSeries(dataset, place, previousPlace)) };
}

/** A warning for each series that is missing. */
export function findMissingSeriesWarnings(
  { period, declaration }: Dataset,
  { place, previousPlace, expected, missing }: Completeness,
): Warning[] {
  const format = (ordinal: number) => period?.kind.formatLabel(ordinal) ?? '';
  const field = declaration?.dimensions?.[0]?.field ?? '';
  return missing.map((values) => {
    const value = values.join(' ');
    const text = `${value} has no record of ${format(place)}, unlike ${format(previousPlace)}: ${expected - missing.length} of ${expected} series are there`;
    return { rule: 'series-missing', field, value, text };
  });
}
