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
  const { entry, series, amendments } = shown;
  const { at } = useViewRoute();
  const { labels, records, perYear } = series;
  const isChanges = at.table === 'changes' && perYear !== undefined;
  const rows = [...labels.keys()].filter((index) => records[index]).reverse();
  const title = isChanges ? 'Changes on the year' : 'Figures';
  return (
    <Panel
      title={title}
      class="worded"
      tools={<ExportMenu question={{ path: entry.path }} name={entry.name} title={entry.title} />}
    >
      {perYear !== undefined && (
        <div class="tools choosing">
          <SegmentedControl
            label="What the table holds"
            options={TABLE_CONTENT_OPTIONS}
            chosen={isChanges ? 'changes' : 'figures'}
            onChoose={(key) => updateParams({ table: key === 'changes' ? key : undefined })}
          />
        </div>
      )}
      <DataTable
        caption={`${entry.title}, ${title.toLowerCase()}`}
        columns={createSeriesColumns(shown, isChanges)}
        rows={rows}
        keyOf={(index) => labels[index] ?? ''}
        isMarked={(index) => findLastRevision(amendments, labels[index]) !== undefined}
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
  const { figures, whole } = series;
  const fields = entry.fields.filter(({ name }) => name !== entry.period?.field);
  const columns = fields.flatMap((field): TableColumn<number>[] => {
    const parts = figures.filter((part) => part.field === field.name);
    if (parts.length > 0) return parts.map((part) => createComponentColumn(part, shown, isChanges));
    return isChanges || field.kind === 'list' ? [] : [createTextColumn(field, series)];
  });
  const sum = whole?.isSum ? [createComponentColumn(whole, shown, isChanges)] : [];
  return [createPeriodColumn(shown), ...sum, ...columns];
}

function createPeriodColumn({
  entry,
  series: { labels },
  amendments,
}: SeriesPanelProps): TableColumn<number> {
  const field = entry.fields.find(({ name }) => name === entry.period?.field);
  return {
    name: 'period',
    title: field?.meaning ?? 'Period',
    hint: field?.name,
    isText: true,
    cell(index) {
      const revision = findLastRevision(amendments, labels[index]);
      return (
        <>
          {labels[index]}
          {revision !== undefined && (
            <small class="former">
              <Link to="ledger" at={{ revision: String(revision) }}>
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
  part: BreakdownComponent,
  { series, amendments }: SeriesPanelProps,
  isChanges: boolean,
) {
  const { key, title, hint, measure, values } = part;
  const { labels, perYear = 1 } = series;
  const isSum = part === series.whole && series.whole.isSum;
  const column: TableColumn<number> = {
    name: key,
    title: isSum ? `${title}, computed here` : title,
    hint,
    unit: isChanges ? undefined : getUnit(measure),
    cell: (index) =>
      isChanges ? (
        <ChangeValue
          value={computeChange(values[index], values[index - perYear], measure)}
          measure={measure}
        />
      ) : (
        <NumberCell
          value={values[index]}
          measure={measure}
          former={findLastCorrection(amendments, labels[index], key)}
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
    cell: (index) => String(records[index]?.[name] ?? NO_VALUE),
  };
}
