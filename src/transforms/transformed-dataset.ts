import type { ComputedDataset, Dataset } from '../catalogue/model/dataset.ts';
import type { Field, Fields } from '../catalogue/model/field.ts';
import { amountIn, keyedList, nullable, period } from '../catalogue/model/field-builders.ts';
import { COUNT_FIELDS, getObservationsForm, getPeriod } from '../catalogue/model/observations.ts';
import { createPeriodKind, type PeriodKind } from '../catalogue/model/period.ts';
import type { PeriodUnit } from '../catalogue/model/period-unit.ts';
import {
  type AggregateName,
  DEFAULT_AGGREGATES,
  type MeasureKind,
  UNITS_TITLES,
  type UnitsCode,
} from '../catalogue/model/transform-parameters.ts';
import { UNITS } from './units.ts';

/** How a request transforms a dataset. */
export interface DatasetTransform {
  /** Absent if records are not aggregated. */
  readonly frequency?: PeriodUnit | undefined;
  readonly yearStart?: number | undefined;
  /** By default, that of each measure's kind. */
  readonly aggregate?: AggregateName | undefined;
  readonly units: UnitsCode;
  readonly minShare?: number | undefined;
  readonly includesPartial?: boolean | undefined;
}

/** A measure of a series, or the list whose members are measures. */
export interface Measure {
  readonly field: string;
  readonly kind: MeasureKind;
  readonly isList: boolean;
}

export function listMeasures({ declaration }: Dataset): readonly Measure[] {
  const { measures = [], keyedList: list } = declaration ?? {};
  return [
    ...measures.map(({ field, kind }) => ({ field, kind, isList: false })),
    ...(list ? [{ field: list.field, kind: list.value.kind, isList: true }] : []),
  ];
}

/** The measures that fields name; all of them if they name none. */
export function selectMeasures(dataset: Dataset, fields: readonly string[] = []) {
  const measures = listMeasures(dataset);
  const selected = measures.filter(({ field }) => fields.includes(field));
  return selected.length > 0 ? selected : measures;
}

export const getAggregate = (
  { kind }: Measure,
  { aggregate }: Pick<DatasetTransform, 'aggregate'>,
): AggregateName => aggregate ?? DEFAULT_AGGREGATES[kind];

/** The periods of a result: years begin as those of the dataset do, unless a request says otherwise. */
export function getResultKind(
  dataset: Dataset,
  { frequency, yearStart }: Pick<DatasetTransform, 'frequency' | 'yearStart'>,
): PeriodKind {
  const { kind } = getPeriod(dataset);
  return frequency ? createPeriodKind(frequency, yearStart ?? kind.yearStart ?? 1) : kind;
}

/** The dataset that a transform makes of another: its fields, and the units of those selected. */
export function transformDataset(
  dataset: Dataset,
  transform: DatasetTransform,
  selected?: readonly string[],
): ComputedDataset {
  const observations = getObservationsForm(dataset);
  const kind = getResultKind(dataset, transform);
  const { field: periodField } = getPeriod(dataset);
  const measures = new Map(listMeasures(dataset).map((measure) => [measure.field, measure]));
  const units: string[] = [];
  const toField = ([name, field]: [string, Field]): [string, Field] => {
    const measure = measures.get(name);
    if (name === periodField && transform.frequency) return [name, period(kind, kind.title)];
    if (!measure) return [name, field];
    const { value } = field.itemFields ?? {};
    const unit = UNITS[transform.units].getUnit(field.unit ?? value?.unit ?? '');
    if (selected?.includes(name) ?? true) units.push(unit);
    const description = describe(field.description, measure, transform);
    const figure = nullable(amountIn(unit)(description)) as Field<number>;
    return [name, measure.isList ? keyedList(description, 'Key', figure) : figure];
  };
  const fields: Fields = {
    ...Object.fromEntries(Object.entries(observations.fields).map(toField)),
    ...(transform.frequency && COUNT_FIELDS),
  };
  return {
    ...observations,
    fields,
    period: { field: periodField, kind },
    computedUnits: units,
  };
}

function describe(description: string, measure: Measure, transform: DatasetTransform): string {
  const { frequency, units } = transform;
  return [
    description,
    ...(frequency ? [`${getAggregate(measure, transform)} of the ${frequency}`] : []),
    ...(units === 'lin' ? [] : [UNITS_TITLES[units]]),
  ].join(', ');
}
