import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { getDatasetTitle } from '../api/types.ts';
import { formatInstantLabel, getInstantBefore } from '../formatting/dates.ts';

const MAX_LISTED_REVISIONS = 8;

/** What was published last, to look at everything right before it. */
export function RecentRevisions({ onChoose }: { readonly onChoose: (asof: string) => void }) {
  const { catalogue, revisions } = useContext(ExplorerContext);
  if (revisions.length === 0) return <p class="help">Nothing had been published by then.</p>;
  return (
    <>
      <p class="help">Or right before something was published:</p>
      <ul>
        {revisions
          .slice(0, MAX_LISTED_REVISIONS)
          .map(({ revision, dataset, publishedAt, source }) => (
            <li key={revision}>
              <button type="button" onClick={() => onChoose(getInstantBefore(publishedAt))}>
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
