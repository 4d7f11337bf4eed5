import { useState } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/model/parameter.ts';
import { useExplorer } from '../api/explorer-context.ts';
import { getDatasetTitle } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { formatInstantLabel, getInstantBefore } from '../formatting/dates.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';

export function AsOfMenu() {
  const { asof } = useViewRoute().params;
  const parsed = asof === undefined ? undefined : acceptDatetime.parse(asof);
  const label = asof === undefined ? 'now' : parsed ? formatInstantLabel(asof) : '?';
  return (
    <Menu label={`As of ${label}`} class="as-of">
      {(close) => <AsOfForm initial={parsed ?? new Date()} close={close} />}
    </Menu>
  );
}

function AsOfForm({ initial, close }: { readonly initial: Date; readonly close: () => void }) {
  const [input, setInput] = useState(initial.toISOString().slice(0, 19));
  const select = (instant: string) => {
    close();
    updateParams({ asof: instant });
  };
  const submit = (event: Event) => {
    event.preventDefault();
    select(`${input.length === 16 ? `${input}:00` : input}Z`);
  };
  return (
    <>
      <form onSubmit={submit}>
        <label for="as-of-instant">Show data as of (UTC)</label>
        <div class="input-row">
          <input
            id="as-of-instant"
            type="datetime-local"
            step="1"
            min="0001-01-01T00:00:00"
            max="9999-12-31T23:59:59"
            required
            value={input}
            onInput={({ currentTarget }) => setInput(currentTarget.value)}
          />
          <button type="submit" class="primary">
            Apply
          </button>
        </div>
      </form>
      <RecentRevisions onSelect={select} />
    </>
  );
}

const MAX_LISTED_REVISIONS = 8;

/** The last publications, to view the data as of just before each. */
function RecentRevisions({ onSelect }: { readonly onSelect: (instant: string) => void }) {
  const { catalogue, revisions } = useExplorer();
  if (revisions.length === 0) return <p class="help">Nothing had been published by then.</p>;
  const recent = revisions.slice(0, MAX_LISTED_REVISIONS);
  return (
    <>
      <p class="help">Or just before a publication:</p>
      <ul>
        {recent.map(({ revision, dataset, publishedAt, source }) => (
          <li key={revision}>
            <Button onClick={() => onSelect(getInstantBefore(publishedAt))}>
              <b>{revision}</b> {getDatasetTitle(catalogue, dataset)}
              <small>
                {formatInstantLabel(publishedAt)} · {source}
              </small>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
