import { scaleUnit } from '../../catalogue/model/create-dataset.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import { STATUS_FIELD } from '../../catalogue/model/observations.ts';
import { createPeriodKind, type PeriodKind } from '../../catalogue/model/period.ts';
import {
  listFinerUnits,
  PERIOD_TRAITS,
  PERIOD_UNITS,
  type PeriodUnit,
} from '../../catalogue/model/period-unit.ts';
import { DEFAULT_AGGREGATES, UNITS_TITLES } from '../../catalogue/model/transform-parameters.ts';
import type { ReadContext } from '../../http/pipeline/route.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { MeasureTransform } from '../../transforms/point-groups.ts';
import { UNITS } from '../../transforms/units.ts';
import type { AlignedColumn } from './aligned-columns.ts';
import { alignedOperation, alignedRowSchema } from './aligned-operation.ts';
import { type AlignedSource, findAlignedSource, findMeasure } from './aligned-sources.ts';

/** The table of a request. */
export interface PlannedTable {
  readonly columns: readonly PlannedColumn[];
  /** The periods of its rows. */
  readonly kind: PeriodKind;
  /** Ordinals of the first and last period. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly isOldestFirst: boolean;
  /** The share of the expected figures that is enough; if absent, that of the source. */
  readonly minShare?: number | undefined;
  readonly includesPartial: boolean;
  /** What follows the figure of each column. */
  readonly following: readonly Following[];
}

/** A column, where its figures come from, and what becomes of them. */
export interface PlannedColumn extends Omit<AlignedColumn, 'aggregate'>, MeasureTransform {
  /** Its name in the table, and those of what follows it there. */
  readonly names: readonly string[];
  readonly source: AlignedSource;
  /** The unit of the figures in the table. */
  readonly unit: string;
  readonly description: string;
}

/** What a table is read from, as of a revision. */
export interface TableContext extends Pick<ReadContext, 'reader' | 'view'> {
  readonly signal: AbortSignal;
}

export function planColumns(
  columns: readonly AlignedColumn[],
  datasets: readonly Dataset[],
  nameColumn: (name: string) => readonly string[] = (name) => [name],
): PlannedColumn[] {
  return columns.map((column) => {
    const source = findAlignedSource(column.dataset, datasets);
    const measure = source && findMeasure(source, column.measure);
    if (!measure) throw new TypeError(`${column.name} is no column of this catalogue`);
    const { units, dimensions, aggregate } = column;
    const parts = [
      `${source.title}: ${measure.title}`,
      ...dimensions,
      ...(aggregate ? [aggregate] : []),
    ];
    return {
      ...column,
      names: nameColumn(column.name),
      source,
      aggregate: aggregate ?? DEFAULT_AGGREGATES[measure.kind],
      unit: UNITS[units].getUnit(scaleUnit(measure)),
      description: [...parts, ...(units === 'lin' ? [] : [UNITS_TITLES[units]])].join(', '),
    };
  });
}

/** The names of columns: their texts, and plain ones as programs take them for variables. */
export function createColumnNaming(isPlain: boolean, suffixes: readonly string[]) {
  const taken = new Set<string>();
  return (text: string): readonly string[] => {
    if (!isPlain) return [text, ...suffixes.map((suffix) => `${text}.${suffix}`)];
    const plain = text.replaceAll(/(?<![^(,=])[^(,=]*=/g, '').replaceAll(/[^A-Za-z0-9]+/g, '_');
    const base = plain.replace(/_$/, '');
    for (let count = 1; ; count++) {
      const own = count === 1 ? base : `${base}_${count}`;
      const names = [own, ...suffixes.map((suffix) => `${own}_${suffix}`)];
      if (names.some((name) => taken.has(name))) continue;
      for (const name of names) taken.add(name);
      return names;
    }
  };
}

/** The periods of the rows of a table, or why its columns cannot be in one. */
export function findTableKind(
  columns: readonly Pick<PlannedColumn, 'name' | 'source'>[],
  { frequency, yearStart }: { frequency?: PeriodUnit | undefined; yearStart?: number | undefined },
): PeriodKind | string {
  const units = columns.map(({ source }) => source.kind.unit);
  const unit = frequency ?? PERIOD_UNITS.findLast((each) => units.includes(each)) ?? 'day';
  const fiscal = columns.filter(({ source }) => source.kind.hasYearStart);
  const [first] = fiscal;
  const start = yearStart ?? getYearStart(first);
  const other = fiscal.find((column) => getYearStart(column) !== start);
  if (first && other && yearStart === undefined && PERIOD_TRAITS[unit].hasYearStart)
    return `the years of "${first.name}" begin in month ${start}, those of "${other.name}" in month ${getYearStart(other)}`;
  const own = columns.find(({ source }) => source.kind.unit === unit);
  const target =
    own && getYearStart(own) === start ? own.source.kind : createPeriodKind(unit, start);
  const misfit = columns.find(({ source }) => !nestPeriods(source.kind, target));
  if (!misfit) return target;
  const { name, source } = misfit;
  return PERIOD_UNITS.indexOf(source.kind.unit) > PERIOD_UNITS.indexOf(unit)
    ? `"${name}" has a figure for each ${source.kind.unit}, so that frequency cannot be ${unit}`
    : `the years of "${name}" begin in month ${getYearStart(misfit)}, those of the table in month ${start}`;
}

/** If the source does not say, years are taken to be those of the calendar. */
const getYearStart = (column: Pick<PlannedColumn, 'source'> | undefined) =>
  column?.source.kind.yearStart ?? 1;

/** The period of a table by its label, by that of a finer one, or by a day in it. */
export function parseTablePeriod(target: PeriodKind, text: string): number | undefined {
  const kinds = listFinerUnits(target.unit).map((unit) =>
    createPeriodKind(unit, target.yearStart ?? 1),
  );
  for (const kind of [target, ...kinds]) {
    const ordinal = kind.parseRequest(text);
    if (ordinal !== undefined) return nestPeriods(kind, target)?.toCoarser(ordinal);
  }
  return undefined;
}

/** What follows the figure of each column. */
const FOLLOWING = {
  status: schema.nullable(STATUS_FIELD.schema, STATUS_FIELD.description),
  observed: schema.integer('How many figures there are in the period', 0),
};

export type Following = keyof typeof FOLLOWING;

/** The operation with the schema of the rows of a table, and the units of its columns. */
export function describeRows({ kind, columns, following }: PlannedTable) {
  const properties = columns.flatMap(({ names, description, unit }) => {
    const figure = schema.nullable({ type: 'number', ...(unit !== '' && { unit }) }, description);
    const schemas = [figure, ...following.map((each) => FOLLOWING[each])];
    return names.map((name, index) => [name, schemas[index] as JsonSchema] as const);
  });
  const items = alignedRowSchema(kind, Object.fromEntries(properties));
  const dataSchema = { type: 'array', items };
  return { ...OPERATION, dataSchema, computedUnits: columns.map(({ unit }) => unit) };
}

const OPERATION = alignedOperation([]);
