import type { Dataset, DatasetShape } from '../catalogue/model/dataset.ts';
import type { Fields } from '../catalogue/model/field.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { fieldsSchema, type JsonSchema } from '../catalogue/model/json-schema.ts';
import { isServedByName } from '../catalogue/model/observations.ts';
import { fundsOperation } from '../operations/funds/funds-operation.ts';
import { securitiesOperation } from '../operations/securities/securities-operation.ts';
import { quoteListItem } from '../shared/quoted-list.ts';
import { createObjectLayout, createTabularLayout, type TabularLayout } from '../tabular/layout.ts';
import { buildColumns, createRowMapper } from './columns.ts';
import { selectParameters, type Widget, type WidgetChart } from './widget.ts';

/** The table of a dataset. */
export function createDatasetWidget(dataset: Dataset): Widget {
  const { name, shape, title, description, scope, paths, period } = dataset;
  const layout = createLayout(dataset);
  const chart = findChart(dataset);
  return {
    // Publishers choose names, which may be those of other widgets.
    name: isServedByName(dataset) ? `datasets/${name}` : name,
    title,
    // Caveats are for Workspace's assistant, too.
    description: [description, ...dataset.notes].join(' '),
    dataset: name,
    scope,
    ...selectInputs(dataset),
    toTarget: (texts) => formatTarget(paths[0], texts),
    ...(!isFlat(layout, dataset) && { toRows: createRowMapper(layout) }),
    columns: buildColumns(layout, {
      leading: LEADING_COLUMNS[shape] ?? [],
      fields: dataset.fields,
      isDescribed: period !== undefined && findList(dataset.fields) === undefined,
    }),
    ...(chart && { chart }),
  };
}

/** Of a series whose fields are columns: a row is a period, not a key or a value of a dimension. */
function findChart({ fields, chart, period, declaration }: Dataset): WidgetChart | undefined {
  if (!chart || !period || findList(fields) || declaration?.dimensions?.length) return undefined;
  const type = chart.kind === 'stacked' ? 'stackedColumn' : 'line';
  return { type, columns: [period.field, ...chart.fields], isOverTime: true };
}

/** The choices of a user: of a declared dataset, a day in a period, and codes of dimensions. */
function selectInputs(dataset: Dataset): Pick<Widget, 'parameters' | 'options'> {
  const parameters = selectParameters(dataset.parameters);
  if (!isServedByName(dataset)) return { parameters };
  const withDays = Object.entries(parameters).map(([name, each]) =>
    PERIOD_PARAMETERS.includes(name) ? [name, { ...each, schema: DAY_SCHEMA }] : [name, each],
  );
  const { dimensions = [] } = dataset.declaration ?? {};
  const options = dimensions.map(({ field, codes = {} }) => [
    field,
    Object.entries(codes).map(([code, label]) => ({
      label: `${code}: ${label}`,
      value: quoteListItem(code),
    })),
  ]);
  return { parameters: Object.fromEntries(withDays), options: Object.fromEntries(options) };
}

const PERIOD_PARAMETERS = ['from', 'to'];
const DAY_SCHEMA = { type: 'string', format: 'date' };

/** The columns that a reader looks for first. */
const LEADING_COLUMNS: Readonly<Partial<Record<DatasetShape, readonly string[]>>> = {
  quotes: ['symbol', 'date'],
  fund: ['period', 'class', 'value'],
};

/** Reference data is served as a part of a list, which has more fields. */
const LIST_OPERATIONS = [securitiesOperation, fundsOperation];

function createLayout(dataset: Dataset): TabularLayout {
  if (dataset.shape === 'fund') return createTabularLayout(dataset, new Map());
  const list = LIST_OPERATIONS.find(({ path }) => path === dataset.paths[0]);
  if (list) return createObjectLayout(list.dataSchema.items as JsonSchema);
  return createObjectLayout(fieldsSchema(dataset.fields), findList(dataset.fields));
}

/** The list whose items are the rows of a table. */
function findList(fields: Fields): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.itemFields);
}

/** Whether a record is a row as it is. */
function isFlat({ columns }: TabularLayout, { shape, fields }: Dataset): boolean {
  if (shape === 'reference') return false;
  const names = Object.keys(fields);
  return (
    columns.length === names.length &&
    columns.every(({ name, type }, index) => name === names[index] && type !== 'boolean')
  );
}
