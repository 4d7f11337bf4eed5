import { useMemo, useState } from 'preact/hooks';
import { DAY_MS } from '../../shared/calendar.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { parseHidden } from '../breakdown/breakdown-components.ts';
import {
  AllHiddenState,
  ComponentLegend,
  SharedColorNote,
} from '../breakdown/component-legend.tsx';
import type { PeriodTimeline } from '../breakdown/period-timeline.ts';
import { getLayoutMark, LineChart } from '../charts/line-chart.tsx';
import { createDayTicks, createPeriodTicks } from '../charts/ticks.ts';
import { Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { buildCorrectionNotes, type CorrectionList } from '../corrections/revision-corrections.ts';
import { listNames } from '../formatting/list-names.ts';
import { useViewRoute } from '../routing/view-route.tsx';
import {
  buildChartConfigs,
  type ChartConfig,
  type ChartMode,
  describeChart,
  getChartModes,
  getColoredComponents,
  MODE_TITLES,
  parseChartMode,
} from './chart-configs.ts';
import { describeStatus, type SeriesData } from './series-data.ts';

export interface SeriesPanelProps {
  readonly entry: DatasetEntry;
  /** The request for the records of the series. */
  readonly request: ApiRequest;
  readonly series: SeriesData;
  readonly corrections: CorrectionList;
  /** What the service has made of the figures; undefined where they are as published. */
  readonly title?: string | undefined;
}

/** The charts of a series, in the mode that the visitor chose. */
export function SeriesChartPanel(props: SeriesPanelProps) {
  const { entry, request, series, corrections, title } = props;
  const { params } = useViewRoute();
  const mode = title ? 'amounts' : parseChartMode(series, params.mode);
  const isScaleShared = params.scale !== 'own';
  const hidden = parseHidden(params.hide);
  const palette = getColoredComponents(series, mode);
  const configs = buildChartConfigs(series, { mode, isScaleShared, hidden, corrections });
  const hasLegend = series.kind !== 'multiples';
  return (
    <Panel
      title={title ?? MODE_TITLES[mode]}
      lead={describeChart(mode, series)}
      class="series-chart"
      tools={renderControls(series, title ? undefined : mode, isScaleShared)}
      exported={{
        request,
        fileName: entry.name,
        chart: { title: entry.title },
      }}
    >
      <div>
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
      <StatusNote series={series} />
    </Panel>
  );
}

/** Names the newest periods whose figures are provisional, estimated and so on. */
function StatusNote({ series: { labels, records } }: Pick<SeriesPanelProps, 'series'>) {
  const marked = labels
    .flatMap((label, index) => ({ label, status: describeStatus(records[index]) }))
    .filter(({ status }) => status !== undefined)
    .reverse();
  return Array.from(
    Map.groupBy(marked, ({ status }) => status),
    ([status = '', group]) => (
      <p key={status} class="help">
        {status.charAt(0).toUpperCase() + status.slice(1)}:{' '}
        {listNames(group.map(({ label }) => label))}
      </p>
    ),
  );
}

function renderControls(series: SeriesData, mode: ChartMode | undefined, isScaleShared: boolean) {
  const modes = getChartModes(series).map((key) => [key, MODE_TITLES[key]]);
  return (
    <>
      {mode && (
        <SegmentedControl
          label="What is drawn"
          options={Object.fromEntries(modes)}
          value={mode}
          param="mode"
        />
      )}
      {series.kind === 'multiples' && (
        <SegmentedControl
          label="Scale"
          options={SCALE_OPTIONS}
          value={isScaleShared ? 'shared' : 'own'}
          param="scale"
        />
      )}
    </>
  );
}

const SCALE_OPTIONS = { shared: 'One scale', own: 'Own scales' };

/** The axis of periods, of which the labels of days and weeks are too long. */
export function usePeriodAxis(timeline: Omit<PeriodTimeline, 'records'>) {
  return useMemo(() => {
    const { ordinals, labels, lastDays, periodsPerYear } = timeline;
    const [first = 0] = ordinals;
    const getLabel = (ordinal: number) => labels[ordinal - first] ?? '';
    return periodsPerYear >= 52
      ? { xs: lastDays.map((day) => day * DAY_MS), ticks: createDayTicks }
      : { xs: ordinals, ticks: createPeriodTicks(getLabel, periodsPerYear) };
  }, [timeline.labels]);
}

interface SeriesChartsProps extends Pick<SeriesPanelProps, 'series' | 'corrections'> {
  readonly configs: readonly ChartConfig[];
  readonly title: string;
}

function SeriesCharts({ series, configs, corrections, title }: SeriesChartsProps) {
  const { labels, records } = series;
  const [cursor, setCursor] = useState<number>();
  const axis = usePeriodAxis(series);
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
            {...axis}
            getPointLabel={(index) => {
              const suffix = records[index] ? tooltipUnit : 'not published';
              const status = describeStatus(records[index]);
              return [labels[index], suffix, status].filter(Boolean).join(', ');
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
