import type { Dataset, DatasetShape } from '../catalogue/model/dataset.ts';
import type { Fields } from '../catalogue/model/field.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { fieldsSchema, type JsonSchema } from '../catalogue/model/json-schema.ts';
import { isServedByName } from '../catalogue/model/observations.ts';
import type { Parameters } from '../catalogue/model/parameter.ts';
import { TRANSFORM_PARAMETERS } from '../catalogue/model/transform-parameters.ts';
import { fundsOperation, securitiesOperation } from '../operations/catalogue/discovery.ts';
import { createObjectLayout, createTabularLayout, type TabularLayout } from '../tabular/layout.ts';
import { buildColumns, createRowMapper } from './columns.ts';
import { buildTimeline } from './figures/timeline.ts';
import { buildTimelineFigure } from './figures/timeline-figure.ts';
import { type ChartWidget, type ParameterTexts, selectParameters, type Widget } from './widget.ts';

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
    ...selectInputs(dataset),
    toTarget: (texts: ParameterTexts) => formatTarget(paths[0], texts),
    ...mapper,
  };
  const columns = buildColumns(layout, {
    leading: LEADING_COLUMNS[shape] ?? [],
    isDescribed: period !== undefined && findList(dataset.fields) === undefined,
  });
  const isDeclared = isServedByName(dataset);
  // Publishers choose names, which may be those of other widgets.
  const tableName = isDeclared ? `datasets/${name}` : name;
  const table = { ...source, name: tableName, title: `${title}: table`, columns };
  // Quotes are drawn by widgets of their own.
  if (!chart || chart.kind === 'curve') return [table];
  const buildFigure: ChartWidget['buildFigure'] = (records, theme) =>
    buildTimelineFigure(chart.kind, buildTimeline(dataset, records), theme);
  if (!isDeclared) return [{ ...source, name: `${name}-chart`, title, buildFigure }, table];
  // Its periods and units are those of the dataset.
  const parameters = omit(source.parameters, ['limit', ...Object.keys(TRANSFORM_PARAMETERS)]);
  const toTarget = (texts: ParameterTexts) => source.toTarget({ ...texts, limit: MAX_DRAWN });
  return [
    { ...source, name: `${tableName}/chart`, title, parameters, toTarget, buildFigure },
    table,
  ];
}

function omit(parameters: Parameters, names: readonly string[]): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));
}

/** The newest records, of all values of dimensions together. */
const MAX_DRAWN = '2600';

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
    Object.entries(codes).map(([value, label]) => ({ label: `${value}: ${label}`, value })),
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
