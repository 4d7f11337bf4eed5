import { useMemo, useRef, useState } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import { parseHidden, toggleHidden } from '../breakdown/hidden-components.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { createPeriodTicks } from '../charts/ticks.ts';
import { Panel } from '../components/panel.tsx';
import { EmptyState } from '../components/query-view.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { buildCorrectionNotes } from '../corrections/correction-notes.ts';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { buildChartConfigs, type ChartConfig, getVisibleComponents } from './chart-configs.ts';
import { type ChartMode, describeChart, getChartModes, getModeTitle } from './chart-modes.ts';
import type { SeriesData } from './series-data.ts';

export interface SeriesPanelProps {
  readonly entry: DatasetEntry;
  readonly series: SeriesData;
  readonly amendments: readonly RevisionCorrections[];
}

/** The series drawn, in the way that suits its figures. */
export function SeriesChartPanel({ entry, series, amendments: corrections }: SeriesPanelProps) {
  const { params } = useViewRoute();
  const picture = useRef<HTMLDivElement>(null);
  const mode = getChartModes(series).find((each) => each === params.mode) ?? 'amounts';
  const isShared = params.scale !== 'own';
  const hidden = useMemo(() => parseHidden(params.hide), [params.hide]);
  const palette = useMemo(() => getVisibleComponents(series, mode), [series, mode]);
  const configs = useMemo(
    () =>
      buildChartConfigs(series, { mode, isScaleShared: isShared, hidden, amendments: corrections }),
    [series, mode, isShared, hidden, corrections],
  );
  const title = getModeTitle(mode, series);
  const isMultiple = series.kind === 'multiples';
  return (
    <Panel
      title={title}
      lead={describeChart(mode, series, isShared) || undefined}
      class="series-chart"
      tools={
        <ExportMenu
          request={{ path: entry.path }}
          fileName={entry.name}
          title={entry.title}
          chartRef={picture}
        />
      }
    >
      <ChartControls series={series} mode={mode} isShared={isShared} />
      <div ref={picture}>
        {!isMultiple && (
          <Legend
            items={palette.parts.map((component) => ({ ...component, name: component.title }))}
            hidden={hidden}
            onToggle={(key) => updateParams({ hide: toggleHidden(hidden, key) })}
          />
        )}
        <SeriesCharts
          series={series}
          drawings={configs}
          amendments={corrections}
          title={entry.title}
        />
      </div>
      {palette.rest.length > 0 && !isMultiple && (
        <p class="help">
          More parts than colours: the smallest share the grey one, which are{' '}
          {palette.rest.map(({ title: name }) => name).join(', ')}.
        </p>
      )}
    </Panel>
  );
}

interface ChartControlsProps {
  readonly series: SeriesData;
  readonly mode: ChartMode;
  readonly isShared: boolean;
}

/** What is drawn of the figures, and on what scale. */
function ChartControls({ series, mode, isShared }: ChartControlsProps) {
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
          value={isShared ? 'shared' : 'own'}
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

interface SeriesChartsProps {
  readonly series: SeriesData;
  readonly drawings: readonly ChartConfig[];
  readonly amendments: readonly RevisionCorrections[];
  readonly title: string;
}

function SeriesCharts({
  series,
  drawings: configs,
  amendments: corrections,
  title,
}: SeriesChartsProps) {
  const { ordinals, labels, records } = series;
  const [cursor, setCursor] = useState<number>();
  const first = ordinals[0] ?? 0;
  const ticks = useMemo(
    () => createPeriodTicks((place) => labels[place - first] ?? ''),
    [labels, first],
  );
  const pointNotes = useMemo(
    () => buildCorrectionNotes(corrections, labels),
    [corrections, labels],
  );
  const isAlone = configs.length === 1;
  if (configs.length === 0) {
    return (
      <EmptyState title="Everything is hidden">Press a name above to show it again.</EmptyState>
    );
  }
  return (
    <div class={isAlone ? undefined : 'small-charts'}>
      {configs.map(({ heading, unit, tooltipUnit, ...drawing }) => (
        <figure
          key={heading ?? unit}
          class="chart-figure"
          data-heading={[heading, unit].filter(Boolean).join(', ')}
        >
          <figcaption>
            {heading && <h3>{heading}</h3>}
            <span class="muted">{unit}</span>
          </figcaption>
          <LineChart
            {...drawing}
            label={[title, heading, unit].filter(Boolean).join(', ')}
            xs={ordinals}
            ticks={ticks}
            getPointLabel={(index) => {
              const known = records[index] ? tooltipUnit : 'not published';
              return [labels[index], known].filter(Boolean).join(', ');
            }}
            pointNotes={pointNotes}
            height={isAlone ? 360 : 170}
            cursor={cursor}
            onCursor={setCursor}
          />
        </figure>
      ))}
    </div>
  );
}
