import { useContext } from 'preact/hooks';
import { instantWords, justBefore } from '../figures/days.ts';
import { titleOf } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';

const LISTED = 8;

/** What was published last, to look at everything right before it. */
export function Recent({ onChoose }: { readonly onChoose: (asof: string) => void }) {
  const { catalogue, revisions } = useContext(ServiceContext);
  if (revisions.length === 0) return <p class="help">Nothing had been published by then.</p>;
  return (
    <>
      <p class="help">Or right before something was published:</p>
      <ul>
        {revisions.slice(0, LISTED).map(({ revision, dataset, publishedAt, source }) => (
          <li key={revision}>
            <button type="button" onClick={() => onChoose(justBefore(publishedAt))}>
              <b>{revision}</b> {titleOf(catalogue, dataset)}
              <small>
                {instantWords(publishedAt)} · {source}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
