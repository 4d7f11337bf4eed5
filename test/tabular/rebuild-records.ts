import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { FileCell } from '../../src/formats/file-contents.ts';
import type { Decoded } from './decode-formats.ts';

/** The records that a table tells of, read by its columns' names alone. */
export function recordsOf(dataset: Dataset, table: Decoded): AnyRecord[] {
  if (dataset.shape === 'fund') return fundOf(table);
  return table.rows.map((cells) => {
    const named = table.names.map((name, index): [string, FileCell] => [
      name,
      cells[index] ?? null,
    ]);
    const fields = Object.entries(dataset.fields).map(([field, { itemFields }]) => {
      const own = named.find(([name]) => name === field)?.[1];
      if (!itemFields) return [field, own];
      if (typeof own === 'string') return [field, JSON.parse(own)];
      const parts = named.filter(([name, value]) => name.startsWith(`${field}.`) && value !== null);
      return [field, parts.map(([name, value]) => ({ key: name.slice(field.length + 1), value }))];
    });
    return Object.fromEntries(fields);
  });
}

/** A table of CSV with numbers where the catalogue has some, and what disarms formulas undone. */
export function fromCsv(dataset: Dataset, { names, rows }: Decoded): Decoded {
  const plain = (text: string) => text.replace(/^'(?='*[=+\-@＝＋－＠])/, '');
  const isNumber = names.map((name, index) => {
    if (dataset.shape === 'fund') return index >= 2 && index < names.length - ABOUT.length;
    const field = dataset.fields[name];
    return field ? field.schema.type === 'number' || field.schema.type === 'integer' : true;
  });
  const typed = (cell: FileCell, index: number) => {
    if (typeof cell !== 'string') return cell;
    return isNumber[index] ? Number(cell) : plain(cell);
  };
  return { names: names.map(plain), rows: rows.map((cells) => cells.map(typed)) };
}

const ABOUT = ['fund_id', 'frequency', 'created', 'modified'];

/** A fund of at least one period, from its table of period by class. */
function fundOf({ names, rows }: Decoded): AnyRecord[] {
  const [first] = rows;
  if (!first) return [];
  const classes = names.slice(2, -ABOUT.length);
  const about = Object.fromEntries(ABOUT.map((name) => [name, first[names.lastIndexOf(name)]]));
  const fund = {
    fund_id: about.fund_id,
    created: about.created,
    modified: about.modified,
    frequency: about.frequency,
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
