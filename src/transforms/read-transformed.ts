import type { Dataset } from '../catalogue/model/dataset.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import type { ObservationSelection, RecordKey, StoreReader } from '../store/open-store.ts';
import {
  createObservationSource,
  createPointReader,
  type MeasureNames,
} from './observation-source.ts';
import { nestPeriods } from './period-nesting.ts';
import { type TransformedRecord, transformSeries } from './transform-series.ts';
import {
  type DatasetTransform,
  getAggregate,
  getResultKind,
  listMeasures,
} from './transformed-dataset.ts';

/** A page of transformed records; its periods are those of the result. */
export type TransformSelection = DatasetTransform & Omit<ObservationSelection, 'dataset' | 'kind'>;

interface TransformedTexts {
  readonly revision: number;
  readonly texts: readonly string[];
  readonly nextPosition?: RecordKey;
}

/** The transformed records of a dataset as JSON, all from one revision. Throws an AbandonedError after an abort. */
export async function readTransformed(
  reader: StoreReader,
  dataset: Dataset,
  selection: TransformSelection,
  signal: AbortSignal,
): Promise<TransformedTexts> {
  const { dimensions, includesStatus, units, asOf = await reader.revision(), ...page } = selection;
  const kind = getResultKind(dataset, selection);
  const nesting = nestPeriods(getPeriod(dataset).kind, kind);
  if (!nesting) throw new TypeError(`${dataset.name} has no ${selection.frequency} of its own`);
  const measures = listMeasures(dataset);
  const fields = measures.filter(({ isList }) => !isList).map(({ field }) => field);
  const names: MeasureNames = {
    fields,
    list: measures.find(({ isList }) => isList)?.field,
    keys: [],
  };
  const transforms = measures.map((each) => ({ units, aggregate: getAggregate(each, selection) }));
  const [first = { units, aggregate: 'last' as const }] = transforms;
  const source = createObservationSource(
    reader,
    {
      dataset,
      asOf,
      ...(dimensions && { dimensions }),
      ...(includesStatus && { includesStatus }),
    },
    createPointReader(dataset, names),
    signal,
  );
  const { records, hasMore } = await transformSeries(source, {
    nesting,
    units: [units],
    page,
    // The members of a list are all of one kind.
    getMeasure: (index) => transforms[index] ?? transforms.at(-1) ?? first,
  });
  const last = records.at(-1);
  return {
    revision: asOf,
    texts: records.map(createRecordWriter(dataset, names, selection)),
    ...(hasMore && last && { nextPosition: [last.ordinal, ...last.dimensions] }),
  };
}

/** Writes records with the fields of the dataset in their order, and how complete they are. */
function createRecordWriter(
  dataset: Dataset,
  { fields, list, keys }: MeasureNames,
  { frequency, ...transform }: DatasetTransform,
): (record: TransformedRecord) => string {
  const { field: periodField } = getPeriod(dataset);
  const dimensions = dataset.declaration?.dimensions ?? [];
  const kind = getResultKind(dataset, { frequency, ...transform });
  return ({ ordinal, label, values, status, observed, expected, ...record }) => {
    const members = record.members?.map((index) => ({
      key: keys[index - fields.length],
      value: values[index],
    }));
    return JSON.stringify({
      [periodField]: frequency ? kind.formatLabel(ordinal) : label,
      ...Object.fromEntries(
        dimensions.map(({ field }, index) => [field, record.dimensions[index]]),
      ),
      ...Object.fromEntries(fields.map((field, index) => [field, values[index]])),
      ...(list !== undefined && { [list]: members ?? [] }),
      status,
      ...(frequency && { observed, expected }),
    });
  };
}
