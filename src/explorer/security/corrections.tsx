import { useState } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { dayWords, instantWords } from '../figures/days.ts';
import { Panel } from '../parts/panel.tsx';
import { Shown } from '../parts/states.tsx';
import type { Correction } from '../quotes/quote.ts';
import type { Question } from '../service/api.ts';
import type { Entry } from '../service/catalogue.ts';
import type { Asked } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { changesIn } from './changes.ts';

interface CorrectionsProps {
  readonly entry: Entry;
  readonly symbol: string;
  readonly question: Question;
  readonly asked: Asked<readonly Correction[]>;
  /** The day that is read off in the charts. */
  readonly chosen: string | undefined;
  readonly onChoose: (day: string) => void;
}

/** More are listed only where that is asked for. */
const FIRST = 25;

/** What was corrected and retired of a security, newest first. */
export function Corrections({ symbol, question, asked, ...rest }: CorrectionsProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Panel
      title="Corrections"
      class="corrections"
      tools={
        <Take question={question} name={`${symbol}-corrections`} title={symbol} isTable={false} />
      }
    >
      <Shown asked={asked} what="corrections">
        {(all) => {
          if (all.length === 0) {
            return <p class="quiet">Nothing was corrected: every quote is as it was published.</p>;
          }
          const shown = isWhole ? all : all.slice(0, FIRST);
          return (
            <>
              <ol class="correction-list">
                {shown.map((each) => (
                  <One key={`${each.revision} ${each.old.date}`} correction={each} {...rest} />
                ))}
              </ol>
              {shown.length < all.length && (
                <button type="button" onClick={() => setWhole(true)}>
                  Show all {all.length}
                </button>
              )}
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}

interface OneProps extends Pick<CorrectionsProps, 'entry' | 'chosen' | 'onChoose'> {
  readonly correction: Correction;
}

function One({ correction, entry, chosen, onChoose }: OneProps) {
  const { revision, publishedAt, change, old } = correction;
  const day = dayWords(old.date);
  return (
    <li class={chosen === old.date ? 'marked' : undefined}>
      <h3>
        {change === 'retired' ? (
          day
        ) : (
          <button
            type="button"
            aria-pressed={chosen === old.date}
            title="Read this day off in the charts"
            onClick={() => onChoose(old.date)}
          >
            {day}
          </button>
        )}{' '}
        {change}
      </h3>
      <p>
        in{' '}
        <Link to="ledger" at={{ revision: String(revision) }}>
          revision {revision}
        </Link>
        , published {instantWords(publishedAt)}
      </p>
      {change === 'retired' ? (
        <p>The quote of that day was taken back.</p>
      ) : (
        <Changes correction={correction} entry={entry} />
      )}
    </li>
  );
}

function Changes({ correction, entry }: Pick<OneProps, 'correction' | 'entry'>) {
  return (
    <dl class="changes">
      {changesIn(correction, entry).map(({ field, old, new: now, unit }) => (
        <div key={field.name}>
          <dt>{field.meaning}</dt>
          <dd>
            <del>
              <span class="unseen">was </span>
              {old}
            </del>{' '}
            <span aria-hidden="true">→</span>{' '}
            <ins>
              <span class="unseen">now </span>
              {now}
            </ins>{' '}
            {unit}
          </dd>
        </div>
      ))}
    </dl>
  );
}
