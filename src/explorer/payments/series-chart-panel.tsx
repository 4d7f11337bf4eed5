import { useMemo } from 'preact/hooks';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { parseHidden } from '../breakdown/breakdown-components.ts';
import {
  AllHiddenState,
  ComponentLegend,
  SharedColorNote,
} from '../breakdown/component-legend.tsx';
import { usePeriodAxis } from '../breakdown/use-period-axis.ts';
import { ChartList } from '../charts/chart-list.tsx';
import { getLayoutMark } from '../charts/line-chart.tsx';
import { buildDifference } from '../comparison/build-comparison.ts';
import { Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { buildCorrectionNotes, type CorrectionList } from '../corrections/revision-corrections.ts';
import { listNames } from '../formatting/list-names.ts';
import { parseOption } from '../routing/parse-option.ts';
import { type ParamChanges, useViewRoute } from '../routing/view-route.tsx';
import {
  buildChartConfigs,
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
  return (
    <Panel
      title={title ?? MODE_TITLES[mode]}
      lead={describeChart(mode, series)}
      class="series-chart"
      tools={renderControls(
        series,
        title ? undefined : mode,
        parseOption(SCALE_OPTIONS, params.scale),
      )}
      exported={{ request, fileName: entry.name, chart: { title: entry.title } }}
    >
      <SeriesCharts title={entry.title} {...{ series, mode, corrections }} />
      <StatusNote series={series} />
    </Panel>
  );
}

/** Names the periods whose figures are provisional, estimated and so on, the newest first. */
function StatusNote({ series: { labels, records } }: Pick<SeriesPanelProps, 'series'>) {
  const marked = labels.flatMap((label, index) => {
    const status = describeStatus(records[index]);
    return status ? `${label} (${status})` : [];
  });
  if (marked.length === 0) return null;
  return <p class="help">Marked by the source: {listNames(marked.reverse())}</p>;
}

function renderControls(series: SeriesData, mode: ChartMode | undefined, scale: string) {
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
        <SegmentedControl label="Scale" options={SCALE_OPTIONS} value={scale} param="scale" />
      )}
    </>
  );
}

const SCALE_OPTIONS = { shared: 'One scale', own: 'Own scales' };

interface SeriesChartsProps extends Pick<SeriesPanelProps, 'series' | 'corrections'> {
  readonly title: string;
  readonly mode: ChartMode;
  /** Where figures are compared: the URL parameters without that of a key, unless it stays. */
  readonly getRemoval?: (key: string) => ParamChanges | undefined;
  readonly onRangeSelect?: (from: number, to: number) => void;
}

/** Charts of the same periods with a cursor that they share, and a legend. */
export function SeriesCharts(props: SeriesChartsProps) {
  const { series, mode, corrections, title, getRemoval, onRangeSelect } = props;
  const { records, components, kind } = series;
  const { params } = useViewRoute();
  const hidden = parseHidden(params.hide);
  const palette = getColoredComponents(series, mode);
  const axis = usePeriodAxis(series);
  // Not again for each point that the pointer passes.
  const charts = useMemo(() => {
    const isScaleShared = params.scale !== 'own';
    const configs = buildChartConfigs(series, { mode, isScaleShared, hidden, corrections });
    const shown = components.filter(({ key }) => !hidden.has(key));
    const difference = getRemoval && mode === 'amounts' ? buildDifference(shown) : [];
    const pointNotes = buildCorrectionNotes(corrections, series.labels);
    return [...configs, ...difference].map((config) => ({ ...config, pointNotes }));
  }, [series, mode, corrections, params.hide, params.scale]);
  const isSingle = charts.length === 1;
  return (
    <>
      <div>
        {kind !== 'multiples' && (
          <ComponentLegend
            components={palette.components}
            {...{ hidden, getRemoval }}
            mark={getLayoutMark(charts[0]?.layout ?? 'lines')}
          />
        )}
        {charts.length === 0 && <AllHiddenState />}
        <div class={isSingle ? undefined : getRemoval ? 'charts' : 'small-charts'}>
          <ChartList
            {...{ ...axis, title, charts, onRangeSelect }}
            labelNames={getRemoval && components.map((component) => component.title)}
            getPointLabel={(index) => {
              const status = records[index] ? describeStatus(records[index]) : 'not published';
              return [axis.getPointLabel(index), status].filter(Boolean).join(', ');
            }}
            height={isSingle ? 360 : getRemoval ? 240 : 170}
          />
        </div>
      </div>
      {kind !== 'multiples' && <SharedColorNote smallest={palette.smallest} />}
    </>
  );
}
