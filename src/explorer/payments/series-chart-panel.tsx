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
export function SeriesChartPanel({ entry, series, amendments }: SeriesPanelProps) {
  const { at } = useViewRoute();
  const picture = useRef<HTMLDivElement>(null);
  const mode = getChartModes(series).find((each) => each === at.mode) ?? 'amounts';
  const isShared = at.scale !== 'own';
  const hidden = useMemo(() => parseHidden(at.hide), [at.hide]);
  const palette = useMemo(() => getVisibleComponents(series, mode), [series, mode]);
  const drawings = useMemo(
    () => buildChartConfigs(series, { mode, isShared, hidden, amendments }),
    [series, mode, isShared, hidden, amendments],
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
          question={{ path: entry.path }}
          name={entry.name}
          title={entry.title}
          picture={picture}
        />
      }
    >
      <ChartControls series={series} mode={mode} isShared={isShared} />
      <div ref={picture}>
        {!isMultiple && (
          <Legend
            items={palette.parts.map((part) => ({ ...part, name: part.title }))}
            hidden={hidden}
            onToggle={(key) => updateParams({ hide: toggleHidden(hidden, key) })}
          />
        )}
        <SeriesCharts
          series={series}
          drawings={drawings}
          amendments={amendments}
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
    <div class="tools choosing">
      <SegmentedControl
        label="What is drawn"
        options={getChartModes(series).map((key) => ({ key, text: getModeTitle(key, series) }))}
        chosen={mode}
        onChoose={(key) => updateParams({ mode: key === 'amounts' ? undefined : key })}
      />
      {series.kind === 'multiples' && (
        <SegmentedControl
          label="Scale"
          options={SCALE_OPTIONS}
          chosen={isShared ? 'shared' : 'own'}
          onChoose={(key) => updateParams({ scale: key === 'own' ? key : undefined })}
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

function SeriesCharts({ series, drawings, amendments, title }: SeriesChartsProps) {
  const { places, labels, records } = series;
  const [cursor, setCursor] = useState<number>();
  const first = places[0] ?? 0;
  const ticks = useMemo(
    () => createPeriodTicks((place) => labels[place - first] ?? ''),
    [labels, first],
  );
  const stories = useMemo(() => buildCorrectionNotes(amendments, labels), [amendments, labels]);
  const isAlone = drawings.length === 1;
  if (drawings.length === 0) {
    return (
      <EmptyState title="Everything is hidden">Press a name above to show it again.</EmptyState>
    );
  }
  return (
    <div class={isAlone ? undefined : 'small-charts'}>
      {drawings.map(({ heading, unit, unitRead, ...drawing }) => (
        <figure
          key={heading ?? unit}
          class="drawn"
          data-heading={[heading, unit].filter(Boolean).join(', ')}
        >
          <figcaption>
            {heading && <h3>{heading}</h3>}
            <span class="quiet">{unit}</span>
          </figcaption>
          <LineChart
            {...drawing}
            label={[title, heading, unit].filter(Boolean).join(', ')}
            xs={places}
            ticks={ticks}
            nameOf={(index) => {
              const known = records[index] ? unitRead : 'not published';
              return [labels[index], known].filter(Boolean).join(', ');
            }}
            marks={stories}
            height={isAlone ? 360 : 170}
            cursor={cursor}
            onCursor={setCursor}
          />
        </figure>
      ))}
    </div>
  );
}
