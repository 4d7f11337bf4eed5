import { datasets as declarations } from '../../catalogue/datasets/datasets.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset, Scope } from '../../catalogue/model/dataset.ts';
import type { ShippedDeclaration } from '../../catalogue/model/declaration.ts';
import { isNumberField } from '../../catalogue/model/field.ts';
import type { Parameter } from '../../catalogue/model/parameter.ts';
import { createPeriodKind, type PeriodKind } from '../../catalogue/model/period.ts';
import { UNITS_CODES, type UnitsCode } from '../../catalogue/model/transform-parameters.ts';
import { formatNames } from '../../shared/format-names.ts';
import {
  CURVE_RATES,
  CURVE_UNITS,
  curveOperation,
  FIGURE_DATASETS,
  MARKETS,
  parseTenor,
} from '../curve/curve-operation.ts';

/** A column of an aligned table: a measure of one series. */
export interface AlignedColumn {
  /** Its text in the request. */
  readonly name: string;
  /** The name of a dataset, or `curve`. */
  readonly dataset: string;
  readonly measure: string;
  /** A value of each dimension, in their order. */
  readonly dimensions: readonly string[];
  readonly units: UnitsCode;
}

/** A dataset, or what is computed from one, whose figures can stand beside others by period. */
export interface AlignedSource extends Pick<ShippedDeclaration, 'measures' | 'keyedList'> {
  readonly name: string;
  readonly title: string;
  readonly scope: Scope;
  /** The datasets that it is read from. */
  readonly datasets: readonly string[];
  readonly kind: PeriodKind;
  readonly dimensions?: ShippedDeclaration['dimensions'];
}

type Measure = ShippedDeclaration['measures'][number];

const DAYS = createPeriodKind('day');
const { name: DECLARATIONS } = declarations;

const CURVE: AlignedSource = {
  name: curveOperation.name,
  title: curveOperation.title,
  scope: curveOperation.scope,
  datasets: FIGURE_DATASETS,
  kind: DAYS,
  measures: CURVE_RATES.map((field) => {
    const unit = field === 'discountFactor' ? '' : CURVE_UNITS[field];
    return { field, title: field, unit, kind: 'stock' };
  }),
  dimensions: [
    { field: 'tenor', title: 'Tenor' },
    {
      field: 'market',
      title: 'Market',
      codes: { government: '', corporate: '' },
      codesStrict: true,
    },
  ],
};

/** The last figure of a security stands for a period, but volumes add up. */
const QUOTE_MEASURES = Object.entries(quotes.fields).flatMap(([field, each]): Measure[] => {
  const { kind, description: title, unit = '' } = each;
  return isNumberField(each)
    ? [{ field, title, unit, kind: kind === 'amount' ? 'flow' : 'stock' }]
    : [];
});

/** The source of a name in columns; undefined if no dataset has it, or it has no periods. */
export function findAlignedSource(
  name: string,
  datasets: readonly Dataset[],
): AlignedSource | undefined {
  if (name === CURVE.name) return CURVE;
  const dataset = datasets.find((each) => each.name === name);
  return dataset && toAlignedSource(dataset);
}

function toAlignedSource(dataset: Dataset): AlignedSource | undefined {
  const { name, title, scope, shape, declaration, declared, period } = dataset;
  // Titles are those of the declaration.
  const source = { name, title, scope, datasets: declared ? [name, DECLARATIONS] : [name] };
  if (shape === 'quotes')
    return {
      ...source,
      kind: DAYS,
      measures: QUOTE_MEASURES,
      dimensions: [{ field: 'symbol', title: 'Symbol' }],
    };
  return declaration && period && { ...declaration, ...source, kind: period.kind };
}

/** The measure of a column, or the member of a list; undefined if the source has none. */
export function findMeasure(
  source: AlignedSource,
  name: string,
): Omit<Measure, 'field'> | undefined {
  const { measures, keyedList } = source;
  const key = getMemberKey(source, name);
  if (key && keyedList) return { ...keyedList.value, title: `${keyedList.title}: ${key}` };
  return measures.find(({ field }) => field === name);
}

/** The key of a member of a list: that of `provinces.punjab` is `punjab`. */
export function getMemberKey({ keyedList }: AlignedSource, measure: string): string | undefined {
  const prefix = `${keyedList?.field}.`;
  return keyedList && measure.startsWith(prefix) ? measure.slice(prefix.length) : undefined;
}

const MAX_COLUMNS = 40;

/** The parameter with the columns of a table, each a measure of one of these datasets. */
export const columnsParameter = (
  datasets: readonly Dataset[],
): Parameter<readonly AlignedColumn[]> => ({
  description: `Up to ${MAX_COLUMNS} columns: the name of a dataset, or curve, a point, a measure, a value of each dimension, and after a colon how the figures are transformed. In values, ( ) , : % are percent-encoded twice`,
  requirement: `up to ${MAX_COLUMNS} columns such as atm-transactions-quarterly-value.total:pc1, quotes.ytm(symbol=…) or curve.par(tenor=10Y), with commas between them`,
  schema: { type: 'string', minLength: 1 },
  example: 'atm-transactions-quarterly-value.total:pc1,curve.par(tenor=10Y)',
  isRequired: true,
  parse(text) {
    const columns = parseColumns(text, datasets);
    return typeof columns === 'string' ? undefined : columns;
  },
  explain(text) {
    const problem = parseColumns(text, datasets);
    return typeof problem === 'string' ? problem : undefined;
  },
});

