import { type BreakdownComponent, formatPercent } from '../breakdown/breakdown-components.ts';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type TableColumn,
} from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { ChangeValue, NewestChange, NumberCell } from '../components/table-cells.tsx';
import { findLastCorrection, findLastRevision } from '../corrections/revision-corrections.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { Link, useViewRoute } from '../routing/view-route.tsx';
import { getChartModes } from './chart-configs.ts';
import type { SeriesPanelProps } from './series-chart-panel.tsx';
import { listUnits, type SeriesData } from './series-data.ts';

/** Every period with its figures or its year-on-year changes, newest first. */
export function SeriesTablePanel(props: SeriesPanelProps) {
  const { entry, request, series, corrections } = props;
  const { params } = useViewRoute();
  const { labels, records } = series;
  const content = parseOption(TABLE_TITLES, params.table);
  // A row is an index of the timeline.
  const rows = [...labels.keys()].filter((index) => records[index]).reverse();
  const columns = createSeriesColumns(props, content === 'changes');
  const title = TABLE_TITLES[content];
  return (
    <Panel
      title={title}
      class="text-table"
      tools={
        <SegmentedControl
          label="What the table holds"
          options={TABLE_TITLES}
          value={content}
          param="table"
        />
      }
      exported={{ request, fileName: entry.name }}
    >
      <DataTable
        caption={`${entry.title}, ${title.toLowerCase()}`}
        {...{ columns, rows }}
        getRowKey={(index) => labels[index] ?? ''}
        isHighlighted={(index) => findLastRevision(corrections, labels[index]) !== undefined}
      />
    </Panel>
  );
}

const TABLE_TITLES = { figures: 'Figures', changes: 'Year-on-year changes' };

function createSeriesColumns(props: SeriesPanelProps, isChanges: boolean): TableColumn<number>[] {
  const { entry, series } = props;
  const { allComponents, total, records } = series;
  const createColumn = (component: BreakdownComponent) =>
    createComponentColumn(component, props, isChanges);
  const fields = entry.fields.filter(({ name }) => name !== entry.period?.field);
  const columns = fields.flatMap(({ name, kind, meaning }): TableColumn<number>[] => {
    const components = allComponents.filter((component) => component.field === name);
    if (components.length > 0) return components.map(createColumn);
    if (isChanges || kind === 'list') return [];
    const renderCell = (index: number) => String(records[index]?.[name] ?? NO_VALUE);
    return [{ name, title: meaning, hint: name, isText: true, renderCell }];
  });
  const sum = total?.isComputed
    ? [createColumn({ ...total, title: `${total.title}, computed here` })]
    : [];
  return [createPeriodColumn(props), ...sum, ...columns];
}

function createPeriodColumn(props: SeriesPanelProps): TableColumn<number> {
  const { entry, series, corrections } = props;
  const field = entry.fields.find(({ name }) => name === entry.period?.field);
  return {
    name: 'period',
    title: field?.meaning ?? 'Period',
    hint: field?.name,
    isText: true,
    renderCell(index) {
      const label = series.labels[index];
      const revision = findLastRevision(corrections, label);
      return (
        <>
          {label}
          {revision !== undefined && (
            <small class="previous-value">
              <Link view="ledger" params={{ revision: String(revision) }}>
                corrected
              </Link>
            </small>
          )}
        </>
      );
    },
  };
}

function createComponentColumn(
  { key, title, hint, unitInfo, values }: BreakdownComponent,
  { series, corrections }: SeriesPanelProps,
  isChanges: boolean,
): TableColumn<number> {
  const { labels, periodsPerYear } = series;
  const renderFigure = (index: number) => {
    const previous = findLastCorrection(corrections, labels[index], key);
    return <NumberCell value={values[index]} unitInfo={unitInfo} previous={previous} />;
  };
  const renderChange = (index: number) => {
    const earlier = values[index - periodsPerYear];
    return <ChangeValue later={values[index]} earlier={earlier} unitInfo={unitInfo} />;
  };
  const column = { name: key, title, hint };
  return isChanges
    ? { ...column, renderCell: renderChange }
    : { ...column, unit: getUnit(unitInfo), renderCell: renderFigure };
}

/** The figures of the newest period, by component. */
export function LatestPeriodPanel({ series }: { readonly series: SeriesData }) {
  const { components, total, labels } = series;
  const title = `${labels.at(-1)} in figures`;
  return (
    <Panel title={title} class="text-table narrow">
      <DataTable
        caption={`${title}, by component`}
        columns={createComponentColumns(series)}
        rows={total ? [total, ...components] : components}
        getRowKey={({ key }) => key}
        isHighlighted={(component) => component === total}
      />
    </Panel>
  );
}

function createComponentColumns(series: SeriesData): TableColumn<BreakdownComponent>[] {
  const { total, periodsPerYear, periodNoun, allComponents } = series;
  const units = listUnits(allComponents);
  const columns: TableColumn<BreakdownComponent>[] = [
    createTextColumn('component', 'Component', ({ title, hint }) => (
      <span title={hint}>{title}</span>
    )),
    {
      name: 'figure',
      title: 'Figure',
      unit: units.length === 1 ? units[0] : undefined,
      renderCell: ({ values, unitInfo }) => (
        <>
          <NumberCell value={values.at(-1)} unitInfo={unitInfo} />
          {units.length > 1 && <small class="previous-value">{getUnit(unitInfo)}</small>}
        </>
      ),
    },
  ];
  if (getChartModes(series).includes('share')) {
    columns.push({
      name: 'share',
      title: 'Share',
      unit: total?.isComputed ? 'of the sum' : 'of the total',
      renderCell: ({ values }) => formatShare(values.at(-1), total?.values.at(-1)),
    });
  }
  columns.push(createChangeColumn('On the year', periodsPerYear));
  if (periodsPerYear !== 1) columns.push(createChangeColumn(`On the ${periodNoun} before`, 1));
  return columns;
}

function createChangeColumn(title: string, step: number): TableColumn<BreakdownComponent> {
  return createColumn(`change ${step}`, title, (component) => (
    <NewestChange component={component} step={step} />
  ));
}

function formatShare(value: number | undefined, total: number | undefined): string {
  return value === undefined || !total ? NO_VALUE : formatPercent((value / total) * 100);
}
