import { fundAllocation } from '../catalogue/datasets/fund-allocation.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../catalogue/model/dataset.ts';
import type { Field, Fields, KeyedValue } from '../catalogue/model/field.ts';
import { getRepeatedSchemas, hasType, type JsonSchema } from '../catalogue/model/json-schema.ts';
import type { FileCell, OutputColumn } from '../formats/file-contents.ts';
import { KeyOrder, type KeyOrders } from './key-order.ts';

/** A column of a table without nested lists or objects. */
export type TabularColumn = OutputColumn;
export type TabularCell = FileCell;

/** Records as rows of cells: nested lists as `list.key`, a fund as a row for each class and period. */
export interface TabularLayout {
  readonly columns: readonly TabularColumn[];
  readonly toRows: (record: AnyRecord) => readonly (readonly TabularCell[])[];
}

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

interface ColumnGroup extends Pick<TabularLayout, 'columns'> {
  readonly appendCells: (cells: TabularCell[], record: AnyRecord) => void;
}

function createColumn(name: string, { schema, description, unit, decimals }: Field): TabularColumn {
  const figure = { ...(unit !== undefined && { unit }), ...(decimals && { decimals }) };
  return { name, type: columnTypeFor(schema), description, ...figure };
}

function createScalarColumn(name: string, field: Field): ColumnGroup {
  return {
    columns: [createColumn(name, field)],
    appendCells: (cells, record) => cells.push(toCell(record[name])),
  };
}

function createKeyedListColumns(name: string, list: Field, order: KeyOrder): ColumnGroup {
  const { value } = list.itemFields as Fields;
  const { keys } = order;
  const columns = keys.map((key) => ({
    ...createColumn(`${name}.${key}`, value as Field),
    description: `${list.description}: ${key}`,
  }));
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
    // A blank cell does not say whether the key is absent, and columns do not give the order of a list: the
    // last column has the list itself, for records that differ from the common order.
    columns: [...columns, { name, type: 'text', description: `${list.description}, as JSON` }],
    appendCells(cells, record) {
      const list = record[name] as readonly KeyedValue[];
      const isRegular = list.length > 0 && order.matches(list.map(({ key }) => key));
      appendValues(cells, list);
      cells.push(isRegular ? null : JSON.stringify(list));
    },
  };
}

/**
 * The layout of objects with this schema; nested objects become columns `outer.inner`. If there is a list of
 * rows, each of its items is a row, between the object's fields before the list and those after it.
 */
export function createObjectLayout(schema: JsonSchema, rowList?: string): TabularLayout {
  if (rowList !== undefined) return createRowListLayout(schema, rowList);
  const leaves = collectLeafColumns(schema);
  return {
    columns: leaves.map(({ path, ...column }) => ({ name: path.join('.'), ...column })),
    toRows: (record) => [leaves.map(({ path }) => getNestedCell(record, path))],
  };
}

function createRowListLayout(schema: JsonSchema, rowList: string): TabularLayout {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const { before, after } = getRepeatedSchemas(properties, rowList);
  const first = createObjectLayout({ properties: before });
  const last = createObjectLayout({ properties: after });
  const items = createObjectLayout(properties[rowList]?.items as JsonSchema);
  return {
    columns: [...first.columns, ...items.columns, ...last.columns],
    toRows(record) {
      const [firstCells = []] = first.toRows(record);
      const [lastCells = []] = last.toRows(record);
      const rows = (record[rowList] as readonly AnyRecord[]).flatMap(items.toRows);
      // An object without items still gets a row.
      const emptyRow = items.columns.map(() => null);
      return (rows.length === 0 ? [emptyRow] : rows).map((row) => [
        ...firstCells,
        ...row,
        ...lastCells,
      ]);
    },
  };
}

function collectLeafColumns(
  schema: JsonSchema,
  path: readonly string[] = [],
): (Omit<TabularColumn, 'name'> & { path: readonly string[] })[] {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties) {
    const { description, unit } = schema;
    const texts = Object.entries({ description, unit }).filter(
      ([, text]) => typeof text === 'string',
    );
    return [{ path, type: columnTypeFor(schema), ...Object.fromEntries(texts) }];
  }
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
  return toCell(value);
}

