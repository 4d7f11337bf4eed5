import { useState } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/accept-datetime.ts';
import { go, usePlace } from '../address/place.ts';
import { instantWords } from '../figures/days.ts';
import { useDismissal } from '../parts/dismissal.ts';
import { Recent } from './recent.tsx';

/** Chooses the instant that the whole page looks at. */
export function AsOf() {
  const { at } = usePlace();
  const { root, isOpen, setOpen } = useDismissal<HTMLDivElement>();
  const look = (asof: string | undefined) => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
    go({ asof });
  };
  return (
    <div class="menu as-of" ref={root}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        As of {wordsOf(at.asof)} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <Instants asof={at.asof} onChoose={look} />}
    </div>
  );
}

function wordsOf(asof: string | undefined): string {
  if (asof === undefined) return 'now';
  return acceptDatetime.read(asof) ? instantWords(asof) : '?';
}

interface InstantsProps {
  readonly asof: string | undefined;
  readonly onChoose: (asof: string | undefined) => void;
}

function Instants({ asof, onChoose }: InstantsProps) {
  const shown = (asof === undefined ? undefined : acceptDatetime.read(asof)) ?? new Date();
  const [typed, type] = useState(shown.toISOString().slice(0, 19));
  const submit = (event: Event) => {
    event.preventDefault();
    onChoose(`${typed.length === 16 ? `${typed}:00` : typed}Z`);
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
            min="0001-01-01T00:00:00"
            max="9999-12-31T23:59:59"
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
      <Recent onChoose={onChoose} />
    </div>
  );
}
