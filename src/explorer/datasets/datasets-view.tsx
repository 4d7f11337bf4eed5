import { useMemo } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { SparklineChart } from '../charts/chart-layers.tsx';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { ChangeValue } from '../components/table-cells.tsx';
import { formatPeriodLabel } from '../formatting/dates.ts';
import { formatFigure, formatNumber, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import { buildChartConfigs, type ChartOptions } from '../series/chart-configs.ts';
import { buildSeriesData, describeHeadline, getHeadline } from '../series/series-data.ts';
import { createSeriesRequest, isDeclared } from './dimensions.ts';
import {
  type FigureReference,
  formatFigureReferences,
  parseFigureReferences,
} from './series-comparison.ts';
import { SeriesComparisonPanel } from './series-comparison-panel.tsx';
import { SeriesPage } from './series-page.tsx';

/** The overview of all payment series, or one of them in full. */
export function DatasetsView() {
  const { catalogue } = useExplorer();
  const { params } = useViewRoute();
  const names = useMemo(() => parseFigureReferences(params.compare), [params.compare]);
  const entries = catalogue.filter(({ shape }) => shape === 'series');
  const [declared = [], shipped = []] = [true, false].map((expected) =>
    entries.filter((each) => isDeclared(each) === expected),
  );
  const emptyCount = shipped.length - shipped.filter(hasFigures).length;
  const entry = entries.find(({ name }) => name === params.series);
  // The key keeps the data of one series from appearing under the name of another.
  if (entry) return <SeriesPage key={entry.name} entry={entry} entries={entries} />;
  return (
    <>
      <h1>{shipped.length > 0 ? 'Payments' : 'Datasets'}</h1>
      {params.series !== undefined && (
        <EmptyState title={`There is no series “${params.series}”`}>
          Choose one of those below, or <ViewLink view="payments">show all series</ViewLink>.
        </EmptyState>
      )}
      {names.length > 0 && <SeriesComparisonPanel entries={entries} names={names} />}
      <div class="cards">
        {shipped.filter(hasFigures).map((series) => (
          <SeriesCard key={series.name} entry={series} names={names} />
        ))}
      </div>
      {emptyCount > 0 && <p class="help">{emptyCount} more series have no figures yet.</p>}
      {declared.length > 0 && <DeclaredDatasets entries={declared} />}
    </>
  );
}

const hasFigures = ({ coverage }: DatasetEntry) => coverage.count > 0;

/** There may be a thousand, so nothing is requested for them here. */
function DeclaredDatasets({ entries }: { readonly entries: readonly DatasetEntry[] }) {
  return (
    <Panel title="Datasets of the publisher" class="text-table">
      <DataTable
        caption="Datasets with their periods"
        columns={DECLARED_COLUMNS}
        rows={entries}
        getRowKey={({ name }) => name}
      />
    </Panel>
  );
}

const DECLARED_COLUMNS = [
  createTextColumn<DatasetEntry>('dataset', 'Dataset', (entry) => (
    <>
      <ViewLink view="payments" params={{ series: entry.name }}>
        {entry.title}
      </ViewLink>
      <small class="previous-value">
        {[entry.name, formatCoverage(entry)].filter(Boolean).join(': ')}
      </small>
      <LateNote entry={entry} />
    </>
  )),
  createColumn<DatasetEntry>('records', 'Records', ({ coverage }) =>
    formatNumber(coverage.count, 0),
  ),
];

/** `1 Jan 2026 to 30 Jun 2026`; empty without any periods. */
function formatCoverage({ coverage: { first, last } }: DatasetEntry): string {
  return [first, last].flatMap((period) => (period ? formatPeriodLabel(period) : [])).join(' to ');
}

function SeriesCard({ entry, names }: { entry: DatasetEntry; names: readonly FigureReference[] }) {
  const query = useQuery<readonly JsonRecord[]>(createSeriesRequest(entry));
  const others = names.filter(({ series }) => series !== entry.name);
  const isCompared = others.length < names.length;
  const toggle = () => {
    const next = isCompared ? others : [...names, { series: entry.name, key: undefined }];
    updateParams({ compare: formatFigureReferences(next) });
  };
  return (
    <article class="card">
      <h2>
        <ViewLink view="payments" params={{ series: entry.name }}>
          {entry.title}
        </ViewLink>
      </h2>
      <QueryView query={query} subject="its figures">
        {(records) => renderSummary(entry, records)}
      </QueryView>
      <label class="compare">
        <input
          type="checkbox"
          aria-label={`Compare ${entry.title}`}
          checked={isCompared}
          onChange={toggle}
        />{' '}
        Compare
      </label>
    </article>
  );
}

const DEFAULT_CHART_OPTIONS: ChartOptions = {
  mode: 'amounts',
  isScaleShared: true,
  hidden: new Set(),
  corrections: [],
};

function renderSummary(entry: DatasetEntry, records: readonly JsonRecord[]) {
  const series = buildSeriesData(entry, records);
  // The first chart, which is that of the total if there is one.
  const [config] = buildChartConfigs(series, DEFAULT_CHART_OPTIONS);
  const headline = getHeadline(series);
  if (!headline || !config) return null;
  const { values, unitInfo } = headline;
  const earlier = series.getYearBefore(values, values.length - 1);
  const isTotal = series.kind === 'multiples';
  const lines = isTotal ? config.lines.map((line) => ({ ...line, colorIndex: 1 })) : config.lines;
  return (
    <>
      <p class="series-summary">
        <span>
          <b>{formatFigure(values.at(-1), unitInfo)}</b> {getUnit(unitInfo)}
        </span>
        <span>
          <ChangeValue later={values.at(-1)} earlier={earlier} unitInfo={unitInfo} />{' '}
          <small>on the year</small>
        </span>
      </p>
      <SparklineChart xs={series.ordinals} lines={lines} layout={config.layout} />
      <p class="muted">
        {describeHeadline(series, headline)}, {series.labels.at(-1)}
      </p>
      <LateNote entry={entry} />
    </>
  );
}
