import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { Field, KeyedValue } from '../catalogue/model/field.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import { FUND_LAYOUT } from './fund-layout.ts';
import type { KeyOrder, KeyOrders } from './key-order.ts';
import type { TabularCell, TabularColumn, TabularLayout } from './tabular-layout.ts';

/** The layout of a dataset whose lists have these keys. */
export function createTabularLayout(dataset: Dataset, orders: KeyOrders): TabularLayout {
  if (dataset.shape === 'fund') return FUND_LAYOUT;
  const groups = Object.entries(dataset.fields).map(([name, field]) => {
    const order = orders.get(name);
    return order ? createKeyedListColumns(name, field, order) : createScalarColumn(name, field);
  });
  return {
    columns: groups.flatMap(({ columns }) => columns),
    toRows(record) {
      const cells: TabularCell[] = [];
      for (const group of groups) group.appendCells(cells, record);
      return [cells];
    },
  };
}

interface ColumnGroup {
  readonly columns: readonly TabularColumn[];
  /** Appends the cells of a record in these columns. */
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
  const appendValues = (cells: TabularCell[], list: readonly KeyedValue[]) => {
    const values = new Map(list.map(({ key, value }) => [key, value]));
    for (const key of keys) cells.push(values.get(key) ?? null);
  };
  if (order.isUniform && keys.length > 0) {
    const appendCells: ColumnGroup['appendCells'] = (cells, record) =>
      appendValues(cells, record[name] as KeyedValue[]);
    return { columns, appendCells };
  }
  return {
    // A blank cell does not say whether the key is absent, and columns do not say the order of a
    // list: the last column has the list itself, for records that differ.
    columns: [...columns, { name, type: 'text' }],
    appendCells(cells, record) {
      const list = record[name] as readonly KeyedValue[];
      const isRegular = list.length > 0 && order.matches(list.map(({ key }) => key));
      appendValues(cells, list);
      cells.push(isRegular ? null : JSON.stringify(list));
    },
  };
}

/** The layout of objects with this schema; nested objects are columns `outer.inner`. */
export function createObjectLayout(schema: JsonSchema): TabularLayout {
  const leaves = collectLeafColumns(schema, []);
  return {
    columns: leaves.map(({ path, type }) => ({ name: path.join('.'), type })),
    toRows: (record) => [leaves.map(({ path }) => getNestedCell(record, path))],
  };
}

interface LeafColumn {
  readonly path: readonly string[];
  readonly type: TabularColumn['type'];
}

function collectLeafColumns(schema: JsonSchema, path: readonly string[]): LeafColumn[] {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties) return [{ path, type: columnTypeFor(schema) }];
  return Object.entries(properties).flatMap(([name, property]) =>
    collectLeafColumns(property, [...path, name]),
  );
}

/** Null if an object on the path is null. */
function getNestedCell(record: AnyRecord, path: readonly string[]): TabularCell {
  const value = path.reduce<unknown>(
    (parent, name) => (parent as AnyRecord | null)?.[name],
    record,
  );
  return (value ?? null) as TabularCell;
}

function columnTypeFor({ type, format }: JsonSchema): TabularColumn['type'] {
  if (format === 'date') return 'day';
  if (type === 'integer') return 'integer';
  return type === 'number' ? 'number' : 'text';
}
