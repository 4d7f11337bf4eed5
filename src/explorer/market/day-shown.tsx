import { useMemo } from 'preact/hooks';
import { go } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Empty } from '../parts/states.tsx';
import { typesWords } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import type { Asked } from '../service/use-answer.ts';
import { BoardPanel } from './board-panel.tsx';
import { isWanted, type Wanted } from './choices.ts';
import { CurvePanel } from './curve-panel.tsx';
import { Filters } from './filters.tsx';
import { Tiles } from './tiles.tsx';
import type { Day, DayBefore } from './use-day.ts';

interface DayShownProps {
  readonly entry: Entry;
  readonly wanted: Wanted;
  readonly shown: Day;
  /** The day to compare with, where there is to be one, and what was answered to that. */
  readonly against: string | undefined;
  readonly before: Asked<Day>;
  readonly first: string;
}

/** A day of the market: its curve and its quotes. */
export function DayShown({ entry, wanted, shown, against, before, first }: DayShownProps) {
  const kept = useMemo(
    () => shown.quotes.filter((quote) => isWanted(quote, wanted)),
    [shown, wanted],
  );
  const then = against === undefined ? undefined : before.data;
  const earlier = useMemo((): DayBefore | undefined => {
    if (!then?.date || then.date === shown.date) return undefined;
    const { date, quotes } = then;
    return { date, quotes, wanted: quotes.filter((quote) => isWanted(quote, wanted)) };
  }, [then, shown, wanted]);
  const { date: day, quotes } = shown;
  if (day === undefined) return <TooEarly first={first} />;
  const compared = earlier
    ? `Changes are against ${dayWords(earlier.date)}.`
    : against && whyNotCompared(against, day, before);
  const taken = takenOf(shown, wanted.type);
  return (
    <>
      <Tiles quotes={quotes} before={earlier} />
      <Filters entry={entry} wanted={wanted} />
      <div class="market-grid">
        <CurvePanel {...taken} {...{ entry, day, quotes, wanted: kept, before: earlier }} />
        <BoardPanel
          {...taken}
          {...{ entry, day, quotes, kept, before: earlier, wanted, compared }}
        />
      </div>
    </>
  );
}

/** What can be taken elsewhere: the service knows types, the other filters are the page's own. */
function takenOf({ quotes, date = '' }: Day, wanted: string) {
  if (wanted === 'all') {
    return { type: undefined, about: `All ${quotes.length} quotes of ${dayWords(date)}` };
  }
  const count = quotes.filter((quote) => quote.type === wanted).length;
  return { type: wanted, about: `All ${count} ${typesWords(wanted)} of ${dayWords(date)}` };
}

function whyNotCompared(against: string, day: string, { data, failure }: Asked<Day>): string {
  if (failure) return `There is nothing to compare with: ${failure.message}.`;
  if (!data) return `Loading ${dayWords(against)} to compare with…`;
  if (data.date === day) return `The last quotes up to ${dayWords(against)} are these themselves.`;
  return `There are no quotes of ${dayWords(against)}, or of another day before it, to compare with.`;
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
