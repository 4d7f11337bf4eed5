import { parseDay } from '../../shared/calendar.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { type ConsistencyCheck, defineCheck } from './consistency-check.ts';
import type { AnyRecord, Dataset } from './dataset.ts';
import {
  DEFAULT_SCOPE,
  type Declaration,
  type DeclarationOrigin,
  type ShippedDeclaration,
} from './declaration.ts';
import type { Field, Fields, KeyedValue, RecordOfFields } from './field.ts';
import * as build from './field-builders.ts';
import { NORMAL_STATUS } from './observation-status.ts';
import {
  createObservationParameters,
  getObservationsPath,
  isServedByName,
  STATUS_FIELD,
} from './observations.ts';
import { createPeriodKind, type PeriodKind, PUBLISHED_KINDS } from './period.ts';
import { TABLE_PARAMETERS } from './response-parameters.ts';

/** The dataset of a valid declaration; the type of its records follows from the declared fields. */
export function createDataset<const D extends ShippedDeclaration>(
  declaration: D,
): Dataset<DeclaredFields<D>> {
  const {
    name,
    title,
    description = title,
    notes = [],
    checks = [],
  }: ShippedDeclaration = declaration;
  const kind = findPeriodKind(declaration.period);
  const fields = createFields(declaration, kind);
  const paths = [declaration.path] as const;
  return {
    name,
    shape: 'series',
    declaration,
    title,
    description,
    notes: [...notes, ...(kind.labelNote ? [kind.labelNote] : [])],
    paths,
    scope: declaration.scope ?? DEFAULT_SCOPE,
    hasMessage: declaration.message === true,
    parameters: isServedByName({ name, paths })
      ? createObservationParameters(declaration, kind, fields)
      : TABLE_PARAMETERS,
    fields: fields as unknown as DeclaredFields<D>,
    ...limitKeys(declaration),
    period: { field: declaration.period.field, kind },
    schedule: declaration.schedule ?? null,
    checks: checks.flatMap(createCheck),
    chart: declaration.chart ?? null,
    example: declaration.example as RecordOfFields<DeclaredFields<D>>,
  };
}

export function createDeclaredDataset(
  declaration: Declaration,
  declared: DeclarationOrigin = JUST_DECLARED,
): Dataset {
  const { name, chart, period } = declaration;
  const dataset: Dataset = createDataset({
    ...declaration,
    path: getObservationsPath(name),
    example: createExample(declaration, findPeriodKind(period)),
    ...(chart && { chart: { kind: 'lines', fields: chart, total: null } as const }),
  } as ShippedDeclaration);
  return { ...dataset, declared, addedFields: declared.addedMeasures };
}

/** The dataset as it was when a record was made: without the last fields, which the record lacks. */
export function getEarlierForm(dataset: Dataset, hasField: (field: string) => boolean): Dataset {
  const { addedFields = [] } = dataset;
  if (addedFields.length === 0) return dataset;
  const count = addedFields.findLastIndex(({ field }) => hasField(field)) + 1;
  return listEarlierForms(dataset)[count] ?? dataset;
}

/** Without trailing added fields that are null, as earlier records are stored. */
export function getStoredForm(dataset: Dataset, record: AnyRecord): Dataset {
  return getEarlierForm(dataset, (field) => record[field] !== null);
}

/** The record with null in the added fields that it lacks. */
export function completeRecord({ addedFields = [] }: Dataset, record: AnyRecord): AnyRecord {
  if (addedFields.length === 0) return record;
  return { ...Object.fromEntries(addedFields.map(({ field }) => [field, null])), ...record };
}

/** The forms of a dataset by how many of its added fields they have; these follow the other fields. */
const listEarlierForms = memoizeByIdentity((dataset: Dataset): readonly Dataset[] => {
  const { addedFields = [] } = dataset;
  return addedFields.map((_, count) => {
    const later = new Set(addedFields.slice(count).map(({ field }) => field));
    const isEarlier = ([name]: [string, unknown]) => !later.has(name);
    return {
      ...dataset,
      addedFields: addedFields.slice(0, count),
      fields: Object.fromEntries(Object.entries(dataset.fields).filter(isEarlier)),
      example: Object.fromEntries(Object.entries(dataset.example).filter(isEarlier)),
    };
  });
});

/** An example record for documents, with any period, known codes and small figures. */
function createExample(
  { period, dimensions = [], measures, status }: Declaration,
  kind: PeriodKind,
) {
  return {
    [period.field]: kind.formatLabel(kind.findOrdinal(parseDay(EXAMPLE_DAY))),
    ...Object.fromEntries(
      dimensions.map(({ field, codes = {} }) => [field, Object.keys(codes)[0] ?? 'A']),
    ),
    ...Object.fromEntries(measures.map(({ field }, index) => [field, index + 1])),
    ...(status && { status: NORMAL_STATUS }),
  };
}

const JUST_DECLARED: DeclarationOrigin = { revision: 0, publishedAt: '', addedMeasures: [] };

