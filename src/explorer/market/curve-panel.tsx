import { useMemo, useRef } from 'preact/hooks';
import { addressTo, goTo } from '../address/place.ts';
import { Legend } from '../charts/legend.tsx';
import { PointChart } from '../charts/point-chart.tsx';
import type { Curve, Point } from '../charts/points.ts';
import type { Reading } from '../charts/readout.tsx';
import { dayWords } from '../figures/days.ts';
import { figure, grouped, shortUnitOf } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { figureIn, hasYield, knownField, type Quote, typesWords } from '../quotes/quote.ts';
import { type Entry, fieldOf } from '../service/catalogue.ts';
import { Take } from '../take/take.tsx';
import { curvesOf, pointsOf, TENORS } from './curves.ts';
import { type DayBefore, dayQuestion } from './use-day.ts';

interface CurvePanelProps {
  readonly entry: Entry;
  readonly day: string;
  /** All quotes of the day, and those of them that are wanted. */
  readonly quotes: readonly Quote[];
  readonly wanted: readonly Quote[];
  readonly before: DayBefore | undefined;
  /** The type that is wanted, where only one is, and what an answer to that holds. */
  readonly type: string | undefined;
  readonly about: string;
}

const axis = (value: number) => `${grouped(value, 1)} %`;
const ticks = TENORS.map(({ years, tick }) => ({ at: years, text: tick }));

/** Yields against maturities, with the lines through them. */
export function CurvePanel(props: CurvePanelProps) {
  const { entry, day, quotes, wanted, before, type, about } = props;
  const picture = useRef<HTMLDivElement>(null);
  const tones = useMemo(() => tonesOf(entry), [entry]);
  const curves = useMemo(
    () => [
      ...curvesOf(before?.quotes ?? [], before?.wanted ?? [], true),
      ...curvesOf(quotes, wanted, false),
    ],
    [quotes, wanted, before],
  );
  const points = useMemo(
    () => [...pointsOf(before?.wanted ?? [], tones, true), ...pointsOf(wanted, tones, false)],
    [wanted, before, tones],
  );
  const byKey = useMemo(() => {
    const all = [...wanted, ...(before?.wanted ?? [])];
    return new Map(all.map((quote) => [`${quote.date} ${quote.symbol}`, quote]));
  }, [wanted, before]);
  const title = `Yield curve, ${dayWords(day)}`;
  const without = wanted.filter((quote) => !hasYield(quote)).length;
  return (
    <Panel
      title={title}
      class="curve"
      tools={
        <Take
          question={dayQuestion(entry.path, day, type)}
          about={about}
          name={`quotes-${day}`}
          title={before ? `${title}, and ${dayWords(before.date)}` : title}
          picture={picture}
        />
      }
      lead={
        <>
          {leadOf(entry)} Lines are fitted through all government and all corporate quotes
          (Nelson–Siegel; what lies far off counts less). Choose a point to open its security
          <span class="by-touch">: a first touch reads it off, a second opens it</span>.
        </>
      }
    >
      <div ref={picture}>
        <Legend items={legendOf(tones, wanted, curves, before?.date)} />
        <PointChart
          label={`Yields of ${dayWords(day)} by years to maturity`}
          points={points}
          curves={curves}
          ticks={ticks}
          axis={axis}
          readingOf={({ key, tone }) => readingOf(entry, byKey.get(key), tone)}
          onChoose={({ key }: Point) => {
            const symbol = byKey.get(key)?.symbol;
            if (symbol) goTo(addressTo('security', { symbol }));
          }}
        />
      </div>
      {without > 0 && (
        <p class="help">
          {without} {without === 1 ? 'quote has' : 'quotes have'} no yield, and{' '}
          {without === 1 ? 'is' : 'are'} not drawn.
        </p>
      )}
    </Panel>
  );
}

/** What the catalogue says is drawn against what. */
function leadOf({ chart, fields }: Entry): string {
  const [along, height] = chart.fields.map((name) => fields.find((field) => field.name === name));
  return `${height?.meaning} against ${along?.meaning.toLowerCase()}.`;
}

/** Each type of the catalogue has a colour of its own. */
function tonesOf(entry: Entry): Readonly<Record<string, number>> {
  const types = fieldOf(entry, 'type')?.values ?? [];
  return Object.fromEntries(types.map((type, place) => [type, (place % 8) + 1]));
}

function legendOf(
  tones: Readonly<Record<string, number>>,
  quotes: readonly Quote[],
  curves: readonly Curve[],
  before: string | undefined,
) {
  const there = new Set<string>(quotes.map(({ type }) => type));
  const types = Object.entries(tones).filter(([type]) => there.has(type));
  return [
    ...types.map(([type, tone]) => ({ name: typesWords(type), tone })),
    ...curves.flatMap(({ name, tone, isGhost }) =>
      isGhost ? [] : { name: `${name}, fitted`, tone },
    ),
    ...(before === undefined
      ? []
      : [{ name: `${dayWords(before)}, hollow and dashed`, tone: 7, isGhost: true }]),
  ];
}

function readingOf(entry: Entry, quote: Quote | undefined, tone: number): Reading {
  if (!quote) return { title: '', rows: [] };
  const textOf = (name: keyof Quote) => {
    const field = knownField(entry, name);
    return `${figure(figureIn(quote, field), field)} ${shortUnitOf(field)}`.trim();
  };
  const row = (name: keyof Quote, words: string) => ({ name: words, tone, text: textOf(name) });
  return {
    title: `${quote.symbol}, ${dayWords(quote.date)}`,
    rows: [
      row('ytm', 'Yield'),
      { name: 'Maturity', tone, text: dayWords(quote.maturityDate) },
      row('maturityYears', 'To maturity'),
      row('lastPrice', 'Last price'),
      row('bidPrice', 'Bid'),
      row('askPrice', 'Ask'),
      row('duration', 'Duration'),
    ],
  };
}
