import { useMemo, useRef, useState } from 'preact/hooks';
import { go, usePlace } from '../address/place.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { periodTicks } from '../charts/ticks.ts';
import { hiddenIn, toggled } from '../composition/hiding.ts';
import type { Amendment } from '../differences/amendments.ts';
import { storiesOf } from '../differences/stories.ts';
import { Choices } from '../parts/choices.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import type { Entry } from '../service/catalogue.ts';
import { Take } from '../take/take.tsx';
import { type Drawing, drawingsOf, shownParts } from './drawing.ts';
import { drawnWords, type Mode, modesOf, modeTitle } from './modes.ts';
import type { Series } from './series.ts';

export interface ShownSeries {
  readonly entry: Entry;
  readonly series: Series;
  readonly amendments: readonly Amendment[];
}

/** The series drawn, in the way that suits its figures. */
export function ChartPanel({ entry, series, amendments }: ShownSeries) {
  const { at } = usePlace();
  const picture = useRef<HTMLDivElement>(null);
  const mode = modesOf(series).find((each) => each === at.mode) ?? 'amounts';
  const isShared = at.scale !== 'own';
  const hidden = useMemo(() => hiddenIn(at.hide), [at.hide]);
  const palette = useMemo(() => shownParts(series, mode), [series, mode]);
  const drawings = useMemo(
    () => drawingsOf(series, { mode, isShared, hidden, amendments }),
    [series, mode, isShared, hidden, amendments],
  );
  const title = modeTitle(mode, series);
  const isMultiple = series.kind === 'multiples';
  return (
    <Panel
      title={title}
      lead={drawnWords(mode, series, isShared) || undefined}
      class="series-chart"
      tools={
        <Take
          question={{ path: entry.path }}
          name={entry.name}
          title={entry.title}
          picture={picture}
        />
      }
    >
      <Choosing series={series} mode={mode} isShared={isShared} />
      <div ref={picture}>
        {!isMultiple && (
          <Legend
            items={palette.parts.map((part) => ({ ...part, name: part.title }))}
            hidden={hidden}
            onToggle={(key) => go({ hide: toggled(hidden, key) })}
          />
        )}
        <Charts series={series} drawings={drawings} amendments={amendments} title={entry.title} />
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

interface ChoosingProps {
  readonly series: Series;
  readonly mode: Mode;
  readonly isShared: boolean;
}

/** What is drawn of the figures, and on what scale. */
function Choosing({ series, mode, isShared }: ChoosingProps) {
  return (
    <div class="tools choosing">
      <Choices
        label="What is drawn"
        options={modesOf(series).map((key) => ({ key, text: modeTitle(key, series) }))}
        chosen={mode}
        onChoose={(key) => go({ mode: key === 'amounts' ? undefined : key })}
      />
      {series.kind === 'multiples' && (
        <Choices
          label="Scale"
          options={SCALES}
          chosen={isShared ? 'shared' : 'own'}
          onChoose={(key) => go({ scale: key === 'own' ? key : undefined })}
        />
      )}
    </div>
  );
}

const SCALES = [
  { key: 'shared', text: 'One scale' },
  { key: 'own', text: 'Own scales' },
] as const;

interface ChartsProps {
  readonly series: Series;
  readonly drawings: readonly Drawing[];
  readonly amendments: readonly Amendment[];
  readonly title: string;
}

function Charts({ series, drawings, amendments, title }: ChartsProps) {
  const { places, labels, records } = series;
  const [cursor, setCursor] = useState<number>();
  const first = places[0] ?? 0;
  const ticks = useMemo(() => periodTicks((place) => labels[place - first] ?? ''), [labels, first]);
  const stories = useMemo(() => storiesOf(amendments, labels), [amendments, labels]);
  const isAlone = drawings.length === 1;
  if (drawings.length === 0) {
    return <Empty title="Everything is hidden">Press a name above to show it again.</Empty>;
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