const EXAMPLE_DAY = '2026-06-30';

type DeclaredFields<D extends ShippedDeclaration> = {
  readonly [Name in D['period']['field']]: Field<string>;
} & {
  readonly [M in D['measures'][number] as M['field']]: Field<number>;
} & {
  readonly [Name in NonNullable<D['keyedList']>['field']]: Field<readonly KeyedValue[]>;
};

function findPeriodKind({ kind, yearStart }: ShippedDeclaration['period']): PeriodKind {
  return yearStart === null ? PUBLISHED_KINDS[kind] : createPeriodKind(kind, yearStart);
}

function createFields(declaration: ShippedDeclaration, kind: PeriodKind): Fields {
  const { dimensions = [], measures, checks = [], keyedList: list } = declaration;
  const fields: Record<string, Field> = {
    [declaration.period.field]: build.period(kind, kind.title),
  };
  for (const { field, title, codes, codesStrict } of dimensions) {
    const known = Object.keys(codes ?? {});
    const text = codesStrict ? build.choice(title, known) : build.identifier(title);
    fields[field] = { ...text, ...(codes && { codes }) };
  }
  for (const { field, required, ...measure } of measures) {
    const ranges = checks.filter(
      (check) => check.field === field && (check.min ?? check.max) !== undefined,
    );
    const bounds = [
      Math.max(...ranges.map(({ min = -Infinity }) => min)),
      Math.min(...ranges.map(({ max = Infinity }) => max)),
    ] as const;
    const figure = { ...createFigure(measure), ...(ranges.length > 0 && { bounds }) };
    fields[field] = required ? figure : build.nullable(figure);
  }
  if (list) fields[list.field] = build.keyedList(list.title, list.key, createFigure(list.value));
  if (declaration.status) fields.status = STATUS_FIELD;
  return fields;
}

/** Indexes have limited room; values of two dimensions always fit. */
function limitKeys({ dimensions = [] }: ShippedDeclaration): Pick<Dataset, 'validate'> {
  if (dimensions.length <= 2) return {};
  const names = dimensions.map(({ field }) => field);
  return {
    validate(record: AnyRecord) {
      const key = names.map((name) => record[name]).join('');
      if (key.length * MAX_CHARACTER_BYTES <= MAX_KEY_BYTES) return undefined;
      const { length } = ENCODER.encode(key);
      if (length <= MAX_KEY_BYTES) return undefined;
      const rule = `shorter: the dimensions of a record have at most ${MAX_KEY_BYTES} bytes together, not ${length}`;
      return { field: names.join(', '), rule };
    },
  };
}

const MAX_KEY_BYTES = 2_000;
const MAX_CHARACTER_BYTES = 3;
const ENCODER = new TextEncoder();

type Figure = Omit<ShippedDeclaration['measures'][number], 'field'>;

function createFigure({ title, decimals, integer, ...measure }: Figure): Field<number> {
  const { unit } = measure;
  if (integer) return build.countOf(unit)(title);
  const declared = decimals !== undefined && { decimals };
  if (unit === 'percent') return { ...build.percent(title), ...declared };
  if (unit === 'fraction') return { ...build.share(title), ...declared };
  // Fractions of figures without decimals are unusual, but valid.
  const isWhole = decimals === 0 && ({ isWhole: true } as const);
  return { ...build.amountIn(scaleUnit(measure))(title), ...declared, ...isWhole };
}

/** The unit of the figures as they are: million US dollars. Some units name the factor already. */
export function scaleUnit({ unit, scale = 1 }: Pick<Figure, 'unit' | 'scale'>): string {
  if (scale === 1 || SCALED_UNIT.test(unit)) return unit;
  return `${SCALE_NAMES.get(scale) ?? `${scale.toLocaleString('en-US', { maximumFractionDigits: 15 })} ×`} ${unit}`;
}

const SCALED_UNIT = /thousand|lakh|million|crore|billion|trillion|\b(?:mn|mln|bn|tn)\b/i;

const SCALE_NAMES: ReadonlyMap<number, string> = new Map([
  [1e3, 'thousand'],
  [1e5, 'lakh'],
  [1e6, 'million'],
  [1e7, 'crore'],
  [1e9, 'billion'],
  [1e12, 'trillion'],
]);

/** The checks of the figures of a record; bounds belong to the field, and changes to the comparison. */
function createCheck(check: NonNullable<ShippedDeclaration['checks']>[number]): ConsistencyCheck[] {
  const { sum, equals, atMost, tolerance, field } = check;
  if (!sum) return field && atMost ? [defineCheck('figure-above-other', field, [atMost])] : [];
  if (atMost !== undefined) return [defineCheck('list-above-total', atMost, sum)];
  const [list = ''] = sum;
  if (typeof equals !== 'string') return [defineCheck('shares-off-one', list, [])];
  const declared = defineCheck('parts-off-total', equals, sum);
  return [{ ...declared, ...(tolerance !== undefined && { tolerance }) }];
}
