import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Parameter } from '../../catalogue/model/parameter.ts';
import {
  AGGREGATE_NAMES,
  type AggregateName,
  UNITS_CODES,
  type UnitsCode,
} from '../../catalogue/model/transform-parameters.ts';
import { formatNames } from '../../shared/format-names.ts';
import { MARKETS, parseTenor } from '../curve/curve-operation.ts';
import {
  type AlignedSource,
  explainSource,
  findAlignedSource,
  findMeasure,
} from './aligned-sources.ts';

/** A column of an aligned table: a measure of one series. */
export interface AlignedColumn {
  /** Its text in the request. */
  readonly name: string;
  /** The name of a dataset, `curve` or `analytics`. */
  readonly dataset: string;
  readonly measure: string;
  /** A value of each dimension, in their order. */
  readonly dimensions: readonly string[];
  /** What becomes of the figures of a coarser period; by default that of the measure's kind. */
  readonly aggregate?: AggregateName;
  readonly units: UnitsCode;
}

const MAX_COLUMNS = 40;

/** The parameter with the columns of a table, each a measure of one of these datasets. */
export const columnsParameter = (
  datasets: readonly Dataset[],
): Parameter<readonly AlignedColumn[]> => ({
  description: `Up to ${MAX_COLUMNS} columns: the name of a dataset, curve or analytics, a point, a measure, a value of each dimension, after @ what becomes of the figures of a coarser period, and after a colon how they are transformed. In values, ( ) , : @ % are percent-encoded twice`,
  requirement: `up to ${MAX_COLUMNS} columns such as atm-transactions-quarterly-value.total:pc1, quotes.ytm(symbol=…), analytics.zSpread(symbol=…) or curve.par(tenor=10Y)@mean, separated by commas`,
  schema: { type: 'string', minLength: 1 },
  example: 'atm-transactions-quarterly-value.total:pc1,curve.par(tenor=10Y)',
  isRequired: true,
  isExplainedFirst: true,
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
  /^([a-z][a-z0-9-]{0,59})\.([^():,@]{1,300})(?:\(([^()]*)\))?(?:@([^():,@]*))?(?::([^():,]*))?$/;

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
      return `column ${index + 1} is not written as dataset.measure(dimension=value)@aggregate:units, without spaces, and with ( ) , : % in values percent-encoded`;
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
  [, dataset = '', measureText = '', values, aggregateText, units = 'lin']: RegExpExecArray,
  datasets: readonly Dataset[],
): AlignedColumn | string {
  const source = findAlignedSource(dataset, datasets);
  if (!source) return explainSource(dataset, datasets);
  const measure = decodeAgain(measureText) ?? '';
  const { kind } = findMeasure(source, measure) ?? {};
  if (!kind) {
    const list = source.keyedList ? [`${source.keyedList.field}. and a key`] : [];
    const allowed = [...source.measures.map(({ field }) => field), ...list];
    return `the measures of ${dataset} are ${allowed.join(', ')}`;
  }
  const isAllowed = (name: AggregateName) => name !== 'sum' || kind === 'flow';
  const aggregate = AGGREGATE_NAMES.filter(isAllowed).find((name) => name === aggregateText);
  if (aggregateText !== undefined && !aggregate)
    return `after @ comes one of ${AGGREGATE_NAMES.filter(isAllowed).join(', ')}${aggregateText === 'sum' ? `: figures of the kind ${kind} do not add up` : ''}`;
  const code = UNITS_CODES.find((each) => each === units);
  if (!code) return `units are one of ${UNITS_CODES.join(', ')}`;
  const dimensions = parseDimensions(source, values);
  return typeof dimensions === 'string'
    ? dimensions
    : { name, dataset, measure, dimensions, ...(aggregate && { aggregate }), units: code };
}

/** A value of each dimension of a source, or the problem of one. */
function parseDimensions(
  { name, dimensions = [], computed }: AlignedSource,
  text: string | undefined,
): readonly string[] | string {
  const given = new Map<string, string>();
  for (const pair of text === undefined ? [] : text.split(',')) {
    const [, field = '', encoded = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (dimensions.every((each) => each.field !== field))
      return `the dimensions of ${name} are ${dimensions.map((each) => each.field).join(', ') || 'none'}, each with = and a value`;
    if (given.has(field)) return `${field} comes twice`;
    const value = decodeAgain(encoded);
    if (!value) return `${field} must have a value, whose ( ) , : @ % are percent-encoded twice`;
    given.set(field, value);
  }
  const values: string[] = [];
  for (const { field, codes = {}, codesStrict } of dimensions) {
    const value = given.get(field) ?? (field === 'market' && computed ? MARKETS[0] : undefined);
    if (value === undefined) return `${field} is missing: every dimension must be given`;
    if (codesStrict && !Object.hasOwn(codes, value))
      return `${field} must be one of ${formatNames(Object.keys(codes))}`;
    if (computed && field === 'tenor' && !parseTenor(value))
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
