import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { go, usePlace } from '../address/place.ts';
import { Choices } from '../parts/choices.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Question } from '../service/api.ts';
import type { Revision } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { LastCorrection } from './last-correction.tsx';
import { Revisions } from './revisions.tsx';

const PAGE = 50;

const KINDS = [
  { key: 'all', text: 'All' },
  { key: 'changes', text: 'Corrections and retirements' },
] as const;

/** The list of revisions, newest first, and what was corrected last. */
export function List() {
  const { catalogue, api, revision } = useContext(ServiceContext);
  const { at } = usePlace();
  const { dataset } = at;
  const isKnown = !dataset || catalogue.some(({ name }) => name === dataset);
  const isOfChanges = at.kind === 'changes';
  // The list tells of the present: what came after the instant is left out by its number.
  const until = api.asOf === undefined ? undefined : revision + 1;
  const question = isOfChanges ? wholeOf(dataset) : pageOf(dataset, earlier(at.before, until));
  const asked = useAnswer<readonly Revision[]>(question);
  return (
    <>
      <h1>Ledger</h1>
      {isKnown && <LastCorrection dataset={dataset} />}
      <Panel
        title="What was published"
        class="ledger"
        lead="Every publication is a numbered revision. What it replaced or took out is kept."
        tools={
          <>
            <select
              aria-label="Dataset"
              value={dataset ?? ''}
              onChange={(event) => go({ dataset: event.currentTarget.value, before: undefined })}
            >
              <option value="">All datasets</option>
              {catalogue.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
            <Choices
              label="Which revisions"
              options={KINDS}
              chosen={isOfChanges ? 'changes' : 'all'}
              onChoose={(kind) =>
                go({ kind: kind === 'all' ? undefined : kind, before: undefined })
              }
            />
            <Take question={question} name="revisions" title="Revisions" isTable={false} />
          </>
        }
      >
        <Shown asked={asked} what="revisions">
          {(all) => {
            const known = until === undefined ? all : all.filter((r) => r.revision < until);
            const shown = isOfChanges ? known.filter(isChange) : known;
            return (
              <>
                {shown.length > 0 ? <Revisions rows={shown} /> : <Nothing />}
                <Pages shown={shown} next={asked.meta?.next} isOfChanges={isOfChanges} />
              </>
            );
          }}
        </Shown>
      </Panel>
    </>
  );
}

function pageOf(dataset: string | undefined, before: string | number | undefined): Question {
  return { path: '/revisions', parameters: { dataset, before, limit: PAGE } };
}

/** Which of them changed something is not for the service to sort out: all are looked at. */
function wholeOf(dataset: string | undefined): Question {
  return { path: '/revisions', parameters: { dataset, limit: 10_000 }, whole: true };
}

function isChange({ corrected, retired }: Revision): boolean {
  return corrected + retired > 0;
}

/** What the address asks for goes to the service as it is, which says so where it makes no sense. */
function earlier(before: string | undefined, until: number | undefined) {
  return until !== undefined && !(Number(before) < until) ? until : before;
}

function Nothing() {
  const { at } = usePlace();
  if (at.dataset || at.kind || at.before) {
    return (
      <Empty title="No revision fits these choices">
        <Link to="ledger">Show every revision</Link>
      </Empty>
    );
  }
  return (
    <Empty title="There are no revisions">
      {at.asof ? (
        <Link to="ledger" at={{ asof: undefined }}>
          Back to now
        </Link>
      ) : (
        'Whatever is loaded with npx tenor load is listed here.'
      )}
    </Empty>
  );
}

interface PagesProps {
  readonly shown: readonly Revision[];
  /** Where the service says that it goes on. */
  readonly next: string | undefined;
  readonly isOfChanges: boolean;
}

function Pages({ shown, next, isOfChanges }: PagesProps) {
  const { at } = usePlace();
  const { before, ...rest } = at;
  const older = next && new URL(next).searchParams.get('before');
  if (isOfChanges) return <p class="more">{`That is all: ${shown.length}.`}</p>;
  return (
    <p class="more pages">
      {before !== undefined && (
        <Link to="ledger" at={rest}>
          ‹ Newest
        </Link>
      )}
      <span>
        {shown.length > 0 && `Revisions ${shown[0]?.revision} to ${shown.at(-1)?.revision}`}
        {!older && shown.length > 0 && ': there are no older ones'}
      </span>
      {older && (
        <Link to="ledger" at={{ ...rest, before: older }}>
          Older ›
        </Link>
      )}
    </p>
  );
}
