import { useMemo, useState } from 'preact/hooks';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQueries } from '../api/use-query.ts';
import { HUE_COLORS } from '../breakdown/breakdown-components.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type TableColumn,
} from '../components/data-table.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { NewestChange } from '../components/table-cells.tsx';
import { buildChartTable } from '../export/shown-table.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatWithUnit } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import {
  buildSeriesComparison,
  type ComparedFigure,
  type FigureReference,
  formatFigureReferences,
  SERIES_MODES,
  type SeriesComparison,
} from './series-comparison.ts';
import { buildSeriesData, getHeadline } from './series-data.ts';

interface SeriesComparisonPanelProps {
  readonly entries: readonly DatasetEntry[];
  /** The compared figures; those of unknown series are left out. */
  readonly names: readonly FigureReference[];
}

/** Figures of several series on one chart, with what they are. */
export function SeriesComparisonPanel({ entries, names }: SeriesComparisonPanelProps) {
  const { params } = useViewRoute();
  const mode = parseOption(SERIES_MODES, params.by);
  const { requests, query, figures } = useComparedFigures({ entries, names });
  const comparison = useMemo(() => buildSeriesComparison(figures, mode), [figures, mode]);
  if (requests.length === 0) {
    return (
      <EmptyState title="None of these series is known">Choose some of those below.</EmptyState>
    );
  }
  const title = figures.map((figure) => figure.title).join(' and ');
  return (
    <Panel
      title="Comparison"
      class="comparison-panel text-table"
      lead={describeMode(mode)}
      tools={
        <SegmentedControl label="What is drawn" options={SERIES_MODES} value={mode} param="by" />
      }
      exported={{
        fileName: 'comparison',
        chart: { title },
        chartRequests: requests,
        getTable: () => buildChartTable('Period to', comparison.days, comparison.charts),
      }}
    >
      <QueryView query={query} subject="the series">
        {() => (
          <>
            <div>
              <Legend
                items={figures.map((each) => ({ ...each, name: each.title, mark: 'line' }))}
              />
              <SeriesComparisonCharts comparison={comparison} title={title} />
            </div>
            <DataTable
              caption="What is compared"
              columns={createComparedColumns(names)}
              rows={figures}
              getRowKey={(figure) => figure.title}
            />
          </>
        )}
      </QueryView>
    </Panel>
  );
}

/** The figures, and the requests for their series. */
function useComparedFigures({ entries, names }: SeriesComparisonPanelProps) {
  const compared = names.flatMap((name) => {
    const entry = entries.find((each) => each.name === name.series);
    return entry ? [{ name, entry }] : [];
  });
  const requests = [...new Set(compared.map(({ entry }) => entry.path))].map((path) => ({ path }));
  const query = useQueries<readonly JsonRecord[]>(requests);
  const figures = useMemo(() => {
    const data = new Map(requests.map(({ path }, index) => [path, query.data?.[index]]));
    return buildFigures(compared, (path) => data.get(path) ?? []);
  }, [names, query.data]);
  return { requests, query, figures };
}

function describeMode(mode: keyof typeof SERIES_MODES): string {
  return mode === 'growth'
    ? 'Each figure against the same period a year before, at the end of the period.'
    : 'Each figure in percent of what it was in the first period that all have.';
}

function SeriesComparisonCharts(props: { comparison: SeriesComparison; title: string }) {
  const { days, xs, charts } = props.comparison;
  const [cursor, setCursor] = useState<number>();
  if (xs.length === 0) {
    return (
      <EmptyState title="There is nothing to draw">
        No period has figures that can be compared.
      </EmptyState>
    );
  }
  return charts.map(({ unit, lines }) => (
    <figure key={unit} class="chart-figure">
      <LineChart
        label={`${props.title}, ${unit}`}
        {...{ xs, lines, cursor }}
        yTitle={unit}
        layout="lines"
        labelNames={lines.map(({ name }) => name)}
        ticks={createDayTicks}
        format={(value) => formatNumber(value, 1)}
        getPointLabel={(index) => `Period to ${formatDayLabel(days[index] ?? '')}`}
        height={charts.length > 1 ? 220 : 340}
        onCursor={setCursor}
      />
    </figure>
  ));
}

function buildFigures(
  compared: readonly { readonly name: FigureReference; readonly entry: DatasetEntry }[],
  getRecords: (path: string) => readonly JsonRecord[],
): ComparedFigure[] {
  return compared.flatMap(({ name, entry }, index) => {
    const series = buildSeriesData(entry, getRecords(entry.path));
    const headline = getHeadline(series);
    const component = series.allComponents.find(({ key }) => key === name.key) ?? headline;
    if (!component) return [];
    const isMain = component === headline;
    return {
      name,
      title: isMain ? entry.title : `${entry.title}: ${component.title}`,
      colorIndex: HUE_COLORS[index % HUE_COLORS.length] ?? 1,
      series,
      component,
    };
  });
}

/** The compared figures, each of which can be exchanged for another of its series. */
function createComparedColumns(names: readonly FigureReference[]): TableColumn<ComparedFigure>[] {
  return [
    createTextColumn('series', 'Series', ({ title, colorIndex }) => (
      <span class={`class-label color-${colorIndex}`}>
        <Swatch {...{ colorIndex }} mark="line" />
        {title}
      </span>
    )),
    createTextColumn('figure', 'Figure', (row) => renderFigureSelect(row, names)),
    createColumn('newest', 'Newest', ({ component: { values, unitInfo }, series }) => (
      <>
        {formatWithUnit(values.at(-1), unitInfo)}
        <small class="previous-value">{series.labels.at(-1)}</small>
      </>
    )),
    createColumn('growth', 'On the year', ({ component, series }) => (
      <NewestChange component={component} step={series.periodsPerYear} />
    )),
  ];
}

function renderFigureSelect(row: ComparedFigure, names: readonly FigureReference[]) {
  const { title, series, component } = row;
  const options = [...(series.total?.isComputed ? [series.total] : []), ...series.allComponents];
  const setKey = (key: string) => {
    const isComputed = key === series.total?.key && series.total.isComputed;
    const next = names.map((name) =>
      name === row.name ? { ...name, key: isComputed ? undefined : key } : name,
    );
    updateParams({ compare: formatFigureReferences(next) });
  };
  return (
    <Select
      label={`Figure of ${title}`}
      options={options.map((option) => ({ key: option.key, text: option.title }))}
      value={component.key}
      onChange={setKey}
    />
  );
}
