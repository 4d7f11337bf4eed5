import { RESERVED_FIELDS } from '../../catalogue/declaration-problems.ts';
import { createDeclaredDataset } from '../../catalogue/model/create-dataset.ts';
import { type Declaration, MAX_TITLE_LENGTH } from '../../catalogue/model/declaration.ts';
import { PERIOD_TRAITS } from '../../catalogue/model/period-unit.ts';
import { removeAccents } from '../../shared/remove-accents.ts';
import { isTimeKind } from '../cell-kinds.ts';
import { toText } from '../find-header.ts';
import { type FileProfile, isSampled } from '../inspect-file.ts';
import { profileObjects } from '../json-shape.ts';
import { type ColumnProfile, hasFigures, shorten } from '../profile-column.ts';
import type { TimeColumn } from '../profile-table.ts';
import { createStart } from './create-start.ts';
import { findPeriod } from './find-period.ts';
import { findWideColumns, type WideColumns } from './find-wide-columns.ts';
import type { Start } from './start.ts';
import type { TriedTable } from './try-rows.ts';
import { findValueOptions } from './value-options.ts';
import { withComputedColumns } from './with-computed-columns.ts';

/** A draft declaration, and a draft mapping or adapter that loads the file into its dataset. */
export interface DeclarationStart {
  readonly declaration: Declaration;
  /** Undefined if the column with the periods is unknown. */
  readonly start: Start | undefined;
}

/** Marks what a file does not reveal; a declaration that still contains one is refused. */
const OPEN = '?';

/** What a person knows of a file. */
export interface DeclarationAnswers {
  readonly title?: string | undefined;
  readonly unit?: MeasureAnswer | undefined;
  readonly kind?: MeasureAnswer | undefined;
}

/** The answer for named measures, and for all others that leave it open. */
export interface MeasureAnswer {
  readonly byField: ReadonlyMap<string, string>;
  readonly others?: string | undefined;
}

/** Declares the contents of a file; undefined if nothing in it looks like a table with figures. */
export function createDeclaration(
  name: string,
  inspected: FileProfile,
  { title, unit, kind }: DeclarationAnswers = {},
): DeclarationStart | undefined {
  const file = withComputedColumns(inspected);
  const table = findTable(file);
  if (!table) return undefined;
  const wide = findWideColumns(table.columns, table.timeColumns ?? []);
  const period = wide?.period ? undefined : findPeriod(table);
  const { parts = [] } = period?.column ?? {};
  const others = table.columns.filter(
    (column) =>
      column !== period?.column && !wide?.columns.includes(column) && !parts.includes(column.name),
  );
  const figures = wide
    ? []
    : others.filter((column) => hasFigures(column) && isFigure(column, table));
  if (figures.length === 0 && !wide) return undefined;
  const status = others.find((column) => /^(?:obs_)?status$/i.test(column.name));
  const texts = others.filter((column) => !figures.includes(column) && column !== status);
  const dimensions = findDimensions(table, period?.column, texts);
  const toField = createNamer();
  const isFiscal = period && isFiscalPeriod(period.column);
  const periodField = period ? toField(namePeriod(period)) : wide?.period ? toField(wide) : OPEN;
  const spread = wide && !wide.period ? [declareSpread(wide, toField)] : [];
  const declared = [
    ...(dimensions?.map((column) => declareDimension(column, table, toField)) ?? [
      { field: OPEN, title: OPEN },
    ]),
    ...spread,
  ];
  const isOpen = period && dimensions && !isStable(table, period.column, dimensions);
  const measures = wide
    ? [
        {
          field: 'value',
          title: 'Value',
          unit: undefined,
          decimals: Math.max(...wide.columns.map((column) => countDecimals(table, column))),
        },
      ]
    : figures.map((column) => ({
        field: toField(column),
        title: column.name,
        unit: isPercentage(column) ? 'percent' : undefined,
        decimals: countDecimals(table, column),
        ...(column.blank === 0 && !isSampled(file) && { required: true }),
      }));
  const declaration = {
    name,
    title: title ?? shorten(table.title ?? OPEN),
    period: {
      kind: period?.kind ?? wide?.period?.kind ?? OPEN,
      field: periodField,
      ...(isFiscal && { yearStart: OPEN }),
    },
    ...(declared.length > 0 && { dimensions: declared }),
    measures: measures.map(({ field, title, unit: found, ...measure }) => ({
      field,
      title,
      unit: unit?.byField.get(field) ?? found ?? unit?.others ?? OPEN,
      kind: kind?.byField.get(field) ?? kind?.others ?? OPEN,
      ...measure,
    })),
    ...(status && { status: true }),
    ...((isOpen || hasRaggedColumns(wide)) && { coverage: 'open' }),
  } as unknown as Declaration;
  const isKnown = (period || wide?.period) && dimensions;
  const start = isKnown
    ? wide
      ? createWideStart(declaration, file, { table, wide, period: period?.column, dimensions })
      : createLoadStart(declaration, file)
    : undefined;
  return { declaration: JSON.parse(JSON.stringify(declaration), shortenTitle), start };
}

