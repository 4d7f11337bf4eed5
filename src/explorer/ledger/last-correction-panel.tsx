import { useExplorer } from '../api/explorer-context.ts';
import type { CorrectionEntry, RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { ErrorState, Panel } from '../components/panel.tsx';
import { RevisionLink } from '../corrections/corrections-panel.tsx';
import { hasOnlyAddedPeriods } from '../corrections/revision-corrections.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { MAX_EXAMINED_CORRECTIONS } from './count-extensions.ts';
import { RecordLink } from './record-link.tsx';
import { RecordChanges } from './revision-changes.tsx';

/** A record that a revision corrected or retired. */
export function LastCorrectionPanel({ revision }: { readonly revision: RevisionEntry }) {
  const { catalogue } = useExplorer();
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  const request = {
    path: `/corrections/${revision.dataset}`,
    parameters: { before: revision.revision + 1, limit: MAX_EXAMINED_CORRECTIONS },
  };
  const { data, failure } = useQuery<readonly CorrectionEntry[]>(entry && request);
  const correction = data?.find(
    (each) => each.revision === revision.revision && entry && !hasOnlyAddedPeriods(each, entry),
  );
  if (failure && !data) return <ErrorState failure={failure} />;
  if (!entry || !correction) return null;
  const { old, new: current } = correction;
  const count = revision.corrected + revision.retired;
  return (
    <Panel title="Latest correction" exported={{ request }}>
      <p>
        <b>{entry.title}</b>, <RecordLink entry={entry} record={old} />
        {!current && ': retired'}
      </p>
      {current && <RecordChanges entry={entry} old={old} new={current} />}
      <p class="muted">
        {count > 1 && `One of ${formatNumber(count, 0)} records in `}
        <RevisionLink {...revision} />
      </p>
    </Panel>
  );
}
