import { go } from '../address/place.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import type { Quote } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import { Take } from '../take/take.tsx';
import { Board } from './board.tsx';
import { DEFAULT_SORT, type Wanted } from './choices.ts';
import { type DayBefore, dayQuestion } from './use-day.ts';

interface BoardPanelProps {
  readonly entry: Entry;
  readonly day: string;
  readonly quotes: readonly Quote[];
  /** Those of the quotes that are wanted. */
  readonly kept: readonly Quote[];
  readonly before: DayBefore | undefined;
  readonly wanted: Wanted;
  /** What the changes are against, or why there are none. */
  readonly compared: string | undefined;
  /** The type that is wanted, where only one is, and what an answer to that holds. */
  readonly type: string | undefined;
  readonly about: string;
}

/** The table of a day's quotes, and what can be done with it. */
export function BoardPanel(props: BoardPanelProps) {
  const { entry, day, quotes, kept, before, wanted, compared, type, about } = props;
  return (
    <Panel
      title={`${kept.length} of ${quotes.length} quotes`}
      tools={
        <Take
          question={dayQuestion(entry.path, day, type)}
          about={about}
          name={`quotes-${day}`}
          title="Quotes"
        />
      }
      lead={compared}
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
          day={day}
          quotes={kept}
          before={before}
          sort={wanted.sort}
          onSort={(sort) => go({ sort: sort === DEFAULT_SORT ? '' : sort })}
        />
      )}
    </Panel>
  );
}
