import { useContext } from 'preact/hooks';
import { diffRecords, isNumericField } from '../../catalogue/model/diff-records.ts';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { CorrectionEntry, DatasetEntry, RevisionEntry } from '../api/types.ts';
import { useLedger } from '../api/use-ledger.ts';
import { useQuery } from '../api/use-query.ts';
import { Panel } from '../components/panel.tsx';
import { LoadingState, QueryView } from '../components/query-view.tsx';
import { findMainDifference, separatePeriodChanges } from '../corrections/record-differences.ts';
import { ValueChange } from '../corrections/value-change.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { Link } from '../routing/link.tsx';
import { getRecordSubject } from './record-subject.ts';

/** What was corrected last, of one dataset or of all, in a sentence. */
export function LastCorrectionPanel({ dataset }: { readonly dataset: string | undefined }) {
  const { catalogue } = useContext(ExplorerContext);
  const { revisions, isComplete } = useLedger();
  const candidates = revisions.flatMap((revision): CandidateRevision[] => {
    const entry = catalogue.find(({ name }) => name === revision.dataset);
    const isWanted = !dataset || revision.dataset === dataset;
    return entry && isWanted && revision.corrected + revision.retired > 0
      ? [{ revision, entry }]
      : [];
  });
  if (candidates.length > 0 || isComplete) return <NewestCorrection candidates={candidates} />;
  return (
    <Panel title="Corrected last">
      <LoadingState subject="the ledger" />
    </Panel>
  );
}

/** A revision that changed what stood. */
interface CandidateRevision {
  readonly revision: RevisionEntry;
  readonly entry: DatasetEntry;
}

interface NewestCorrectionProps {
  readonly candidates: readonly CandidateRevision[];
  /** Whether there were others, which only added to what stood. */
  readonly hadAdditions?: boolean;
}

function NewestCorrection({ candidates, hadAdditions = false }: NewestCorrectionProps) {
  const [last, ...older] = candidates;
  if (last) return <CorrectionSummary key={last.revision.revision} last={last} older={older} />;
  return (
    <Panel title="Corrected last">
      <p>
        Nothing was corrected or retired so far: all that was published stands as it was
        {hadAdditions && ', though records got new periods'}.
      </p>
    </Panel>
  );
}

/** How many records of a revision are looked at. */
const MAX_EXAMINED_RECORDS = 200;

interface CorrectionSummaryProps {
  readonly last: CandidateRevision;
  readonly older: readonly CandidateRevision[];
}

function CorrectionSummary({ last: { revision: last, entry }, older }: CorrectionSummaryProps) {
  const { revision, publishedAt, corrected, retired } = last;
  const all = corrected + retired;
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { before: revision + 1, limit: Math.min(all, MAX_EXAMINED_RECORDS) },
  };
  const query = useQuery<readonly CorrectionEntry[]>(question);
  const first = query.data?.find((each) => isRealCorrection(each, entry));
  // A fund that only got a new period was changed, but nothing in it was corrected.
  if (query.data && !first && all <= MAX_EXAMINED_RECORDS) {
    return <NewestCorrection candidates={older} hadAdditions />;
  }
  return (
    <Panel
      title="Corrected last"
      class="headline"
      tools={
        <ExportMenu
          request={question}
          fileName="corrected-last"
          title="Corrected last"
          isTable={false}
        />
      }
    >
      <QueryView query={query} subject="what was corrected last">
        {() => (
          <>
            {first && <CorrectionSentence correction={first} entry={entry} />}
            <p class="muted">
              {all > 1 && `one of ${formatNumber(all, 0)} records `}
              in{' '}
              <Link view="ledger" params={{ revision: String(revision) }}>
                revision {revision}
              </Link>
              , published {formatInstantLabel(publishedAt)}
            </p>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

/** Whether something that stood stands no more, but for the instants that a record is kept with. */
function isRealCorrection({ old, new: later }: CorrectionEntry, entry: DatasetEntry): boolean {
  if (later === null) return true;
  const { added, removed, rest } = separatePeriodChanges(diffRecords(entry, old, later));
  if (added.length === 0 || removed.length > 0) return true;
  return rest.some(({ unitField }) => unitField.kind !== 'instant');
}

interface CorrectionSentenceProps {
  readonly correction: CorrectionEntry;
  readonly entry: DatasetEntry;
}

function CorrectionSentence({ correction: { old, new: later }, entry }: CorrectionSentenceProps) {
  const { label, view, params } = getRecordSubject(entry, old);
  const { added, removed, rest } = separatePeriodChanges(
    later ? diffRecords(entry, old, later) : [],
  );
  const periods = [
    ...describePeriodChanges(added, 'added'),
    ...describePeriodChanges(removed, 'taken out'),
  ];
  const first = findMainDifference(rest);
  // A fund says when it was modified too: that a period came is what people want to know.
  const isReported = first && (periods.length === 0 || isNumericField(first.unitField));
  const others = rest.length - 1;
  return (
    <p class="headline-text">
      <b>{entry.title}</b>,{' '}
      <Link view={view} params={params}>
        {label}
      </Link>
      {later === null && ': taken out'}
      {isReported && (
        <>
          : {first.label} <ValueChange of={{ ...first, measure: first.unitField }} isExact />
          {others > 0 && `, and ${others} more of its values`}
        </>
      )}
      {periods.length > 0 && `${isReported ? '; ' : ': '}${periods.join(', ')}`}
    </p>
  );
}

/** `Jun 2026 was added`, `3 periods were added`. */
function describePeriodChanges(periods: readonly string[], what: string): string[] {
  if (periods.length === 0) return [];
  const isOne = periods.length === 1;
  return [isOne ? `${periods[0]} was ${what}` : `${periods.length} periods were ${what}`];
}