const namePeriod = ({ column, kind }: { column: ColumnProfile; kind: string }): NamedColumn =>
  column.parts ? { name: kind === 'day' ? 'date' : kind } : column;

/** Whether figures are percentages, as written or by the name of the column; fractions have no such name. */
const isPercentage = ({ kind, name, max = Infinity }: ColumnProfile) =>
  kind === 'percent' || (max > 1 && /%|percent|pct|yield/i.test(name));

/** The values of columns as codes, in the order of the file. */
function declareDimension(
  column: ColumnProfile,
  { dataRows, texts = [] }: NamedTable,
  toField: (column: NamedColumn) => string,
) {
  const values =
    texts[column.index] ?? new Set(dataRows.map(({ cells }) => toText(cells[column.index])));
  const codes = [...values].filter((value) => value !== '' && value.length <= MAX_CODE_LENGTH);
  return {
    field: toField(column),
    title: column.name,
    // Days, such as maturities, come and go.
    ...(values.size <= MAX_CODES &&
      !isTimeKind(column.kind) && {
        codes: Object.fromEntries(codes.map((code) => [code, code])),
      }),
  };
}

const MAX_CODES = 200;
const MAX_CODE_LENGTH = 200;

function declareSpread({ columns, name }: WideColumns, toField: (column: NamedColumn) => string) {
  const field = toField({ name });
  const title = name[0]?.toUpperCase() + name.slice(1);
  const codes = Object.fromEntries(columns.map((column) => [column.name, column.name]));
  return { field, title, ...(columns.length <= MAX_CODES && { codes }) };
}

/** Series of which some begin later, or end earlier, come and go. */
const hasRaggedColumns = (wide: WideColumns | undefined) =>
  wide?.columns.some(({ blank }) => blank > 0) === true;

/** Whether nearly every period has all series of the one before it. */
function isStable(
  { dataRows }: NamedTable,
  period: ColumnProfile,
  dimensions: readonly ColumnProfile[],
): boolean {
  const periods = Map.groupBy(dataRows, ({ cells }) => toText(cells[period.index]));
  const sets = [...periods.values()].map(
    (rows) =>
      new Set(
        rows.map(({ cells }) => dimensions.map(({ index }) => toText(cells[index])).join('\0')),
      ),
  );
  const changes = sets.slice(1).filter((set, index) => {
    const before = sets[index] ?? set;
    return before.size !== set.size || !set.isSubsetOf(before);
  });
  return changes.length <= MAX_CHANGED_SHARE * (sets.length - 1);
}

const MAX_CHANGED_SHARE = 0.02;

interface WideTable {
  readonly table: NamedTable;
  readonly wide: WideColumns;
  readonly period: ColumnProfile | undefined;
  readonly dimensions: readonly ColumnProfile[];
}

