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
  const candidates = revisions.flatMap((revision): Candidate[] => {
    const entry = catalogue.find(({ name }) => name === revision.dataset);
    const isWanted = !dataset || revision.dataset === dataset;
    return entry && isWanted && revision.corrected + revision.retired > 0
      ? [{ revision, entry }]
      : [];
  });
  if (candidates.length > 0 || isWhole) return <Newest candidates={candidates} />;
  return (
    <Panel title="Corrected last">
      <Loading what="the ledger" />
    </Panel>
  );
}

/** A revision that changed what stood. */
interface Candidate {
  readonly revision: Revision;
  readonly entry: Entry;
}

interface NewestProps {
  readonly candidates: readonly Candidate[];
  /** Whether there were others, which only added to what stood. */
  readonly hadAdditions?: boolean;
}

function Newest({ candidates, hadAdditions = false }: NewestProps) {
  const [last, ...older] = candidates;
  if (last) return <Told key={last.revision.revision} last={last} older={older} />;
  return (
    <Panel title="Corrected last">
      <p>
        Nothing was corrected or retired so far: all that was published stands as it was
        {hadAdditions && ', though records got new periods'}.
      </p>
    </Panel>
  );
}

/** How many records of a revision are looked at. */
const LOOKED_AT = 200;

interface ToldProps {
  readonly last: Candidate;
  readonly older: readonly Candidate[];
}

function Told({ last: { revision: last, entry }, older }: ToldProps) {
  const { revision, publishedAt, corrected, retired } = last;
  const all = corrected + retired;
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { before: revision + 1, limit: Math.min(all, LOOKED_AT) },
  };
  const asked = useAnswer<readonly Correction[]>(question);
  const first = asked.data?.find((each) => isCorrected(each, entry));
  // A fund that only got a new period was changed, but nothing in it was corrected.
  if (asked.data && !first && all <= LOOKED_AT) {
    return <Newest candidates={older} hadAdditions />;
  }
  return (
    <Panel
      title="Corrected last"
      class="headline"
      tools={
        <Take question={question} name="corrected-last" title="Corrected last" isTable={false} />
      }
    >
      <Shown asked={asked} what="what was corrected last">
        {() => (
          <>
            {first && <Sentence correction={first} entry={entry} />}
            <p class="quiet">
              {all > 1 && `one of ${grouped(all, 0)} records `}
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

/** Whether something that stood stands no more, but for the instants that a record is kept with. */
function isCorrected({ old, new: later }: Correction, entry: Entry): boolean {
  if (later === null) return true;
  const { added, removed, rest } = apart(differencesOf(entry, old, later));
  if (added.length === 0 || removed.length > 0) return true;
  return rest.some(({ measure }) => measure.kind !== 'instant');
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
