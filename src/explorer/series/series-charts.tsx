import { useMemo } from 'preact/hooks';
import { ChartList } from '../charts/chart-list.tsx';
import { Legend } from '../charts/legend.tsx';
import { getLayoutMark } from '../charts/line-chart.tsx';
import { EmptyState } from '../components/panel.tsx';
import { buildCorrectionNotes } from '../corrections/revision-corrections.ts';
import { type ParamChanges, updateParams, useViewRoute } from '../routing/view-route.tsx';
import { parseHidden, toggleHidden } from './breakdown-components.ts';
import {
  buildChartConfigs,
  type ChartMode,
  type ChartOptions,
  getColoredComponents,
} from './chart-configs.ts';
import { buildDifference } from './compute-changes.ts';
import { findShownRange, type ShownRange } from './period-timeline.ts';
import { describeStatus, type SeriesData } from './series-data.ts';
import { usePeriodAxis } from './use-period-axis.ts';

interface SeriesChartsProps extends Pick<ChartOptions, 'corrections'> {
  readonly series: SeriesData;
  readonly title: string;
  readonly mode: ChartMode;
  /** For compared figures: the URL parameters without the figure of a key, unless it must stay. */
  readonly getRemoval?: (key: string) => ParamChanges | undefined;
  /** Whether lines have their names at their ends. */
  readonly hasLabels?: boolean | undefined;
  readonly onRangeSelect?: (from: number, to: number) => void;
}

/** Charts of the same periods with a shared cursor and a legend. */
export function SeriesCharts(props: SeriesChartsProps) {
  const { series, mode, corrections, title, getRemoval, onRangeSelect } = props;
  const { hasLabels = getRemoval !== undefined } = props;
  const { records, components, kind } = series;
  const { params } = useViewRoute();
  const hidden = parseHidden(params.hide);
  const palette = getColoredComponents(series, mode);
  // A caller that selects ranges itself has read no more than that.
  const range = findShownRange(series, onRangeSelect ? {} : params);
  const timeline = useMemo(() => sliceTimeline(series, range), [series, range.join()]);
  const axis = usePeriodAxis(timeline);
  // Memoized, so that moving the pointer does not recompute it.
  const charts = useMemo(() => {
    const isScaleShared = params.scale !== 'own';
    const { base } = params;
    const options = { mode, isScaleShared, hidden, corrections, range, base };
    const configs = buildChartConfigs(series, options);
    const shown = components.filter(({ key }) => !hidden.has(key));
    const sliced = shown.map((each) => ({ ...each, values: each.values.slice(...range) }));
    const difference = getRemoval && mode === 'amounts' ? buildDifference(sliced) : [];
    const pointNotes = buildCorrectionNotes(corrections, timeline.labels);
    return [...configs, ...difference].map((config) => ({ ...config, pointNotes }));
  }, [timeline, mode, corrections, params.hide, params.scale, params.base]);
  const selectRange = (from: number, to: number) =>
    updateParams({ from: timeline.labels[from], to: timeline.labels[to] });
  const isSingle = charts.length === 1;
  const mark = getLayoutMark(charts[0]?.layout ?? 'lines');
  return (
    <>
      <div>
        {kind !== 'multiples' && (
          <Legend
            items={palette.components.map(({ key, title: name, hint, colorIndex }) => {
              const removal = getRemoval?.(key);
              const onRemove = () =>
                updateParams({ ...removal, hide: toggleHidden(hidden, key, true) });
              return { key, name, hint, colorIndex, mark, onRemove: removal && onRemove };
            })}
            hidden={hidden}
            onToggle={(key) => updateParams({ hide: toggleHidden(hidden, key) })}
          />
        )}
        {components.length === 0 && <p class="help">There are no such figures.</p>}
        {components.length > 0 && charts.length === 0 && (
          <EmptyState title="Everything is hidden">Press a name above to show it again.</EmptyState>
        )}
        <div class={isSingle ? undefined : getRemoval ? 'charts' : 'small-charts'}>
          <ChartList
            {...axis}
            title={title}
            charts={charts}
            onRangeSelect={onRangeSelect ?? selectRange}
            labelNames={
              hasLabels && kind === 'lines'
                ? components.map((component) => component.title)
                : undefined
            }
            getPointLabel={(index) => {
              const record = records[range[0] + index];
              const status = record ? describeStatus(record) : 'not published';
              return [axis.getPointLabel(index), status].filter(Boolean).join(', ');
            }}
            height={isSingle ? 360 : getRemoval ? 240 : 170}
          />
        </div>
      </div>
      {kind !== 'multiples' && palette.smallest.length > 0 && (
        <p class="help">
          There are more components than colours: the smallest share the grey one, which are{' '}
          {palette.smallest.map((component) => component.title).join(', ')}.
        </p>
      )}
    </>
  );
}

function sliceTimeline(series: SeriesData, range: ShownRange) {
  const { labels, names, ordinals, lastDays, periodsPerYear } = series;
  return {
    labels: labels.slice(...range),
    names: names?.slice(...range),
    ordinals: ordinals.slice(...range),
    lastDays: lastDays.slice(...range),
    periodsPerYear,
  };
}
