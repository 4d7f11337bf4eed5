import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';

import { apart, differencesOf, foremost } from '../differences/differences.ts';
import { OldAndNew } from '../differences/old-and-new.tsx';
import { instantWords } from '../figures/days.ts';
import { grouped, isFigure } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { Loading, Shown } from '../parts/states.tsx';
import type { Correction, Entry, Revision } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';
import { useLedger } from '../service/use-ledger.ts';
import { Take } from '../take/take.tsx';
import { subjectOf } from './subject.ts';

/** What was corrected last, of one dataset or of all, in a sentence. */
export function LastCorrection({ dataset }: { readonly dataset: string | undefined }) {
  const { catalogue } = useContext(ServiceContext);
  const { revisions, isWhole } = useLedger();
  const last = revisions.find(
    (each) => each.corrected + each.retired > 0 && (!dataset || each.dataset === dataset),
  );
  const entry = catalogue.find(({ name }) => name === last?.dataset);
  if (last && entry) return <Told key={last.revision} last={last} entry={entry} />;
  return (
    <Panel title="Corrected last">
      {isWhole ? (
        <p>Nothing was corrected or retired so far: all that was published stands as it was.</p>
      ) : (
        <Loading what="the ledger" />
      )}
    </Panel>
  );
}

function Told({ last, entry }: { readonly last: Revision; readonly entry: Entry }) {
  const { revision, publishedAt, corrected, retired } = last;
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { before: revision + 1, limit: 1 },
  };
  const asked = useAnswer<readonly Correction[]>(question);
  const others = corrected + retired - 1;
  return (
    <Panel
      title="Corrected last"
      class="headline"
      tools={
        <Take question={question} name="corrected-last" title="Corrected last" isTable={false} />
      }
    >
      <Shown asked={asked} what="what was corrected last">
        {([first]) => (
          <>
            {first && <Sentence correction={first} entry={entry} />}
            <p class="quiet">
              {others > 0 &&
                `and ${grouped(others, 0)} more ${others === 1 ? 'record' : 'records'} `}
              in{' '}
              <Link to="ledger" at={{ revision: String(revision) }}>
                revision {revision}
              </Link>
              , published {instantWords(publishedAt)}
            </p>
          </>
        )}
      </Shown>
    </Panel>
  );
}

interface SentenceProps {
  readonly correction: Correction;
  readonly entry: Entry;
}

function Sentence({ correction: { old, new: later }, entry }: SentenceProps) {
  const { words, view, at } = subjectOf(entry, old);
  const { added, removed, rest } = apart(later ? differencesOf(entry, old, later) : []);
  const periods = [...comings(added, 'added'), ...comings(removed, 'taken out')];
  const first = foremost(rest);
  // A fund says when it was modified too: that a period came is what people want to know.
  const isTold = first && (periods.length === 0 || isFigure(first.measure));
  const others = rest.length - 1;
  return (
    <p class="sentence">
      <b>{entry.title}</b>,{' '}
      <Link to={view} at={at}>
        {words}
      </Link>
      {later === null && ': taken out'}
      {isTold && (
        <>
          : {first.words} <OldAndNew of={first} isExact />
          {others > 0 && `, and ${others} more of its values`}
        </>
      )}
      {periods.length > 0 && `${isTold ? '; ' : ': '}${periods.join(', ')}`}
    </p>
  );
}

/** `Jun 2026 was added`, `3 periods were added`. */
function comings(periods: readonly string[], what: string): string[] {
  if (periods.length === 0) return [];
  const isOne = periods.length === 1;
  return [isOne ? `${periods[0]} was ${what}` : `${periods.length} periods were ${what}`];
}
