import { useMemo, useRef, useState } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import { type BreakdownComponent, parseHidden } from '../breakdown/breakdown-components.ts';
import {
  AllHiddenState,
  ComponentLegend,
  SharedColorNote,
} from '../breakdown/component-legend.tsx';
import { getLayoutMark, LineChart } from '../charts/line-chart.tsx';
import { createPeriodTicks } from '../charts/ticks.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { ChangeValue, NumberCell } from '../components/table-cells.tsx';
import {
  buildCorrectionNotes,
  findLastCorrection,
  findLastRevision,
  type RevisionCorrections,
} from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { Link, updateParams, useViewRoute } from '../routing/view-route.tsx';
import {
  buildChartConfigs,
  type ChartConfig,
  type ChartMode,
  describeChart,
  getChartModes,
  getColoredComponents,
  getModeTitle,
} from './chart-configs.ts';
import type { SeriesData } from './series-data.ts';

export interface SeriesPanelProps {
  readonly entry: DatasetEntry;
  readonly series: SeriesData;
  readonly corrections: readonly RevisionCorrections[];
}

/** The charts of a series, in the mode that the visitor chose. */
export function SeriesChartPanel({ entry, series, corrections }: SeriesPanelProps) {
  const { params } = useViewRoute();
  const chartRef = useRef<HTMLDivElement>(null);
  const mode = getChartModes(series).find((each) => each === params.mode) ?? 'amounts';
  const isScaleShared = params.scale !== 'own';
  const hidden = parseHidden(params.hide);
  const palette = getColoredComponents(series, mode);
  const configs = buildChartConfigs(series, { mode, isScaleShared, hidden, corrections });
  const hasLegend = series.kind !== 'multiples';
  return (
    <Panel
      title={getModeTitle(mode, series)}
      lead={describeChart(mode, series, isScaleShared)}
      class="series-chart"
      tools={
        <ExportMenu
          request={{ path: entry.path }}
          fileName={entry.name}
          chart={{ ref: chartRef, title: entry.title }}
        />
      }
    >
      {renderControls(series, mode, isScaleShared)}
      <div ref={chartRef}>
        {hasLegend && (
          <ComponentLegend
            components={palette.components}
            hidden={hidden}
            mark={getLayoutMark(configs[0]?.layout ?? 'lines')}
          />
        )}
        <SeriesCharts title={entry.title} {...{ series, configs, corrections }} />
      </div>
      {hasLegend && <SharedColorNote smallest={palette.smallest} />}
    </Panel>
  );
}

function renderControls(series: SeriesData, mode: ChartMode, isScaleShared: boolean) {
  return (
    <div class="toolbar chart-controls">
      <SegmentedControl
        label="What is drawn"
        options={getChartModes(series).map((key) => ({ key, text: getModeTitle(key, series) }))}
        value={mode}
        onChange={(key) => updateParams({ mode: key === 'amounts' ? undefined : key })}
      />
      {series.kind === 'multiples' && (
        <SegmentedControl
          label="Scale"
          options={SCALE_OPTIONS}
          value={isScaleShared ? 'shared' : 'own'}
          onChange={(key) => updateParams({ scale: key === 'own' ? key : undefined })}
        />
      )}
    </div>
  );
}

const SCALE_OPTIONS = [
  { key: 'shared', text: 'One scale' },
  { key: 'own', text: 'Own scales' },
] as const;

interface SeriesChartsProps extends Pick<SeriesPanelProps, 'series' | 'corrections'> {
  readonly configs: readonly ChartConfig[];
  readonly title: string;
}

function SeriesCharts({ series, configs, corrections, title }: SeriesChartsProps) {
  const { ordinals, labels, records, periodsPerYear } = series;
  const [cursor, setCursor] = useState<number>();
  const first = ordinals[0] ?? 0;
  const ticks = useMemo(
    () => createPeriodTicks((ordinal) => labels[ordinal - first] ?? '', periodsPerYear),
    [labels, first, periodsPerYear],
  );
  const pointNotes = buildCorrectionNotes(corrections, labels);
  if (configs.length === 0) return <AllHiddenState />;
  const isSingle = configs.length === 1;
  return (
    <div class={isSingle ? undefined : 'small-charts'}>
      {configs.map(({ heading, unit, tooltipUnit, ...config }) => (
        <figure key={heading ?? unit} class="chart-figure" data-heading={heading}>
          {heading && (
            <figcaption>
              <h3>{heading}</h3>
            </figcaption>
          )}
          <LineChart
            {...config}
            label={[title, heading, unit].filter(Boolean).join(', ')}
            yTitle={unit === heading ? undefined : unit}
            xs={ordinals}
            ticks={ticks}
            getPointLabel={(index) => {
              const suffix = records[index] ? tooltipUnit : 'not published';
              return [labels[index], suffix].filter(Boolean).join(', ');
            }}
            pointNotes={pointNotes}
            height={isSingle ? 360 : 170}
            cursor={cursor}
            onCursor={setCursor}
          />
        </figure>
      ))}
    </div>
  );
}

/** Every period with its figures or its year-on-year changes, newest first. */
export function SeriesTablePanel(props: SeriesPanelProps) {
  const { entry, series, corrections } = props;
  const { params } = useViewRoute();
  const { labels, records } = series;
  const isChanges = params.table === 'changes';
  // A row is an index of the timeline.
  const rows = [...labels.keys()].filter((index) => records[index]).reverse();
  const title = isChanges ? 'Year-on-year changes' : 'Figures';
  return (
    <Panel
      title={title}
      class="text-table"
      tools={<ExportMenu request={{ path: entry.path }} fileName={entry.name} />}
    >
      <div class="toolbar chart-controls">
        <SegmentedControl
          label="What the table holds"
          options={TABLE_CONTENT_OPTIONS}
          value={isChanges ? 'changes' : 'figures'}
          onChange={(key) => updateParams({ table: key === 'changes' ? key : undefined })}
        />
      </div>
      <DataTable
        caption={`${entry.title}, ${title.toLowerCase()}`}
        columns={createSeriesColumns(props, isChanges)}
        rows={rows}
        getRowKey={(index) => labels[index] ?? ''}
        isHighlighted={(index) => findLastRevision(corrections, labels[index]) !== undefined}
      />
    </Panel>
  );
}

const TABLE_CONTENT_OPTIONS = [
  { key: 'figures', text: 'Figures' },
  { key: 'changes', text: 'Year-on-year changes' },
] as const;

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
