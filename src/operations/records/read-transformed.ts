import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getPeriod } from '../../catalogue/model/observations.ts';
import type { ObservationSelection, StoreReader } from '../../store/open-store.ts';
import {
  createObservationSource,
  createPointReader,
  type MeasureNames,
} from '../../transforms/observation-source.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import { type TransformedRecord, transformSeries } from '../../transforms/transform-series.ts';
import {
  type DatasetTransform,
  getAggregate,
  getResultKind,
  listMeasures,
  selectMeasures,
} from '../../transforms/transformed-dataset.ts';

/** A page of transformed records; its periods are those of the result. */
type TransformSelection = ObservationSelection &
  DatasetTransform & {
    readonly asOf: number;
    /** The fields whose measures `observed` is of; all if absent. */
    readonly fields?: readonly string[] | undefined;
  };

/** Transformed records as JSON. Throws an AbandonedError after an abort. */
export async function readTransformed(
  reader: StoreReader,
  selection: TransformSelection,
  signal: AbortSignal,
) {
  const { dataset, dimensions, includesStatus, units, asOf, ...page } = selection;
  const kind = getResultKind(dataset, selection);
  const nesting = nestPeriods(getPeriod(dataset).kind, kind);
  if (!nesting) throw new TypeError(`${dataset.name} has no ${selection.frequency} of its own`);
  const measures = listMeasures(dataset);
  const fields = measures.filter(({ isList }) => !isList).map(({ field }) => field);
  const list = measures.find(({ isList }) => isList)?.field;
  const names: MeasureNames = { fields, list, keys: [] };
  const transforms = measures.map((each) => ({ units, aggregate: getAggregate(each, selection) }));
  const [first = { units, aggregate: 'last' as const }] = transforms;
  const selected = {
    dataset,
    asOf,
    ...(dimensions && { dimensions }),
    ...(includesStatus && { includesStatus }),
  };
  const toPoint = createPointReader(dataset, names);
  const source = createObservationSource(reader, selected, toPoint, signal);
  const { records, hasMore } = await transformSeries(source, {
    nesting,
    units: [units],
    page,
    minShare: selection.minShare,
    includesPartial: selection.includesPartial,
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
  { frequency, ...transform }: TransformSelection,
): (record: TransformedRecord) => string {
  const { field: periodField } = getPeriod(dataset);
  const dimensions = dataset.declaration?.dimensions ?? [];
  const kind = getResultKind(dataset, { frequency, ...transform });
  const selected = new Set(selectMeasures(dataset, transform.fields).map(({ field }) => field));
  const isSelected = (index: number) => selected.has(fields[index] ?? list ?? '');
  return ({ ordinal, label, values, counts, status, expected, ...record }) => {
    const selectedCounts = counts.flatMap((count, index) =>
      isSelected(index) ? (count ?? []) : [],
    );
    const observed = Math.min(expected, ...selectedCounts);

    const members = record.members?.map((index) => ({
      key: keys[index - fields.length],
      value: values[index],
    }));
    const complete = {
      [periodField]: frequency ? kind.formatLabel(ordinal) : label,
      ...Object.fromEntries(
        dimensions.map(({ field }, index) => [field, record.dimensions[index]]),
      ),
      ...Object.fromEntries(fields.map((field, index) => [field, values[index]])),
      ...(list !== undefined && { [list]: members ?? [] }),
      status,
      ...(frequency && { observed, expected }),
    };
    const { fields: wanted } = transform;
    const entries = Object.entries(complete).filter(([name]) => wanted?.includes(name) ?? true);
    return JSON.stringify(Object.fromEntries(entries));
  };
}