/** Cells cannot hold booleans, lists or objects: these become text. */
function toCell(value: unknown): TabularCell {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'boolean' ? String(value) : ((value ?? null) as TabularCell);
}

function columnTypeFor({ type, format }: JsonSchema): TabularColumn['type'] {
  if (format === 'date') return 'day';
  return TYPED_COLUMNS.find((name) => hasType(type, name)) ?? 'text';
}

const TYPED_COLUMNS = ['integer', 'number', 'boolean'] as const;

type Fund = DatasetRecord<typeof fundAllocation>;

const FUND_FIELDS = fundAllocation.fields;
const { label: PERIOD_LABEL, date: PERIOD_DATE } = FUND_FIELDS.periods.itemFields as Fields;
const { label: CLASS_LABEL, values: CLASS_VALUES } = FUND_FIELDS.rows.itemFields as Fields;

const PERIOD_COLUMNS: readonly TabularColumn[] = [
  createColumn('period', PERIOD_LABEL as Field),
  createColumn('date', PERIOD_DATE as Field),
];
const ATTRIBUTES = ['fund_id', 'frequency', 'created', 'modified'] as const;

const attributeColumn = (name: (typeof ATTRIBUTES)[number]) =>
  createColumn(name, FUND_FIELDS[name]);

const shareColumn = (name: string, description: string): TabularColumn => {
  const { unit } = CLASS_VALUES as Field;
  return { name, type: 'number', description, ...(unit !== undefined && { unit }) };
};

/** A row for each class in each period; a fund without classes or periods still gets a row. */
const FUND_LAYOUT: TabularLayout = {
  columns: [
    ...(['fund_id', 'created', 'modified', 'frequency'] as const).map(attributeColumn),
    ...PERIOD_COLUMNS,
    createColumn('class', CLASS_LABEL as Field),
    shareColumn('value', 'Share of assets'),
  ],
  toRows(record) {
    const { fund_id, created, modified, frequency, periods, rows } = record as Fund;
    const attributes = [fund_id, created, modified, frequency];
    if (periods.length === 0) {
      const classes = rows.length === 0 ? [null] : rows.map(({ label }) => label);
      return classes.map((label) => [...attributes, null, null, label, null]);
    }
    return periods.flatMap(({ label, date }, index) =>
      rows.length === 0
        ? [[...attributes, label, date, null, null]]
        : rows.map((row) => [...attributes, label, date, row.label, row.values[index] ?? null]),
    );
  },
};

const RESERVED_COLUMN_NAME = new RegExp(
  `^(rows\\.)*(${['period', 'date', ...ATTRIBUTES].join('|')})$`,
);

/** A row for each period and a column for each class of the funds, as people read and plot them. */
export function createPeriodByClassLayout(funds: readonly AnyRecord[]): TabularLayout {
  const classOrder = new KeyOrder();
  for (const { rows } of funds as readonly Fund[]) classOrder.add(rows.map(({ label }) => label));
  const classes = classOrder.keys;
  // Column names must be unique, whatever the classes are called.
  const classNames = classes.map((label) =>
    RESERVED_COLUMN_NAME.test(label) ? `rows.${label}` : label,
  );
  return {
    columns: [
      ...PERIOD_COLUMNS,
      ...classNames.map((name, index) => shareColumn(name, `Share of assets: ${classes[index]}`)),
      ...ATTRIBUTES.map(attributeColumn),
    ],
    toRows(record) {
      const fund = record as Fund;
      const valuesByClass = new Map(fund.rows.map((row) => [row.label, row.values]));
      return fund.periods.map(({ label, date }, index) => [
        label,
        date,
        ...classes.map((name) => valuesByClass.get(name)?.[index] ?? null),
        ...ATTRIBUTES.map((name) => fund[name]),
      ]);
    },
  };
}
