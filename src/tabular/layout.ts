import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { Field, KeyedValue } from '../catalogue/model/field.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';

/** A column of a flat form: what a table has in the place of nested lists and objects. */
export interface TabularColumn {
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'day';
}

export type TabularCell = string | number | null;

/** Records as rows of cells: nested lists as `list.key`, a fund as a row for each class and period. */
export interface TabularLayout {
  readonly columns: readonly TabularColumn[];
  readonly toRows: (record: AnyRecord) => readonly (readonly TabularCell[])[];
}

/** The names of a dataset's lists of keyed values, which become a column for each key. */
export function keyedListNames({ fields }: Dataset): string[] {
  return Object.entries(fields).flatMap(([name, { itemFields }]) =>
    itemFields?.key && itemFields.value ? [name] : [],
  );
}

/** Every key of a list in an order that suits as many records as possible. */
export class KeyOrder {
  readonly keys: string[] = [];
  /** Whether every record has all of the keys, in this order. */
  isUniform = true;
  private readonly positions = new Map<string, number>();
  private hasRecords = false;

  /** Takes in the keys of one record; new ones go behind those that they follow there. */
  add(keys: readonly string[]): void {
    // As long as all records have the same keys, those are the ones that are known.
    if (this.hasRecords && !this.matches(keys)) this.isUniform = false;
    this.hasRecords = true;
    let behind = -1;
    for (const key of keys) {
      const known = this.positions.get(key);
      behind = known ?? behind + 1;
      if (known !== undefined) continue;
      this.keys.splice(behind, 0, key);
      for (const [index, each] of this.keys.entries()) this.positions.set(each, index);
    }
  }

  /** Whether the keys are all there are, in this order. */
  matches(keys: readonly string[]): boolean {
    return keys.length === this.keys.length && keys.every((key, index) => key === this.keys[index]);
  }
}

/** The flat form of a dataset, given the keys that its lists have. */
export function createTabularLayout(
  dataset: Dataset,
  orders: ReadonlyMap<string, KeyOrder>,
): TabularLayout {
  if (dataset.shape === 'fund') return createFundLayout();
  const parts = Object.entries(dataset.fields).map(([name, field]) => {
    const order = orders.get(name);
    return order ? createKeyedListColumns(name, field, order) : createScalarColumn(name, field);
  });
  return {
    columns: parts.flatMap(({ columns }) => columns),
    toRows(record) {
      const cells: TabularCell[] = [];
      for (const part of parts) part.appendCells(cells, record);
      return [cells];
    },
  };
}

interface ColumnGroup {
  readonly columns: readonly TabularColumn[];
  /** Adds the cells that a record has in these columns. */
  readonly appendCells: (cells: TabularCell[], record: AnyRecord) => void;
}

function createScalarColumn(name: string, field: Field): ColumnGroup {
  return {
    columns: [{ name, type: columnTypeFor(field.schema) }],
    appendCells: (cells, record) => cells.push(record[name] as TabularCell),
  };
}

function createKeyedListColumns(name: string, { itemFields }: Field, order: KeyOrder): ColumnGroup {
  const type = itemFields?.value ? columnTypeFor(itemFields.value.schema) : 'number';
  const { keys } = order;
  const columns = keys.map((key) => ({ name: `${name}.${key}`, type }));
  const spread = (cells: TabularCell[], list: readonly KeyedValue[]) => {
    const values = new Map(list.map(({ key, value }) => [key, value]));
    for (const key of keys) cells.push(values.get(key) ?? null);
  };
  if (order.isUniform && keys.length > 0) {
    return { columns, appendCells: (cells, record) => spread(cells, record[name] as KeyedValue[]) };
  }
  return {
    // A blank cell does not say whether a key is absent, nor do columns say another order: behind
    // them comes the list itself, where a record needs it.
    columns: [...columns, { name, type: 'text' }],
    appendCells(cells, record) {
      const list = record[name] as readonly KeyedValue[];
      const isPlain = list.length > 0 && order.matches(list.map(({ key }) => key));
      spread(cells, list);
      cells.push(isPlain ? null : JSON.stringify(list));
    },
  };
}

const FUND_COLUMNS: readonly TabularColumn[] = [
  { name: 'fund_id', type: 'text' },
  { name: 'created', type: 'text' },
  { name: 'modified', type: 'text' },
  { name: 'frequency', type: 'text' },
  { name: 'period', type: 'text' },
  { name: 'date', type: 'day' },
  { name: 'class', type: 'text' },
  { name: 'value', type: 'number' },
];

interface FundContent {
  readonly periods: readonly { readonly label: string; readonly date: string }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

/** A row for each class in each period; what has no classes, or no periods, still has its row. */
function createFundLayout(): TabularLayout {
  return {
    columns: FUND_COLUMNS,
    toRows(record) {
      const { fund_id, created, modified, frequency } = record as Record<string, string>;
      const { periods, rows } = record as unknown as FundContent;
      const about = [fund_id, created, modified, frequency] as string[];
      if (periods.length === 0) {
        const classes = rows.length === 0 ? [null] : rows.map(({ label }) => label);
        return classes.map((label) => [...about, null, null, label, null]);
      }
      return periods.flatMap(({ label, date }, index) =>
        rows.length === 0
          ? [[...about, label, date, null, null]]
          : rows.map((row) => [...about, label, date, row.label, row.values[index] ?? null]),
      );
    },
  };
}

const PERIOD_COLUMNS: readonly TabularColumn[] = [
  { name: 'period', type: 'text' },
  { name: 'date', type: 'day' },
];
const FUND_ATTRIBUTE_COLUMNS = ['fund_id', 'frequency', 'created', 'modified'];
const RESERVED_COLUMN_NAME = new RegExp(
  `^(rows\\.)*(${['period', 'date', ...FUND_ATTRIBUTE_COLUMNS].join('|')})$`,
);

/** A fund as a table of period by class, given the classes: what people read, and plot. */
export function createPeriodByClassLayout(classes: readonly string[]): TabularLayout {
  const values = classes.map((label): TabularColumn => {
    // Two columns must not share a name, whatever a class is called.
    return { name: RESERVED_COLUMN_NAME.test(label) ? `rows.${label}` : label, type: 'number' };
  });
  const about = FUND_ATTRIBUTE_COLUMNS.map((name): TabularColumn => ({ name, type: 'text' }));
  return {
    columns: [...PERIOD_COLUMNS, ...values, ...about],
    toRows(record) {
      const { periods, rows } = record as unknown as FundContent;
      const known = new Map(rows.map((row) => [row.label, row.values]));
      return periods.map(({ label, date }, index) => [
        label,
        date,
        ...classes.map((name) => known.get(name)?.[index] ?? null),
        ...FUND_ATTRIBUTE_COLUMNS.map((name) => record[name] as string),
      ]);
    },
  };
}

/** What a column holds that has values of this schema. */
export function columnTypeFor({ type, format }: JsonSchema): TabularColumn['type'] {
  if (format === 'date') return 'day';
  if (type === 'integer') return 'integer';
  return type === 'number' ? 'number' : 'text';
}
