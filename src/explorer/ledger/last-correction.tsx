import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { instantWords } from '../figures/days.ts';
import { grouped } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { Loading, Shown } from '../parts/states.tsx';
import type { Correction, Entry, Revision } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';
import { useLedger } from '../service/use-ledger.ts';
import { Take } from '../take/take.tsx';
import { OldAndNew } from './corrected.tsx';
import { differences, foremost } from './differences.ts';
import { subjectOf } from './subject.ts';

/** What was corrected last, of one dataset or of all, in a sentence. */
export function LastCorrection({ dataset }: { readonly dataset: string | undefined }) {
  const { catalogue } = useContext(ServiceContext);
  const { revisions, isWhole } = useLedger();
  const last = revisions.find(
    (each) => each.corrected + each.retired > 0 && (!dataset || each.dataset === dataset),
  );
  const entry = catalogue.find(({ name }) => name === last?.dataset);
  if (last && entry) return <Told last={last} entry={entry} />;
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
  const all = later ? differences(entry, old, later) : [];
  const first = foremost(all);
  return (
    <p class="sentence">
      <b>{entry.title}</b>,{' '}
      <Link to={view} at={at}>
        {words}
      </Link>
      {later === null && ': taken out'}
      {first && (
        <>
          : {first.words} <OldAndNew difference={first} />
        </>
      )}
      {all.length > 1 && `, and ${all.length - 1} more of its values`}
    </p>
  );
}
