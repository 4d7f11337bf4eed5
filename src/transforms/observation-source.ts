import type { Dataset } from '../catalogue/model/dataset.ts';
import type { KeyedValue } from '../catalogue/model/field.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import { AbandonedError } from '../shared/abandoned-error.ts';
import { whenReady } from '../shared/awaitable.ts';
import type { ObservationSelection, StoreReader } from '../store/open-store.ts';
import type { Point } from './point-groups.ts';
import type { SeriesSource } from './read-groups.ts';

/** The measures of a series: its fields, then the members of its list, as they are found. */
export interface MeasureNames {
  readonly fields: readonly string[];
  readonly list: string | undefined;
  /** The keys of the list so far. */
  readonly keys: string[];
}

/** The part of a selection that says which series of a dataset, and of which revision. */
export type SelectedSeries = Pick<
  ObservationSelection,
  'dataset' | 'dimensions' | 'includesStatus'
> & { readonly asOf: number };

/** The records of a series, or of several that dimension values tell apart, as figures. */
export function createObservationSource(
  reader: Pick<StoreReader, 'read' | 'periods'>,
  selected: SelectedSeries,
  toPoint: (text: string) => Point,
  signal: AbortSignal,
): SeriesSource {
  const { dataset, asOf } = selected;
  return {
    kind: getPeriod(dataset).kind,
    read(range) {
      if (signal.aborted) throw new AbandonedError();
      const page = { kind: 'observations', ...selected, ...range, asNdjson: true } as const;
      return whenReady(reader.read(page), ({ count, records, lastKey }) => ({
        points: count === 0 ? [] : records.split('\n').map(toPoint),
        next: lastKey,
      }));
    },
    findPeriods: (range) => reader.periods(dataset, range, asOf),
  };
}

/** Reads points from the texts of records, and adds the keys of their lists to those of the measures. */
export function createPointReader(dataset: Dataset, { fields, list, keys }: MeasureNames) {
  const { field, kind } = getPeriod(dataset);
  const dimensions = dataset.declaration?.dimensions ?? [];
  return (text: string): Point => {
    const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const label = String(record[field]);
    const values: Point['values'][number][] = fields.map(
      (name) => (record[name] ?? null) as number | null,
    );
    const listed = list === undefined ? [] : (record[list] as KeyedValue[]);
    const members = listed.map(({ key, value }) => {
      if (!keys.includes(key)) keys.push(key);
      const index = fields.length + keys.indexOf(key);
      values[index] = value;
      return index;
    });
    return {
      ordinal: kind.toOrdinal(label) ?? Number.NaN,
      label,
      dimensions: dimensions.map((each) => String(record[each.field])),
      values,
      members,
      status: record.status as string | undefined,
    };
  };
}
