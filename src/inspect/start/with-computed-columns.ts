import type { FileCell } from '../../formats/read-contents.ts';
import { isTimePart } from '../cell-kinds.ts';
import { toText } from '../find-header.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import { type JsonShape, profileObjects, toFileCell } from '../json-shape.ts';
import { type ColumnProfile, profileColumn } from '../profile-column.ts';

/** A field expression as the name of a column, and the names of the columns that it takes. */
interface Computed {
  readonly name: string;
  readonly parts: readonly string[];
}

/**
 * Adds columns that a file does not have as such: a period from the columns of its year and of its month or
 * quarter, the day in the name of the file, and the names of objects in JSON.
 */
export function withComputedColumns(file: FileProfile): FileProfile {
  return {
    ...file,
    sheets: file.sheets.map((sheet) => {
      const computed = findComputed(sheet.columns, file, sheet.dataRows.length);
      return computed ? addToSheet(sheet, computed, file) : sheet;
    }),
    shapes: file.shapes.map(addKeys).map((shape) => {
      const computed = findComputed(profileObjects(shape).columns, file, shape.objects.length);
      return computed ? addToShape(shape, computed, file) : shape;
    }),
  };
}

const FILE_DATE = 'file.date';

function findComputed(
  columns: readonly ColumnProfile[],
  { day }: FileProfile,
  rowCount: number,
): Computed | undefined {
  const complete = columns.filter(({ name, blank }) => name !== '' && blank === 0);
  const hasKind = (kinds: readonly string[]) => complete.some(({ kind }) => kinds.includes(kind));
  if (hasKind(['month', 'quarter', 'week'])) return undefined;
  const joined = findJoined(complete);
  if (joined && !hasKind(['day'])) return joined;
  // A day in a table with one row for each name is a property of what is named, such as its maturity.
  const isKey = ({ kind, distinct }: ColumnProfile) =>
    (kind === 'text' || kind === 'isin') && distinct === rowCount;
  const isUndated = !hasKind(['day', 'year']) || (rowCount > 1 && complete.some(isKey));
  return day !== undefined && isUndated ? { name: `{${FILE_DATE}}`, parts: [] } : undefined;
}

/** The columns of a year, and of its months or quarters by their names or numbers. */
function findJoined(columns: readonly ColumnProfile[]): Computed | undefined {
  const [year, ...otherYears] = columns.filter(({ kind }) => kind === 'year');
  if (!year || otherYears.length > 0) return undefined;
  for (const part of columns) {
    const { name, kind, examples, min = 0, max = Infinity } = part;
    const parts = [name, year.name];
    const isNamed = kind === 'text' && examples.every(isTimePart);
    const isNumber = kind === 'number' && min >= 1;
    if (isNamed) return { name: `{${name}} {${year.name}}`, parts };
    if (isNumber && max <= 12 && /^(?:month|mon|mes|monat|mois)s?$/i.test(name))
      return { name: `{${year.name}}M{${name}}`, parts };
    if (isNumber && max <= 4 && /^(?:quarter|qtr|quartal|trimestre)s?$/i.test(name))
      return { name: `Q{${name}} {${year.name}}`, parts };
  }
  return undefined;
}

function compute(
  { name }: Computed,
  file: FileProfile,
  readCell: (column: string) => unknown,
): FileCell {
  return name.replaceAll(/\{([^{}]+)\}/g, (_, column: string) =>
    column === FILE_DATE ? (file.day ?? '') : toText(toFileCell(readCell(column))),
  );
}

function addToSheet(sheet: SheetProfile, computed: Computed, file: FileProfile): SheetProfile {
  const { columns, width } = sheet;
  const dataRows = sheet.dataRows.map(({ position, cells }) => {
    const readCell = (column: string) => cells[columns.findIndex(({ name }) => name === column)];
    return { position, cells: [...pad(cells, width), compute(computed, file, readCell)] };
  });
  const cells = dataRows.map(({ cells }) => cells[width]);
  const column = { ...profileColumn(computed.name, width, cells), parts: computed.parts };
  return { ...sheet, dataRows, columns: [...columns, column] };
}

const pad = (cells: readonly FileCell[], width: number) =>
  Array.from({ length: width }, (_, index) => cells[index] ?? null);

function addToShape(shape: JsonShape, { name, parts }: Computed, file: FileProfile): JsonShape {
  const values = shape.objects.map((object) =>
    compute({ name, parts }, file, (column) => object[column]),
  );
  return addMember(shape, name, values, { parts });
}

/** The names that stand for `*` as members, called after the list or object that has them. */
function addKeys(shape: JsonShape): JsonShape {
  const segments = shape.path.split('.');
  const levels = segments.flatMap((segment, index) => (segment === '*' ? index : []));
  return levels.reduce((added, at, key) => {
    const names = shape.keys[key] ?? [];
    const name = segments[at - 1] ?? 'key';
    if (/^\d+$/.test(names[0] ?? '0') || name === '*' || added.names.includes(name)) return added;
    const values = shape.objectKeys.map((keys) => keys[key]);
    return addMember(added, name, values, { key });
  }, shape);
}

const addMember = (
  shape: JsonShape,
  name: string,
  values: readonly unknown[],
  traits: Pick<ColumnProfile, 'parts' | 'key'>,
): JsonShape => ({
  ...shape,
  names: [...shape.names, name],
  added: { ...shape.added, [name]: traits },
  objects: shape.objects.map((object, index) => ({ ...object, [name]: values[index] })),
});
