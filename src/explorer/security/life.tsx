import { useMemo } from 'preact/hooks';
import { go, usePlace } from '../address/place.ts';
import { Corrections } from '../differences/corrections.tsx';
import { Notes } from '../parts/notes.tsx';
import type { Correction, Quote, Security } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import { useAnswer } from '../service/use-answer.ts';
import { useTitle } from '../shell/titles.ts';
import { quoteAmendments } from './amended.ts';
import { Facts, Newest, Summary } from './facts.tsx';
import { History } from './history.tsx';
import { Picker } from './picker.tsx';
import { QuotesTable } from './quotes-table.tsx';
import { isWithin, rangeIn, refusalOf } from './range.ts';

interface LifeProps {
  readonly entry: Entry;
  readonly security: Security;
  readonly securities: readonly Security[];
}

/** A security: what it is, how it went over a range of days, and what of that was corrected. */
export function Life({ entry, security, securities }: LifeProps) {
  const { at } = usePlace();
  const { symbol } = security;
  const range = rangeIn(at, security);
  const question = {
    path: entry.path,
    parameters: { symbol, from: range.from, to: range.to, limit: MOST_AT_ONCE },
    whole: true,
  };
  const corrected = {
    path: `/corrections/${entry.name}`,
    parameters: { symbol, limit: MOST_AT_ONCE },
    whole: true,
  };
  const asked = useAnswer<readonly Quote[]>(
    refusalOf(range) === undefined ? question : undefined,
    // The page keeps its height while another range is awaited.
    { keepsLast: true },
  );
  const corrections = useAnswer<readonly Correction[]>(corrected);
  const amendments = useMemo(
    () => quoteAmendments(entry, corrections.data ?? []),
    [entry, corrections.data],
  );
  const correctedDays = useMemo(
    () => new Set(corrections.data?.map(({ old }) => old.date)),
    [corrections.data],
  );
  useTitle(symbol);
  const readOff = (day: string) => {
    const widened = isWithin(day, range) ? {} : { span: 'All', from: undefined, to: undefined };
    go({ point: at.point === day ? undefined : day, ...widened });
  };
  const parts = { entry, security, range, question, asked };
  return (
    <div class="life">
      <header class="life-head">
        <div>
          <h1>{symbol}</h1>
          <Summary entry={entry} security={security} />
        </div>
        <Picker securities={securities} onChoose={(other) => go({ ...ELSEWHERE, symbol: other })} />
      </header>
      <Newest entry={entry} security={security} />
      <div class="life-parts">
        <History {...parts} amendments={amendments} />
        <div class="life-aside">
          <Facts entry={entry} security={security} />
          <Corrections
            name={`${symbol}-corrections`}
            question={corrected}
            asked={corrections}
            amendments={amendments}
            choice={{ chosen: at.point, onChoose: readOff }}
          />
          <Notes entry={entry} />
        </div>
      </div>
      <QuotesTable {...parts} corrected={correctedDays} />
    </div>
  );
}

/** The most that one answer holds; more are followed page by page. */
const MOST_AT_ONCE = 10_000;

/** What is said of one security and not of another. */
const ELSEWHERE = { from: undefined, to: undefined, point: undefined } as const;
