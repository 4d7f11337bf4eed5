import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { FileCell } from '../../src/formats/file-contents.ts';
import type { Decoded } from './decode-formats.ts';

/** Rebuilds records from a table by its column names. */
export function rebuildRecords(dataset: Dataset, table: Decoded): AnyRecord[] {
  if (dataset.shape === 'fund') return rebuildFund(table);
  return table.rows.map((cells) => {
    const namedCells = table.names.map((name, index): [string, FileCell] => [
      name,
      cells[index] ?? null,
    ]);
    const fields = Object.entries(dataset.fields).map(([field, { itemFields, kind, schema }]) => {
      const cell = namedCells.find(([name]) => name === field)?.[1];
      // CSV and spreadsheets have booleans as text.
      if (schema.type === 'boolean' && typeof cell === 'string')
        return [field, /^true$/i.test(cell)];
      if (kind === 'json' && schema.type !== 'string' && typeof cell === 'string')
        return [field, JSON.parse(cell)];
      if (!itemFields) return [field, cell];
      if (typeof cell === 'string') return [field, JSON.parse(cell)];
      const items = namedCells.filter(
        ([name, value]) => name.startsWith(`${field}.`) && value !== null,
      );
      return [field, items.map(([name, value]) => ({ key: name.slice(field.length + 1), value }))];
    });
    return Object.fromEntries(fields);
  });
}

/** Converts CSV cells to numbers as the catalogue declares, and unescapes formulas. */
export function fromCsv(dataset: Dataset, { names, rows }: Decoded): Decoded {
  const unescapeFormula = (text: string) => text.replace(/^'(?='*[=+\-@＝＋－＠])/, '');
  const isNumber = names.map((name, index) => {
    if (dataset.shape === 'fund') return index >= 2 && index < names.length - ATTRIBUTES.length;
    const field = dataset.fields[name];
    return field ? field.schema.type === 'number' || field.schema.type === 'integer' : true;
  });
  const toTypedCell = (cell: FileCell, index: number) => {
    if (typeof cell !== 'string') return cell;
    return isNumber[index] ? Number(cell) : unescapeFormula(cell);
  };
  return { names: names.map(unescapeFormula), rows: rows.map((cells) => cells.map(toTypedCell)) };
}

const ATTRIBUTES = ['fund_id', 'frequency', 'created', 'modified'];

/** Rebuilds a fund with at least one period from its table of period by class. */
function rebuildFund({ names, rows }: Decoded): AnyRecord[] {
  const [first] = rows;
  if (!first) return [];
  const classes = names.slice(2, -ATTRIBUTES.length);
  const attributes = Object.fromEntries(
    ATTRIBUTES.map((name) => [name, first[names.lastIndexOf(name)]]),
  );
  const fund = {
    ...attributes,
    periods: rows.map(([label, date]) => ({ label, date })),
    rows: classes.map((name, index) => ({
      label: name.replace(
        /^rows\.(?=(?:rows\.)*(?:period|date|fund_id|frequency|created|modified)$)/,
        '',
      ),
      values: rows.map((cells) => cells[index + 2]),
    })),
  };
  return [fund];
}