/** The sources that a text of columns names, whatever else is wrong with it. */
export function findNamedSources(text: string, datasets: readonly Dataset[]): AlignedSource[] {
  const names = new Set(splitColumns(text).map((column) => column.split('.', 1)[0] ?? ''));
  return [...names].flatMap((name) => findAlignedSource(name, datasets) ?? []);
}

const COLUMN_PATTERN =
  /^([a-z][a-z0-9-]{0,59})\.([^():,]{1,300})(?:\(([^()]*)\))?(?::([^():,]*))?$/;

/** The columns of a text, or the problem of one of them. */
export function parseColumns(
  text: string,
  datasets: readonly Dataset[],
): readonly AlignedColumn[] | string {
  const texts = splitColumns(text);
  if (texts.length > MAX_COLUMNS) return `these are ${texts.length}`;
  const columns: AlignedColumn[] = [];
  for (const [index, name] of texts.entries()) {
    const match = COLUMN_PATTERN.exec(name);
    // Whatever else may have been pasted here is in no message, and in no log.
    if (!match)
      return `column ${index + 1} is not written as dataset.measure(dimension=value):units, without spaces`;
    const isRepeated = texts.indexOf(name) < index;
    const column = isRepeated ? 'it comes twice' : parseColumn(name, match, datasets);
    if (typeof column === 'string') return `"${name.slice(0, MAX_QUOTED)}": ${column}`;
    columns.push(column);
  }
  return columns;
}

const MAX_QUOTED = 100;

/** Commas within parentheses separate no columns. */
function splitColumns(text: string): string[] {
  const columns = [''];
  for (const part of text.split(/(\([^()]*\)|,)/)) {
    if (part === ',') columns.push('');
    else columns.push(`${columns.pop()}${part}`);
  }
  return columns;
}

function parseColumn(
  name: string,
  [, dataset = '', measureText = '', values, units = 'lin']: RegExpExecArray,
  datasets: readonly Dataset[],
): AlignedColumn | string {
  const source = findAlignedSource(dataset, datasets);
  if (!source) return explainSource(dataset, datasets);
  const measure = decodeAgain(measureText);
  if (!measure || !findMeasure(source, measure)) {
    const list = source.keyedList ? [`${source.keyedList.field}. and a key`] : [];
    const allowed = [...source.measures.map(({ field }) => field), ...list];
    return `the measures of ${dataset} are ${allowed.join(', ')}`;
  }
  const code = UNITS_CODES.find((each) => each === units);
  if (!code) return `units are one of ${UNITS_CODES.join(', ')}`;
  const dimensions = parseDimensions(source, values);
  return typeof dimensions === 'string'
    ? dimensions
    : { name, dataset, measure, dimensions, units: code };
}

const MAX_LISTED = 20;

function explainSource(name: string, datasets: readonly Dataset[]): string {
  const dataset = datasets.find((each) => each.name === name);
  if (dataset?.shape === 'fund')
    return `${name} cannot be aligned: each fund has periods and classes of its own`;
  if (dataset) return `${name} cannot be aligned: it is reference data, which has no periods`;
  const names = [CURVE, ...datasets.filter(toAlignedSource)].map((each) => each.name);
  return `no dataset is called ${name}; there are ${formatNames(names, MAX_LISTED)}`;
}

/** A value of each dimension of a source, or the problem of one. */
function parseDimensions(
  { name, dimensions = [] }: AlignedSource,
  text: string | undefined,
): readonly string[] | string {
  const given = new Map<string, string>();
  for (const pair of text === undefined ? [] : text.split(',')) {
    const [, field = '', encoded = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (dimensions.every((each) => each.field !== field))
      return `the dimensions of ${name} are ${dimensions.map((each) => each.field).join(', ') || 'none'}, each with = and a value`;
    if (given.has(field)) return `${field} comes twice`;
    const value = decodeAgain(encoded);
    if (!value) return `${field} must have a value, whose ( ) , : % are percent-encoded twice`;
    given.set(field, value);
  }
  const values: string[] = [];
  for (const { field, codes = {}, codesStrict } of dimensions) {
    const value =
      given.get(field) ?? (field === 'market' && name === CURVE.name ? MARKETS[0] : undefined);
    if (value === undefined) return `${field} is missing: every dimension must be given`;
    if (codesStrict && !Object.hasOwn(codes, value))
      return `${field} must be one of ${formatNames(Object.keys(codes))}`;
    if (name === CURVE.name && field === 'tenor' && !parseTenor(value))
      return 'tenor must be days, weeks, months or years such as 3M or 10Y';
    values.push(value);
  }
  return values;
}

/** A text of a query that was decoded once; undefined if it is not percent-encoded UTF-8. */
function decodeAgain(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
