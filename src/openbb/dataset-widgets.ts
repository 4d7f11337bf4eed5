import type { Dataset, DatasetShape } from '../catalogue/model/dataset.ts';
import type { Fields } from '../catalogue/model/field.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { fieldsSchema, type JsonSchema } from '../catalogue/model/json-schema.ts';
import { fundsOperation, securitiesOperation } from '../catalogue/operations/discovery.ts';
import { createObjectLayout, createTabularLayout, type TabularLayout } from '../tabular/layout.ts';
import { buildColumns, createRowMapper } from './columns.ts';
import { buildTimeline } from './figures/timeline.ts';
import { buildTimelineFigure } from './figures/timeline-figure.ts';
import { type ChartWidget, selectParameters, type Widget } from './widget.ts';

/** The table of a dataset, and its chart if it has one. */
export function createDatasetWidgets(dataset: Dataset): Widget[] {
  const { name, shape, title, description, scope, paths, chart, period } = dataset;
  const layout = createLayout(dataset);
  const mapper = isFlat(layout, dataset) ? {} : { toRows: createRowMapper(layout) };
  const source = {
    // Caveats are for Workspace's assistant, too.
    description: [description, ...dataset.notes].join(' '),
    dataset: name,
    scope,
    parameters: selectParameters(dataset.parameters),
    toTarget: (texts: Readonly<Record<string, string>>) => formatTarget(paths[0], texts),
    ...mapper,
  };
  const columns = buildColumns(layout, {
    leading: LEADING_COLUMNS[shape] ?? [],
    isDescribed: period !== undefined && findList(dataset.fields) === undefined,
  });
  const table = { ...source, name, title: `${title}: table`, columns };
  // Quotes are drawn by widgets of their own.
  if (!chart || chart.kind === 'curve') return [table];
  const buildFigure: ChartWidget['buildFigure'] = (records, theme) =>
    buildTimelineFigure(chart.kind, buildTimeline(dataset, records), theme);
  return [{ ...source, name: `${name}-chart`, title, buildFigure }, table];
}

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
