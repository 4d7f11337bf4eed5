import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import type { CorrectionList } from '../corrections/revision-corrections.ts';
import { ExportPanel } from '../export/export-panel.tsx';
import { listNames } from '../formatting/list-names.ts';
import { parseOption } from '../routing/parse-option.ts';
import { useViewRoute } from '../routing/view-route.tsx';
import {
  type ChartMode,
  describeChart,
  getChartModes,
  MODE_TITLES,
  parseChartMode,
} from '../series/chart-configs.ts';
import { SeriesCharts } from '../series/series-charts.tsx';
import { describeStatus, type SeriesData } from '../series/series-data.ts';
import { BaseSelect, RangeControl } from '../series/shown-range.tsx';

export interface SeriesPanelProps {
  readonly entry: DatasetEntry;
  /** The title of the dataset, with the values of its dimensions that are shown. */
  readonly shownTitle: string;
  readonly request: ApiRequest;
  readonly series: SeriesData;
  readonly corrections: CorrectionList;
  /** Whether it consists of several series of a dataset. */
  readonly isMerged?: boolean;
  /** What is drawn, if visitors cannot choose it: how the service transformed the figures, or an allocation. */
  readonly title?: string | undefined;
}

/** The charts of a series, in the mode that the visitor chose. */
export function SeriesChartPanel(props: SeriesPanelProps) {
  const { shownTitle, request, series, corrections, title } = props;
  const { params } = useViewRoute();
  const mode = title ? 'amounts' : parseChartMode(series, params.mode);
  // A picture or a file has no panel around it.
  const isPlain = !title && mode === 'amounts';
  const chartTitle = isPlain ? shownTitle : `${shownTitle}: ${title ?? MODE_TITLES[mode]}`;
  return (
    <ExportPanel
      title={title ?? MODE_TITLES[mode]}
      lead={describeChart(mode, series)}
      // Without a title, the buttons say what the chart shows.
      class={title ? 'series-chart' : 'series-chart untitled'}
      tools={renderControls(
        series,
        title ? undefined : mode,
        parseOption(SCALE_OPTIONS, params.scale),
      )}
      exported={{ request, fileName: createFileName(props), chart: { title: chartTitle } }}
    >
      <SeriesCharts
        title={shownTitle}
        series={series}
        mode={mode}
        corrections={corrections}
        hasLabels={props.isMerged}
      />
      <StatusNote series={series} />
    </ExportPanel>
  );
}

/** The name of the dataset and the values of dimensions that are shown, as files can have them. */
export function createFileName({ entry, shownTitle }: SeriesPanelProps): string {
  const values = shownTitle.slice(entry.title.length);
  return `${entry.name}${values}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-');
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
      {mode === 'rebased' && <BaseSelect timeline={series} />}
      <RangeControl timeline={series} />
      {series.kind === 'multiples' && (
        <SegmentedControl label="Scale" options={SCALE_OPTIONS} value={scale} param="scale" />
      )}
    </>
  );
}

const SCALE_OPTIONS = { shared: 'One scale', own: 'Own scales' };