/** A mapping that makes a record of each cell. */
function createWideStart(
  declaration: Declaration,
  file: FileProfile,
  { table, wide, period, dimensions }: WideTable,
): Start {
  const measures = declaration.measures.map((measure) => ({ ...measure, kind: 'flow' as const }));
  const dataset = createDeclaredDataset({
    ...declaration,
    period: { ...declaration.period, ...('yearStart' in declaration.period && FISCAL) },
    measures,
  });
  const used = [...wide.columns, ...dimensions, ...(period ? [period] : [])];
  const { options, questions } = findValueOptions(used, dataset);
  const { periods, ...others } = options;
  const isConverted = wide.period ? wide.period.needsConversion : periods !== undefined;
  const keys = new Map<ColumnProfile, string>(
    dimensions.map((column, index) => [column, declaration.dimensions?.[index]?.field ?? OPEN]),
  );
  if (period) keys.set(period, declaration.period.field);
  const rest = table.columns.filter(
    (column) => column.name !== '' && !column.parts && !wide.columns.includes(column),
  );
  // New periods come with every file, and codes with some: the names of columns are values.
  const isList = !wide.period && rest.length > keys.size;
  const [header] = file.sheets.filter(({ columns }) => columns === table.columns);
  const headerRow = header?.headers[0]?.positions.at(-1);
  const mapping = {
    dataset: declaration.name,
    columns: Object.fromEntries(rest.map((column) => [column.name, keys.get(column) ?? null])),
    ...(period?.parts && { fields: { [declaration.period.field]: period.name } }),
    unpivot: {
      field: wide.period
        ? declaration.period.field
        : (declaration.dimensions?.at(-1)?.field ?? OPEN),
      measure: 'value',
      ...(isList && {
        columns: Object.fromEntries(wide.columns.map(({ name }) => [name, name])),
      }),
    },
    ...others,
    ...(isConverted && { periods: 'sbp' }),
    ...(header && header.name !== '' && file.sheets.length > 1 && { sheet: header.name }),
    ...(headerRow !== undefined && headerRow > 1 && { headerRow }),
  };
  const text = `${JSON.stringify(mapping, null, 2)}\n`;
  const empty = { reasons: [], missing: [], unused: NOTHING_UNUSED };
  return {
    kind: 'mapping',
    text,
    questions,
    notes: questions.map((each) => `To decide: ${each}.`),
    ...empty,
  };
}

const NOTHING_UNUSED = { sheets: [], objects: [], columns: [], rows: [] };

/** Columns are found by their complete names, for which titles may be too short. */
const shortenTitle = (key: string, value: string) =>
  key === 'title' ? shorten(value, MAX_TITLE_LENGTH) : value;

/** The draft does not depend on units and kinds. */
function createLoadStart(declaration: Declaration, file: FileProfile): Start | undefined {
  const measures = declaration.measures.map((measure) => ({ ...measure, kind: 'flow' as const }));
  const period = { ...declaration.period, ...('yearStart' in declaration.period && FISCAL) };
  return createStart(createDeclaredDataset({ ...declaration, period, measures }), file);
}

const FISCAL = { yearStart: 7 };

interface NamedTable extends TriedTable {
  readonly title?: string | undefined;
  readonly timeColumns?: readonly TimeColumn[];
  readonly texts?: readonly ReadonlySet<string>[];
}

type NamedColumn = Pick<ColumnProfile, 'name'>;

/** The requested sheet, or the one with the most rows; else objects of JSON. Tables without figures come last. */
function findTable({ sheet, sheets, shapes }: FileProfile): NamedTable | undefined {
  const tables: readonly NamedTable[] =
    shapes.length > 0
      ? shapes.map(profileObjects)
      : sheets
          .filter(({ name, headers }) => headers.length > 0 && [undefined, name].includes(sheet))
          .toSorted((a, b) => b.rowCount - a.rowCount)
          .map((largest) => ({ ...largest, title: largest.titles[0]?.text }));
  const hasTableFigures = (table: NamedTable) =>
    findWideColumns(table.columns, table.timeColumns ?? []) !== undefined ||
    table.columns.some((column) => hasFigures(column) && isFigure(column, table));
  return tables.find(hasTableFigures) ?? tables[0];
}

