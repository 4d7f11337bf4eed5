import { isDay } from '../shared/calendar.ts';
import { escapeControls } from '../shared/control-characters.ts';
import { isPlainObject } from '../shared/is-plain-object.ts';
import { catalogue } from './index.ts';
import { type AnyRecord, PUBLIC_SCOPE } from './model/dataset.ts';
import { DECLARATION_SCHEMA, MAX_LIST_LENGTH, SHIPPED_SCHEMA } from './model/declaration.ts';
import { identifier, MAX_IDENTIFIER_LENGTH } from './model/field-builders.ts';
import { PERIOD_TRAITS, type PeriodUnit } from './model/period-unit.ts';
import { findSchemaProblems, formatPath } from './model/schema-problems.ts';

/** Problems of a declaration, one line each that begins with a JSON path; none if it is valid. */
export function findDeclarationProblems(value: unknown, { isShipped = false } = {}): string[] {
  const problems = [...findSchemaProblems(value, isShipped ? SHIPPED_SCHEMA : DECLARATION_SCHEMA)];
  if (!isPlainObject(value)) return problems;
  if (!isShipped && RESERVED_DATASETS.includes(String(value.name)))
    problems.push(`$.name must be another: ${value.name} is reserved`);
  if (!isShipped && value.scope === PUBLIC_SCOPE)
    problems.push(`$.scope must be another: ${PUBLIC_SCOPE} is reserved`);
  if (value.supersedes !== undefined && value.supersedes === value.name)
    problems.push('$.supersedes must be another dataset');
  return [
    ...problems,
    ...findFieldProblems(value),
    ...findDetailProblems(value),
    ...findReferenceProblems(value),
  ].map(escapeControls);
}

const RESERVED_DATASETS: readonly string[] = [
  ...catalogue.map(({ name }) => name),
  ...['holidays', 'curve', 'aligned', 'analytics'],
  ...Object.getOwnPropertyNames(Object.prototype),
];

/** Parameters, fields that are added to records, and members of every object, such as `constructor`. */
export const RESERVED_FIELDS = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['dataset', 'theme', 'raw'],
  ...['from', 'to', 'limit', 'cursor', 'sort', 'fields', 'as_of', 'format', 'frequency', 'units'],
  ...[
    'year_start',
    'aggregate',
    'min_share',
    'partial',
    'release',
    'start',
    'end',
    'status',
    'observed',
    'expected',
  ],
  ...['since', 'until', 'published', 'withdrawn', 'change', 'record', 'revision'],
];

function* findFieldProblems({ period, dimensions, measures, keyedList }: AnyRecord) {
  const names = new Set<unknown>();
  for (const [path, { field }] of [
    ...listObjects('$.period', period),
    ...listObjects('$.dimensions', dimensions),
    ...listObjects('$.measures', measures),
    ...listObjects('$.keyedList', keyedList),
  ]) {
    if (RESERVED_FIELDS.some((name) => name === field))
      yield `${path}.field must be another: ${field} is reserved`;
    if (field !== undefined && field !== '?' && names.has(field))
      yield `${path}.field must be another: ${field} is there twice`;
    names.add(field);
  }
}

const { isValid: isIdentifier } = identifier('');

function* findDetailProblems({ period, dimensions, checks, schedule }: AnyRecord) {
  const { dates = [] } = isPlainObject(schedule) ? schedule : {};
  for (const [path, date] of listItems('$.schedule.dates', dates)) {
    const [, day] = /^(\d{4}-\d\d-\d\d)T/.exec(String(date)) ?? [];
    if (day !== undefined && !isDay(day)) yield `${path} must be a day that there is`;
  }
  for (const [path, { kind, yearStart }] of listObjects('$.period', period))
    if (yearStart !== undefined && !PERIOD_TRAITS[kind as PeriodUnit]?.hasYearStart)
      yield `${path}.yearStart must be absent: only quarters and years have one`;
  for (const [path, { codes, codesStrict }] of listObjects('$.dimensions', dimensions)) {
    if (codesStrict === true && codes === undefined) yield `${path} must have codes`;
    for (const code of Object.keys(codes ?? {}))
      if (!isIdentifier(code))
        yield `${formatPath(`${path}.codes`, code)} must be a value without control characters and space around it, of at most ${MAX_IDENTIFIER_LENGTH} characters`;
  }
  for (const [path, { min, max }] of listObjects('$.checks', checks))
    if (Number(min) > Number(max)) yield `${path}.min must be at most its max`;
}

function* findReferenceProblems({ measures, keyedList, checks, chart }: AnyRecord) {
  const figures = [...listObjects('', measures), ...listObjects('', keyedList)];
  const names = figures.map(([, { field }]) => field);
  const references = [
    ...['sum', 'equals', 'atMost', 'field'].flatMap((key) =>
      listObjects('$.checks', checks).flatMap(([path, check]) =>
        listItems(`${path}.${key}`, check[key]),
      ),
    ),
    ...(isPlainObject(chart)
      ? [...listItems('$.chart.fields', chart.fields), ...listItems('$.chart.total', chart.total)]
      : listItems('$.chart', chart)),
  ];
  for (const [path, name] of references)
    if (typeof name === 'string' && !names.includes(name))
      yield `${path} must be a measure: ${names.join(', ')}`;
}

/** The items of a list, or a single value, with their paths. */
function listItems(path: string, value: unknown): (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return [[path, value]];
  // Too many items are a problem of the schema; a problem for each reference to one would be too many.
  if (value.length > MAX_LIST_LENGTH) return [];
  return value.map((item, index) => [`${path}[${index}]`, item] as const);
}

/** The same, without items that are not objects, which are problems of the schema. */
function listObjects(path: string, value: unknown) {
  return listItems(path, value).filter((item): item is [string, AnyRecord] =>
    isPlainObject(item[1]),
  );
}
