import type { FieldInfo } from '../api/types.ts';
import { computeChange } from '../breakdown/changes.ts';
import type { BreakdownComponent } from '../breakdown/component.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { ChangeValue, NumberCell } from '../components/number-cell.tsx';
import { Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { findLastCorrection, findLastRevision } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { Link } from '../routing/link.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import type { SeriesPanelProps } from './series-chart-panel.tsx';
import type { SeriesData } from './series-data.ts';

/** Every period with its figures or its changes on the year, newest first. */
export function SeriesTablePanel(shown: SeriesPanelProps) {
  const { entry, series, amendments: corrections } = shown;
  const { params } = useViewRoute();
  const { labels, records, periodsPerYear } = series;
  const isChanges = params.table === 'changes' && periodsPerYear !== undefined;
  const rows = [...labels.keys()].filter((index) => records[index]).reverse();
  const title = isChanges ? 'Changes on the year' : 'Figures';
  return (
    <Panel
      title={title}
      class="text-table"
      tools={
        <ExportMenu request={{ path: entry.path }} fileName={entry.name} title={entry.title} />
      }
    >
      {periodsPerYear !== undefined && (
        <div class="toolbar chart-controls">
          <SegmentedControl
            label="What the table holds"
            options={TABLE_CONTENT_OPTIONS}
            value={isChanges ? 'changes' : 'figures'}
            onChange={(key) => updateParams({ table: key === 'changes' ? key : undefined })}
          />
        </div>
      )}
      <DataTable
        caption={`${entry.title}, ${title.toLowerCase()}`}
        columns={createSeriesColumns(shown, isChanges)}
        rows={rows}
        getRowKey={(index) => labels[index] ?? ''}
        isHighlighted={(index) => findLastRevision(corrections, labels[index]) !== undefined}
      />
    </Panel>
  );
}

const TABLE_CONTENT_OPTIONS = [
  { key: 'figures', text: 'Figures' },
  { key: 'changes', text: 'Changes on the year' },
] as const;

/** Rows are places of the timeline. */
function createSeriesColumns(shown: SeriesPanelProps, isChanges: boolean): TableColumn<number>[] {
  const { entry, series } = shown;
  const { allComponents, total } = series;
  const fields = entry.fields.filter(({ name }) => name !== entry.period?.field);
  const columns = fields.flatMap((field): TableColumn<number>[] => {
    const components = allComponents.filter((component) => component.field === field.name);
    if (components.length > 0)
      return components.map((part) => createComponentColumn(part, shown, isChanges));
    return isChanges || field.kind === 'list' ? [] : [createTextColumn(field, series)];
  });
  const sum = total?.isComputed ? [createComponentColumn(total, shown, isChanges)] : [];
  return [createPeriodColumn(shown), ...sum, ...columns];
}

function createPeriodColumn({
  entry,
  series: { labels },
  amendments: corrections,
}: SeriesPanelProps): TableColumn<number> {
  const field = entry.fields.find(({ name }) => name === entry.period?.field);
  return {
    name: 'period',
    title: field?.meaning ?? 'Period',
    hint: field?.name,
    isText: true,
    renderCell(index) {
      const revision = findLastRevision(corrections, labels[index]);
      return (
        <>
          {labels[index]}
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
  component: BreakdownComponent,
  { series, amendments: corrections }: SeriesPanelProps,
  isChanges: boolean,
) {
  const { key, title, hint, measure, values } = component;
  const { labels, periodsPerYear = 1 } = series;
  const isSum = component === series.total && series.total.isComputed;
  const column: TableColumn<number> = {
    name: key,
    title: isSum ? `${title}, computed here` : title,
    hint,
    unit: isChanges ? undefined : getUnit(measure),
    renderCell: (index) =>
      isChanges ? (
        <ChangeValue
          value={computeChange(values[index], values[index - periodsPerYear], measure)}
          measure={measure}
        />
      ) : (
        <NumberCell
          value={values[index]}
          measure={measure}
          previous={findLastCorrection(corrections, labels[index], key)}
        />
      ),
  };
  return column;
}

/** A field that holds no figure: as it is. */
function createTextColumn(
  { name, meaning }: FieldInfo,
  { records }: SeriesData,
): TableColumn<number> {
  return {
    name,
    title: meaning,
    hint: name,
    isText: true,
    renderCell: (index) => String(records[index]?.[name] ?? NO_VALUE),
  };
}
