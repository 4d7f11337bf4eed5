import { RESERVED_FIELDS } from '../../catalogue/declaration-problems.ts';
import { createDeclaredDataset } from '../../catalogue/model/create-dataset.ts';
import { type Declaration, MAX_TITLE_LENGTH } from '../../catalogue/model/declaration.ts';
import { PERIOD_TRAITS } from '../../catalogue/model/period-unit.ts';
import { type CellKind, isTimeKind } from '../cell-kinds.ts';
import { toText } from '../find-header.ts';
import type { FileProfile } from '../inspect-file.ts';
import { profileObjects } from '../json-shape.ts';
import { type ColumnProfile, hasFigures, shorten } from '../profile-column.ts';
import { createStart } from './create-start.ts';
import type { Start } from './start.ts';
import type { TriedTable } from './try-rows.ts';

/** A draft declaration, and a draft mapping or adapter that loads the file into its dataset. */
export interface DeclarationStart {
  readonly declaration: Declaration;
  /** Undefined if the column with the periods is unknown. */
  readonly start: Start | undefined;
}

/** Marks what a file does not reveal; a declaration that still contains one is refused. */
const OPEN = '?';

/** Declares the contents of a file; undefined if nothing in it looks like a table with figures. */
export function createDeclaration(name: string, file: FileProfile): DeclarationStart | undefined {
  const table = findTable(file);
  const period = findPeriod(table?.columns ?? []);
  if (!table || (!period && table.hasPeriodsAcross)) return undefined;
  const others = table.columns.filter((column) => column !== period);
  const measures = others.filter((column) => hasFigures(column) && isFigure(column));
  if (measures.length === 0) return undefined;
  const status = others.find((column) => /^status$/i.test(column.name));
  const texts = others.filter((column) => !measures.includes(column) && column !== status);
  const dimensions = findDimensions(table, period, texts);
  const toField = createNamer();
  const declaration = {
    name,
    title: shorten(table.title ?? OPEN),
    period: {
      kind: period?.kind ?? OPEN,
      field: period ? toField(period) : OPEN,
      ...(period && isFiscalPeriod(period) && { yearStart: OPEN }),
    },
    ...(dimensions?.length !== 0 && {
      dimensions: dimensions?.map((column) => ({ field: toField(column), title: column.name })) ?? [
        { field: OPEN, title: OPEN },
      ],
    }),
    measures: measures.map((column) => ({
      field: toField(column),
      title: column.name,
      unit: column.kind === 'percent' ? 'percent' : OPEN,
      kind: OPEN,
      decimals: countDecimals(table, column),
    })),
    ...(status && { status: true }),
  } as unknown as Declaration;
  const start = period && dimensions ? createLoadStart(declaration, file) : undefined;
  return { declaration: JSON.parse(JSON.stringify(declaration), shortenTitle), start };
}

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
  readonly hasPeriodsAcross?: boolean;
}

/** The requested sheet, or the one with the most rows; else the objects of JSON. */
function findTable({ sheet, sheets, shapes }: FileProfile): NamedTable | undefined {
  const [shape] = shapes;
  if (shape) return profileObjects(shape);
  const [largest] = sheets
    .filter(({ name, headers }) => headers.length > 0 && [undefined, name].includes(sheet))
    .toSorted((a, b) => b.rowCount - a.rowCount);
  if (!largest) return undefined;
  const { titles, timeColumns } = largest;
  return { ...largest, title: titles[0]?.text, hasPeriodsAcross: timeColumns.length > 0 };
}

/** The first column with days or periods in every row; years may be numbers. */
const findPeriod = (columns: readonly ColumnProfile[]) =>
  columns.find(
    ({ kind, blank, name }) => isTimeKind(kind as CellKind) && blank === 0 && name !== '',
  );

const isFiscalPeriod = ({ kind, examples }: ColumnProfile) =>
  isTimeKind(kind) &&
  PERIOD_TRAITS[kind].hasYearStart &&
  examples.some((text) => /FY|\d{4}-\d\d\b/i.test(text));

/** Codes may be numbers, too. */
const isFigure = ({ kind, name }: ColumnProfile) =>
  name !== '' &&
  !/(?:^|[^a-z])(?:code|id|no)\.?$/i.test(name) &&
  (kind === 'number' || kind === 'percent' || kind === 'year');

const MAX_DIMENSIONS = 3;
/** If there are more columns of text, only the first ones are tried. */
const MAX_TRIED_COLUMNS = 10;

/** The fewest columns of text that distinguish the rows of a period; undefined if none do. */
function findDimensions(
  { dataRows }: NamedTable,
  period: ColumnProfile | undefined,
  texts: readonly ColumnProfile[],
): readonly ColumnProfile[] | undefined {
  const candidates = texts
    .filter(({ name, blank }) => name !== '' && blank === 0)
    .slice(0, MAX_TRIED_COLUMNS);
  const isUnique = (columns: readonly ColumnProfile[]) => {
    const indexes = [period, ...columns].flatMap((column) => column?.index ?? []);
    const keys = dataRows.map(({ cells }) => indexes.map((index) => toText(cells[index])));
    return new Set(keys.map((key) => key.join('\0'))).size === dataRows.length;
  };
  let sets: (readonly ColumnProfile[])[] = [[]];
  for (let size = 0; size <= MAX_DIMENSIONS; size++) {
    const found = sets.find(isUnique);
    if (found) return found;
    sets = sets.flatMap((set) =>
      candidates
        .slice(candidates.indexOf(set.at(-1) as ColumnProfile) + 1)
        .map((column) => [...set, column]),
    );
  }
  return undefined;
}

function countDecimals({ dataRows }: NamedTable, { index, decimal }: ColumnProfile): number {
  const pattern = decimal === ',' ? /,(\d+)\D*$/ : /\.(\d+)\D*$/;
  const counts = dataRows.map(({ cells }) => pattern.exec(toText(cells[index]))?.[1]?.length ?? 0);
  return Math.min(MAX_DECIMALS, Math.max(0, ...counts));
}

const MAX_DECIMALS = 15;

/** Names fields after columns, without repetition. */
function createNamer(): (column: ColumnProfile) => string {
  const taken = new Set<string>(RESERVED_FIELDS);
  return ({ name }) => {
    const words = name.normalize('NFKD').replace(/[^a-zA-Z0-9]+/g, '_');
    const plain = (/^[a-z]\w+$/.test(words) ? words : words.toLowerCase())
      .replace(/^[^a-z]+|_+$/g, '')
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
