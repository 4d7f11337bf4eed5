import { useState } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import { useDismissible } from '../components/use-dismissible.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { RecentRevisions } from './recent-revisions.tsx';

/** Chooses the instant that the whole page looks at. */
export function AsOfMenu() {
  const { params } = useViewRoute();
  const { root, isOpen, setOpen } = useDismissible<HTMLDivElement>();
  const look = (asof: string | undefined) => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
    updateParams({ asof });
  };
  return (
    <div class="menu as-of" ref={root}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        As of {formatAsOf(params.asof)} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <AsOfForm asof={params.asof} onChoose={look} />}
    </div>
  );
}

function formatAsOf(asof: string | undefined): string {
  if (asof === undefined) return 'now';
  return acceptDatetime.parse(asof) ? formatInstantLabel(asof) : '?';
}

interface AsOfFormProps {
  readonly asof: string | undefined;
  readonly onChoose: (asof: string | undefined) => void;
}

function AsOfForm({ asof, onChoose }: AsOfFormProps) {
  const shown = (asof === undefined ? undefined : acceptDatetime.parse(asof)) ?? new Date();
  const [typed, type] = useState(shown.toISOString().slice(0, 19));
  const submit = (event: Event) => {
    event.preventDefault();
    onChoose(`${typed.length === 16 ? `${typed}:00` : typed}Z`);
  };
  return (
    <div class="dropdown">
      <form onSubmit={submit}>
        <label for="as-of-instant">Everything as it stood at (UTC)</label>
        <div class="input-row">
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
      <RecentRevisions onChoose={onChoose} />
    </div>
  );
}
