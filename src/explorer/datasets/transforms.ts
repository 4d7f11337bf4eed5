import { isNumericField } from '../../catalogue/model/diff-records.ts';
import {
  listCoarserUnits,
  PERIOD_TRAITS,
  PERIOD_UNITS,
  type PeriodUnit,
} from '../../catalogue/model/period-unit.ts';
import { UNITS_CODES, UNITS_TITLES } from '../../catalogue/model/transform-parameters.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';

/** The units of periods that the figures of a dataset can be aggregated into. */
export function listFrequencies({ period }: Pick<DatasetEntry, 'period'>): readonly PeriodUnit[] {
  const own = PERIOD_UNITS.find((unit) => PERIOD_TRAITS[unit].name === period?.kind);
  return own ? listCoarserUnits(own) : [];
}

/** Coarser periods and other units of figures, which the service computes. */
type Transform = ReturnType<typeof parseTransform>;

/** The transform in the URL, as far as it is valid for a dataset. */
export function parseTransform(
  entry: Pick<DatasetEntry, 'period'>,
  params: Readonly<Record<string, string>>,
) {
  const frequency = listFrequencies(entry).find((unit) => unit === params.frequency);
  const units = UNITS_CODES.find((code) => code === params.units && code !== 'lin');
  const words = [units && UNITS_TITLES[units], frequency && `by ${frequency}`];
  const title = words.filter(Boolean).join(', ');
  return {
    parameters: { frequency, units },
    /** Undefined if figures are as published. */
    title: title ? capitalize(title) : undefined,
  };
}

/** The dataset of transformed records. Its figures have no checks and no total. */
export function transformEntry(
  entry: DatasetEntry,
  { parameters, title }: Transform,
): DatasetEntry {
  const { frequency, units } = parameters;
  const { period, chart } = entry;
  if (!title || !period) return entry;
  const kind = chart?.kind === 'multiples' ? chart.kind : 'lines';
  return {
    ...entry,
    period: { ...period, ...(frequency && { kind: PERIOD_TRAITS[frequency].name }) },
    fields: entry.fields.map((field) => transformField(field, parameters)),
    chart: chart && units ? { ...chart, kind, total: null } : chart,
    checks: [],
  };
}

function transformField(
  field: FieldInfo,
  { frequency, units }: Transform['parameters'],
): FieldInfo {
  const { fields, kind } = field;
  if (kind === 'period') return { ...field, meaning: capitalize(frequency ?? field.meaning) };
  if (fields)
    return {
      ...field,
      fields: fields.map((inner) => transformField(inner, { units, frequency: undefined })),
    };
  if (!isNumericField(field) || !units) return field;
  if (!/^ch/.test(units))
    return {
      ...field,
      kind: 'number',
      unit: units === 'log' ? 'logarithm' : 'percent',
      decimals: null,
    };
  return kind === 'percent' ? { ...field, kind: 'number', unit: 'percentage points' } : field;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
