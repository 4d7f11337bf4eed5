import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { go, usePlace } from '../address/place.ts';
import { Empty, Shown } from '../parts/states.tsx';
import type { Question } from '../service/api.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';
import { useTitle } from '../shell/titles.ts';
import { Done } from './done.tsx';
import { STEPS, type WholeRevision } from './whole-revision.ts';

/** One revision: what it is, what it changed, what it was made from. */
export function OneRevision({ text }: { readonly text: string }) {
  const { revision: newest, api } = useContext(ServiceContext);
  const { at } = usePlace();
  useTitle(`Revision ${text}`);
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const isLater = api.asOf !== undefined && number !== undefined && number > newest;
  const limit = STEPS.find((step) => String(step) === at.most) ?? STEPS[0];
  const question: Question = { path: `/revisions/${number}`, parameters: { limit } };
  const asked = useAnswer<WholeRevision>(number === undefined || isLater ? undefined : question);
  const isThere = asked.failure?.kind !== 'not_found' && number !== undefined;
  return (
    <>
      <p>
        <Link to="ledger">‹ All revisions</Link>
      </p>
      <h1>Revision {text}</h1>
      {isLater ? (
        <Empty title="It was published after the instant that you look at">
          Revision {newest} stood then.{' '}
          <button type="button" onClick={() => go({ asof: undefined })}>
            Back to now
          </button>
        </Empty>
      ) : isThere ? (
        <Shown asked={asked} what={`revision ${text}`}>
          {(revision) => <Done revision={revision} question={question} />}
        </Shown>
      ) : (
        <Empty title="There is no such revision">
          Revisions have the numbers from 1 to {newest}. <Link to="ledger">Show all of them</Link>
        </Empty>
      )}
    </>
  );
}
