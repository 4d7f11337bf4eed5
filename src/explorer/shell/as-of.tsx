import { useContext, useState } from 'preact/hooks';
import { go, usePlace } from '../address/place.ts';
import { instantWords } from '../figures/days.ts';
import { useDismissal } from '../parts/dismissal.ts';
import { ServiceContext } from '../service/service.ts';

/** Chooses the instant that the whole page looks at. */
export function AsOf() {
  const { at } = usePlace();
  const { root, isOpen, setOpen } = useDismissal<HTMLDivElement>();
  const look = (asof: string | undefined) => {
    setOpen(false);
    go({ asof });
  };
  return (
    <div class="menu as-of" ref={root}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        As of {at.asof === undefined ? 'now' : instantWords(at.asof)}{' '}
        <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <Instants asof={at.asof} onChoose={look} />}
    </div>
  );
}

interface InstantsProps {
  readonly asof: string | undefined;
  readonly onChoose: (asof: string | undefined) => void;
}

const LISTED = 8;

function Instants({ asof, onChoose }: InstantsProps) {
  const { revisions } = useContext(ServiceContext);
  const [typed, type] = useState((asof ?? new Date().toISOString()).slice(0, 19));
  const submit = (event: Event) => {
    event.preventDefault();
    const instant = new Date(`${typed}Z`);
    if (!Number.isNaN(instant.getTime())) onChoose(instant.toISOString().replace('.000Z', 'Z'));
  };
  return (
    <div class="sheet">
      <form onSubmit={submit}>
        <label for="as-of-instant">Everything as it stood at (UTC)</label>
        <div class="side-by-side">
          <input
            id="as-of-instant"
            type="datetime-local"
            step="1"
            required
            value={typed}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
          <button type="submit" class="primary">
            Look
          </button>
        </div>
      </form>
      {asof !== undefined && (
        <button type="button" onClick={() => onChoose(undefined)}>
          Back to now
        </button>
      )}
      <p class="help">Or right before something was published:</p>
      <ul>
        {revisions.slice(0, LISTED).map(({ revision, publishedAt, source }) => (
          <li key={revision}>
            <button type="button" onClick={() => onChoose(justBefore(publishedAt))}>
              <b>{revision}</b> {source} <small>{instantWords(publishedAt)}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The last instant at which it was not yet there. */
function justBefore(publishedAt: string): string {
  return new Date(Date.parse(publishedAt) - 1).toISOString();
}
