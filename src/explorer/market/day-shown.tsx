import { useMemo } from 'preact/hooks';
import { go, slide } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import type { Entry } from '../service/catalogue.ts';
import { Take } from '../take/take.tsx';
import { Against } from './against.tsx';
import { Board } from './board.tsx';
import { DEFAULT_SORT, isWanted, type Wanted } from './choices.ts';
import { CurvePanel } from './curve-panel.tsx';
import { Filters } from './filters.tsx';
import { Scrubber } from './scrubber.tsx';
import { Tiles } from './tiles.tsx';
import { type Day, dayQuestion } from './use-day.ts';

interface DayShownProps {
  readonly entry: Entry;
  readonly wanted: Wanted;
  readonly shown: Day;
  readonly before: Day | undefined;
}

/** A day of the market: how to move it through time, its curve, its quotes. */
export function DayShown({ entry, wanted, shown, before }: DayShownProps) {
  const { first, last } = entry.coverage;
  const kept = useMemo(
    () => shown.quotes.filter((quote) => isWanted(quote, wanted)),
    [shown, wanted],
  );
  const earlier = useMemo(() => {
    if (!before?.date || before.date === shown.date) return undefined;
    const { date, quotes } = before;
    return { date, quotes, wanted: quotes.filter((quote) => isWanted(quote, wanted)) };
  }, [before, shown, wanted]);
  if (first === null || last === null) return <NothingYet />;
  if (shown.date === undefined) return <TooEarly first={first} />;
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

function NothingYet() {
  return (
    <Empty title="No quotes yet">
      Nothing was published up to here. Load quotes with <code>npx tenor load quotes</code>, or look
      at a later instant.
    </Empty>
  );
}

function TooEarly({ first }: { readonly first: string }) {
  return (
    <Empty title="No quotes up to that day">
      The first are of {dayWords(first)}.{' '}
      <button type="button" onClick={() => go({ date: first })}>
        Show them
      </button>
    </Empty>
  );
}
