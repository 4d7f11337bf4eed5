import { useContext, useMemo } from 'preact/hooks';
import { go, slide, usePlace } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Choices } from '../parts/choices.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Entry, fieldOf } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { Take } from '../take/take.tsx';
import { Board } from './board.tsx';
import {
  DEFAULT_AGAINST,
  DEFAULT_SORT,
  DISTANCES,
  dayAgainst,
  isWanted,
  SPANS,
  type Wanted,
  wantedIn,
} from './choices.ts';
import { CurvePanel } from './curve-panel.tsx';
import { typeWords } from './quote.ts';
import { Scrubber } from './scrubber.tsx';
import { Tiles } from './tiles.tsx';
import { type Day, dayQuestion, useDay } from './use-day.ts';

/** The market of a day: its curve and its quotes, beside those of another day. */
export function Market() {
  const { catalogue } = useContext(ServiceContext);
  const entry = catalogue.find(({ shape }) => shape === 'quotes');
  if (!entry) {
    return (
      <Empty title="No quotes">This token does not open quotes. Sign in with one that does.</Empty>
    );
  }
  return <MarketOf entry={entry} />;
}

function MarketOf({ entry }: { readonly entry: Entry }) {
  const { at } = usePlace();
  const wanted = useMemo(() => wantedIn(at), [at]);
  const asked = useDay(entry.path, wanted.date);
  const day = asked.data?.date;
  const against = day === undefined ? undefined : dayAgainst(day, wanted.against);
  const before = useDay(entry.path, against, against !== undefined);
  return (
    <>
      <div class="view-head">
        <h1>Market{day && `, ${dayWords(day)}`}</h1>
        {wanted.date !== undefined && day !== undefined && day !== wanted.date && (
          <p class="quiet">
            There are no quotes of {dayWords(wanted.date)}: these are the last before it.
          </p>
        )}
      </div>
      <Shown asked={asked} what="the market">
        {(data) => (
          <DayShown
            entry={entry}
            wanted={wanted}
            shown={data}
            before={against === undefined ? undefined : before.data}
          />
        )}
      </Shown>
    </>
  );
}

interface DayShownProps {
  readonly entry: Entry;
  readonly wanted: Wanted;
  readonly shown: Day;
  readonly before: Day | undefined;
}

function DayShown({ entry, wanted, shown, before }: DayShownProps) {
  const { first, last } = entry.coverage;
  const kept = useMemo(
    () => shown.quotes.filter((quote) => isWanted(quote, wanted)),
    [shown, wanted],
  );
  const earlier = useMemo(() => {
    if (!before?.date || before.date === shown.date) return undefined;
    const { date, quotes } = before;
    return { date, quotes, all: quotes, wanted: quotes.filter((quote) => isWanted(quote, wanted)) };
  }, [before, shown, wanted]);
  if (shown.date === undefined || first === null || last === null) {
    return (
      <Empty title="No quotes yet">
        Nothing was published up to here. Load quotes with <code>npx tenor load quotes</code>, or
        look at a later instant.
      </Empty>
    );
  }
  return (
    <>
      <div class="time-bar">
        <Scrubber
          first={first}
          last={last}
          day={shown.date}
          asked={wanted.date}
          onDay={(date) => slide({ date })}
        />
        <Against against={wanted.against} first={first} last={last} />
      </div>
      <Tiles quotes={shown.quotes} before={earlier?.quotes ?? []} />
      <Filters entry={entry} wanted={wanted} />
      <div class="market-grid">
        <CurvePanel
          entry={entry}
          day={shown.date}
          quotes={shown.quotes}
          wanted={kept}
          before={earlier}
        />
        <Panel
          title={`${kept.length} of ${shown.quotes.length} quotes`}
          tools={
            <Take
              question={dayQuestion(
                entry.path,
                shown.date,
                wanted.type === 'all' ? undefined : wanted.type,
              )}
              name={`quotes-${shown.date}`}
              title="Quotes"
            />
          }
          lead={earlier && `Changes are against ${dayWords(earlier.date)}.`}
        >
          {kept.length === 0 ? (
            <Empty title="Nothing fits">
              No quote of this day has that type, maturity, symbol and ISIN.{' '}
              <button type="button" onClick={() => go({ type: '', find: '', years: '' })}>
                Show all
              </button>
            </Empty>
          ) : (
            <Board
              entry={entry}
              day={shown.date}
              quotes={kept}
              before={earlier}
              sort={wanted.sort}
              onSort={(sort) => go({ sort: sort === DEFAULT_SORT ? '' : sort })}
            />
          )}
        </Panel>
      </div>
    </>
  );
}

interface AgainstProps {
  readonly against: string;
  readonly first: string;
  readonly last: string;
}

/** What the day is compared with. */
function Against({ against, first, last }: AgainstProps) {
  const set = (value: string) => go({ against: value === DEFAULT_AGAINST ? '' : value });
  const isDay = /^\d/.test(against);
  return (
    <div class="side-by-side">
      <span class="quiet">Compare with</span>
      <Choices label="Compare with" options={DISTANCES} chosen={against as 'day'} onChoose={set} />
      <input
        type="date"
        aria-label="Compare with the day"
        min={first}
        max={last}
        value={isDay ? against : ''}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    </div>
  );
}

function Filters({ entry, wanted }: { readonly entry: Entry; readonly wanted: Wanted }) {
  const types = fieldOf(entry, 'type')?.values ?? [];
  const options = ['all', ...types].map((key) => ({
    key,
    text: key === 'all' ? 'All' : typeWords(key),
  }));
  return (
    <search class="filters">
      <Choices
        label="Type"
        options={options}
        chosen={wanted.type}
        onChoose={(type) => go({ type: type === 'all' ? '' : type })}
      />
      <select
        aria-label="Maturity"
        value={wanted.years}
        onChange={({ currentTarget }) => go({ years: currentTarget.value })}
      >
        {SPANS.map(({ key, text }) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      <input
        type="search"
        aria-label="Symbol or ISIN"
        placeholder="Symbol or ISIN"
        value={wanted.find}
        onInput={({ currentTarget }) => slide({ find: currentTarget.value })}
      />
    </search>
  );
}
