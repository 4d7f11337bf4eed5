import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { getDatasetTitle } from '../api/types.ts';
import { formatInstantLabel, getInstantBefore } from '../formatting/dates.ts';

const MAX_LISTED_REVISIONS = 8;

/** The last publications, to view the data as of just before one. */
export function RecentRevisions({ onSelect }: { readonly onSelect: (instant: string) => void }) {
  const { catalogue, revisions } = useContext(ExplorerContext);
  if (revisions.length === 0) return <p class="help">Nothing had been published by then.</p>;
  const recent = revisions.slice(0, MAX_LISTED_REVISIONS);
  return (
    <>
      <p class="help">Or just before a publication:</p>
      <ul>
        {recent.map(({ revision, dataset, publishedAt, source }) => (
          <li key={revision}>
            <button type="button" onClick={() => onSelect(getInstantBefore(publishedAt))}>
              <b>{revision}</b> {getDatasetTitle(catalogue, dataset)}
              <small>
                {formatInstantLabel(publishedAt)} · {source}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
