import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { KeyedValue } from '../catalogue/model/field.ts';
import type { MissingSeries, StoreReader } from './reader.ts';

/** Whether each period of a dataset should have the dimension values, or the keys of a list, of the one before. */
export function hasStableSeries({ declaration }: Dataset): boolean {
  const { dimensions = [], keyedList, coverage } = declaration ?? {};
  return (dimensions.length > 0 || keyedList !== undefined) && coverage !== 'open';
}

/** The series that a period lacks; of a dataset with a list, each key is one. */
export interface Completeness extends MissingSeries {
  readonly place: number;
  readonly previousPlace: number;
}

type CoverageReader = Pick<StoreReader, 'missingSeries' | 'periods' | 'read'>;

/**
 * Which series a period has of those of the last one before it that has figures. Undefined if there is
 * none, and for a dataset without series.
 */
export async function readCompleteness(
  reader: CoverageReader,
  dataset: Dataset,
  place: number,
): Promise<Completeness | undefined> {
  if (!hasStableSeries(dataset)) return undefined;
  const before = { to: place - 1, limit: 1, hasFigure: true } as const;
  const [previousPlace] = await reader.periods(dataset, before);
  if (previousPlace === undefined) return undefined;
  const places = { place, previousPlace };
  const { keyedList } = dataset.declaration ?? {};
  if (!keyedList)
    return { ...places, ...(await reader.missingSeries(dataset, place, previousPlace)) };
  const selection = {
    kind: 'observations',
    dataset,
    from: previousPlace,
    to: place,
    // Those between have no keys.
    limit: place - previousPlace + 1,
  } as const;
  const { records } = await reader.read(selection);
  const lists = (JSON.parse(`[${records}]`) as AnyRecord[]).map((record) =>
    (record[keyedList.field] as readonly KeyedValue[]).map(({ key }) => key),
  );
  const [keys = [], expected = []] = [lists[0], lists.at(-1)];
  const missing = expected.filter((key) => !keys.includes(key)).map((key) => [key]);
  return { ...places, expected: expected.length, missing };
}

/** How many series of the period before it the newest period has; undefined if they may come and go. */
export async function countSeries(
  reader: CoverageReader,
  dataset: Dataset,
): Promise<SeriesCounts | undefined> {
  if (!hasStableSeries(dataset)) return undefined;
  const [newest] = await reader.periods(dataset, { limit: 1, hasFigure: true });
  const found = newest === undefined ? undefined : await readCompleteness(reader, dataset, newest);
  return found && { present: found.expected - found.missing.length, expected: found.expected };
}

export interface SeriesCounts {
  readonly present: number;
  readonly expected: number;
}
