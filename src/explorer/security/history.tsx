import { useRef } from 'preact/hooks';
import { go } from '../address/place.ts';
import type { Amendment } from '../differences/amendments.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Quote, Security } from '../quotes/quote.ts';
import type { Question } from '../service/api.ts';
import type { Entry } from '../service/catalogue.ts';
import type { Asked } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { Charts } from './charts.tsx';
import { type Range, rangeWords, refusalOf, spanned } from './range.ts';
import { RangeBar } from './range-bar.tsx';

interface HistoryProps {
  readonly entry: Entry;
  readonly security: Security;
  readonly range: Range;
  readonly question: Question;
  readonly asked: Asked<readonly Quote[]>;
  readonly amendments: readonly Amendment[];
}

/** The charts of a security over a range of days. */
export function History(props: HistoryProps) {
  const { entry, security, range, question, asked, amendments } = props;
  const picture = useRef<HTMLDivElement>(null);
  const name = `${security.symbol}-quotes`;
  const isRefused = refusalOf(range) !== undefined;
  const title = `${security.symbol} ${rangeWords(spanned(asked.data ?? []))}`;
  return (
    <Panel
      title="Over time"
      class="history"
      tools={!isRefused && <Take {...{ question, name, title, picture }} />}
    >
      <RangeBar security={security} range={range} />
      <div ref={picture}>
        {!isRefused ? (
          <Shown asked={asked} what="quotes">
            {(quotes) =>
              quotes.length === 0 && !asked.isLoading ? (
                <NoQuotes security={security} range={range} />
              ) : (
                <Charts entry={entry} quotes={quotes} amendments={amendments} />
              )
            }
          </Shown>
        ) : (
          <NoQuotes security={security} range={range} />
        )}
      </div>
    </Panel>
  );
}

function NoQuotes({ security, range }: Pick<HistoryProps, 'security' | 'range'>) {
  const isRefused = refusalOf(range) !== undefined;
  const title = isRefused ? 'There is no such range' : `No quotes ${rangeWords(range)}`;
  const there = rangeWords({ from: security.firstDate, to: security.lastDate });
  return (
    <Empty title={title}>
      There are quotes {there}.{' '}
      <button type="button" onClick={() => go({ span: 'All', from: undefined, to: undefined })}>
        Show all of them
      </button>
    </Empty>
  );
}
