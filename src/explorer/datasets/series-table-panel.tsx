import { DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { ChangeValue, NumberCell } from '../components/table-cells.tsx';
import { findLastCorrection, findLastRevision } from '../corrections/revision-corrections.ts';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatPeriodLabel } from '../formatting/dates.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { useViewRoute, ViewLink } from '../routing/view-route.tsx';
import type { BreakdownComponent } from '../series/breakdown-components.ts';
import { parseChartMode } from '../series/chart-configs.ts';
import { describeStatus } from '../series/series-data.ts';
import { createFileName, type SeriesPanelProps } from './series-chart-panel.tsx';

/** Every period, newest first, with the figures that the chart shows, or their changes on the year. */
export function SeriesTablePanel(props: SeriesPanelProps) {
  const { shownTitle, request, series, corrections } = props;
  const { params } = useViewRoute();
  const { labels, records } = series;
  const isChanges = !props.title && parseChartMode(series, params.mode) === 'change';
  // A row is an index of the timeline.
  const rows = [...labels.keys()].filter((index) => records[index]).reverse();
  const columns = createSeriesColumns(props, isChanges);
  const title = isChanges ? 'Year-on-year changes' : 'Figures';
  return (
    <ExportPanel
      title={title}
      class="text-table"
      exported={{ request, fileName: createFileName(props) }}
    >
      <DataTable
        caption={`${shownTitle}, ${title.toLowerCase()}`}
        columns={columns}
        rows={rows}
        getRowKey={(index) => labels[index] ?? ''}
        isHighlighted={(index) => findLastRevision(corrections, labels[index]) !== undefined}
      />
    </ExportPanel>
  );
}

function createSeriesColumns(
  props: SeriesPanelProps,
  isChanges: boolean,
): DataTableColumn<number>[] {
  const { entry, series } = props;
  const { allComponents, total, records } = series;
  const createColumn = (component: BreakdownComponent) =>
    createComponentColumn(component, props, isChanges);
  // Fields that are equal in all rows, or empty, are no columns; the status is beside the period.
  const fields = entry.fields.filter(({ name }) => !entry.key.includes(name) && name !== 'status');
  const columns = fields.flatMap(({ name, kind, meaning }): DataTableColumn<number>[] => {
    const components = allComponents.filter((component) => component.field === name);
    if (components.length > 0) return components.map(createColumn);
    if (isChanges || kind === 'list' || !records.some((record) => record?.[name])) return [];
    const renderCell = (index: number) => String(records[index]?.[name] ?? NO_VALUE);
    return [{ name, title: meaning, hint: name, isText: true, renderCell }];
  });
  const sum = total?.isComputed
    ? [createColumn({ ...total, title: `${total.title}, computed here` })]
    : [];
  return [createPeriodColumn(props), ...sum, ...columns];
}

function createPeriodColumn(props: SeriesPanelProps): DataTableColumn<number> {
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
      const status = describeStatus(series.records[index]);
      return (
        <>
          {formatPeriodLabel(series.names?.[index] ?? label ?? '')}
          {status && <small class="previous-value">{status}</small>}
          {revision !== undefined && (
            <small class="previous-value">
              <ViewLink view="ledger" params={{ revision: String(revision) }}>
                corrected
              </ViewLink>
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
): DataTableColumn<number> {
  const { labels, getYearBefore } = series;
  const renderFigure = (index: number) => {
    const previous = findLastCorrection(corrections, labels[index], key);
    return <NumberCell value={values[index]} unitInfo={unitInfo} previous={previous} />;
  };
  const renderChange = (index: number) => {
    const earlier = getYearBefore(values, index);
    return <ChangeValue later={values[index]} earlier={earlier} unitInfo={unitInfo} />;
  };
  const column = { name: key, title, hint };
  return isChanges
    ? { ...column, renderCell: renderChange }
    : { ...column, unit: getUnit(unitInfo), renderCell: renderFigure };
}
