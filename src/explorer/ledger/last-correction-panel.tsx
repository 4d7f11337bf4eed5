import { useExplorer } from '../api/explorer-context.ts';
import type { CorrectionEntry, DatasetEntry, RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Panel, QueryView } from '../components/panel.tsx';
import { RevisionLink } from '../corrections/corrections-panel.tsx';
import { isExtension } from '../corrections/revision-corrections.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { hasCorrections } from './count-extensions.ts';
import { RecordLink } from './record-link.tsx';
import { RecordChanges } from './revision-changes.tsx';

/** The newest correction of a dataset, or of all; nothing where nothing was corrected. */
export function LastCorrectionPanel({ dataset }: { readonly dataset: string | undefined }) {
  const { catalogue } = useExplorer();
  const candidates = useLedger().flatMap((revision): Candidate[] => {
    const entry = catalogue.find(({ name }) => name === revision.dataset);
    const isSelected = !dataset || revision.dataset === dataset;
    return entry && isSelected && hasCorrections(revision) ? [{ revision, entry }] : [];
  });
  return <NewestCorrection candidates={candidates} />;
}

/** A revision that changed published records. */
interface Candidate {
  readonly revision: RevisionEntry;
  readonly entry: DatasetEntry;
}

function NewestCorrection({ candidates }: { readonly candidates: readonly Candidate[] }) {
  const [newest, ...older] = candidates;
  if (!newest) return null;
  return <CandidatePanel key={newest.revision.revision} {...newest} older={older} />;
}

/** How many changes of a revision are searched for a correction. */
const MAX_EXAMINED_RECORDS = 200;

function CandidatePanel(props: Candidate & { older: readonly Candidate[] }) {
  const { revision, entry, older } = props;
  const count = revision.corrected + revision.retired;
  const request = {
    path: `/corrections/${entry.name}`,
    parameters: { before: revision.revision + 1, limit: Math.min(count, MAX_EXAMINED_RECORDS) },
  };
  const query = useQuery<readonly CorrectionEntry[]>(request);
  const correction = query.data?.find((candidate) => !isExtension(candidate, entry));
  if (query.data && !correction && count <= MAX_EXAMINED_RECORDS) {
    return <NewestCorrection candidates={older} />;
  }
  return (
    <Panel title="Latest correction" exported={{ request }}>
      <QueryView query={query} subject="the latest correction">
        {() => (
          <>
            {correction && (
              <p>
                <b>{entry.title}</b>, <RecordLink entry={entry} record={correction.old} />
                {!correction.new && ': retired'}
              </p>
            )}
            {correction?.new && (
              <RecordChanges entry={entry} old={correction.old} new={correction.new} />
            )}
            <p class="muted">
              {count > 1 && `One of ${formatNumber(count, 0)} records in `}
              <RevisionLink {...revision} />
            </p>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

/** Every revision, with the older ones once they are there. */
function useLedger(): readonly RevisionEntry[] {
  const { revisions, hasOlder } = useExplorer();
  const before = hasOlder ? revisions.at(-1)?.revision : undefined;
  const { data: older } = useQuery<readonly RevisionEntry[]>(
    before === undefined
      ? undefined
      : { path: '/revisions', parameters: { before, limit: 10_000 }, allPages: true },
  );
  return [...revisions, ...(older ?? [])];
}