const isFiscalPeriod = ({ kind, examples }: ColumnProfile) =>
  isTimeKind(kind) &&
  PERIOD_TRAITS[kind].hasYearStart &&
  examples.some((text) => /FY|\d{4}-\d\d\b/i.test(text));

/** Codes may be numbers, too; with zeros in front they are, unless these are a few cells above the figures. */
function isFigure({ kind, name, index }: ColumnProfile, { dataRows }: NamedTable): boolean {
  const codes = dataRows.filter(({ cells }) => /^0\d+$/.test(toText(cells[index])));
  return (
    name !== '' &&
    codes.length <= (1 - NEARLY_ALL) * dataRows.length &&
    !/(?<!\p{L})(?:code|id|no)\.?$/iu.test(name) &&
    (kind === 'number' || kind === 'percent' || kind === 'year')
  );
}

const MAX_DIMENSIONS = 8;
/** If there are more columns of text, only the first ones are tried. */
const MAX_TRIED_COLUMNS = 10;

/**
 * The fewest columns of text that distinguish the rows of a period, else those that distinguish nearly all, as
 * in a file with a few faults; undefined if none do.
 */
function findDimensions(
  { dataRows }: NamedTable,
  period: ColumnProfile | undefined,
  texts: readonly ColumnProfile[],
): readonly ColumnProfile[] | undefined {
  const candidates = texts
    .filter(({ name, blank }) => name !== '' && blank === 0)
    .slice(0, MAX_TRIED_COLUMNS);
  const countKeys = (columns: readonly ColumnProfile[]) => {
    const indexes = [period, ...columns].flatMap((column) => column?.index ?? []);
    const keys = dataRows.map(({ cells }) => indexes.map((index) => toText(cells[index])));
    return new Set(keys.map((key) => key.join('\0'))).size;
  };
  let nearest: readonly ColumnProfile[] | undefined;
  let sets: (readonly ColumnProfile[])[] = [[]];
  for (let size = 0; size <= MAX_DIMENSIONS; size++) {
    const counts = new Map(sets.map((set) => [set, countKeys(set)]));
    const [best, count = 0] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
    if (count === dataRows.length) return best;
    if (count >= NEARLY_ALL * dataRows.length) nearest ??= best;
    sets = sets.flatMap((set) =>
      candidates
        .slice(candidates.indexOf(set.at(-1) as ColumnProfile) + 1)
        .map((column) => [...set, column]),
    );
  }
  return nearest;
}

const NEARLY_ALL = 0.95;

function countDecimals({ dataRows }: NamedTable, { index, decimal }: ColumnProfile): number {
  const pattern = decimal === ',' ? /,(\d+)\D*$/ : /\.(\d+)\D*$/;
  const counts = dataRows.map(({ cells }) => pattern.exec(toText(cells[index]))?.[1]?.length ?? 0);
  return Math.min(MAX_DECIMALS, Math.max(0, ...counts));
}

const MAX_DECIMALS = 15;

/** Names fields after columns, without repetition. */
function createNamer(): (column: NamedColumn) => string {
  const taken = new Set<string>(RESERVED_FIELDS);
  return ({ name }) => {
    const words = removeAccents(name).replace(/[^a-zA-Z0-9]+/g, '_');
    const plain = (/^[a-z]\w+$/.test(words) ? words : words.toLowerCase())
      .replace(/^[^a-z]+|_$/g, '')
      .slice(0, MAX_NAME_LENGTH);
    if (plain === '') return OPEN;
    const free = [
      plain,
      `${plain}_value`,
      ...Array.from(taken, (_, index) => `${plain}_${index + 2}`),
    ];
    const field = free.find((one) => !taken.has(one)) ?? OPEN;
    taken.add(field);
    return field;
  };
}

/** Leaves room for a suffix that makes it unique. */
const MAX_NAME_LENGTH = 30;
