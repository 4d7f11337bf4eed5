import type { DatasetEntry } from '../api/types.ts';
import { Panel } from '../components/panel.tsx';
import { formatNumber } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.ts';
import { type CorrectedRecord, CorrectedRecordList } from './corrected-records.tsx';
import { CHANGE_LIMITS, type FullRevision } from './full-revision.ts';
import { RecordsTable } from './records-table.tsx';

interface RevisionChangesProps {
  readonly revision: FullRevision;
  readonly entry: DatasetEntry;
}

/** What a revision did to records: corrected, retired, added. */
export function RevisionChanges({ revision, entry }: RevisionChangesProps) {
  const { changes, corrected, retired, added } = revision;
  const corrections = changes.filter(isCorrection);
  const old = changes.flatMap(({ change, old: was }) => (change === 'retired' && was ? [was] : []));
  const recent = changes.flatMap(({ change, new: is }) => (change === 'added' && is ? [is] : []));
  const cut = (shown: number, all: number) => (
    <TruncationNote shown={shown} all={all} asked={changes.length} name={entry.name} />
  );
  return (
    <>
      {corrected > 0 && (
        <Panel title="Corrected" lead="What changed in each record, and nothing else.">
          <CorrectedRecordList entry={entry} changes={corrections} />
          {cut(corrections.length, corrected)}
        </Panel>
      )}
      {retired > 0 && (
        <Panel
          title="Retired"
          class="records"
          lead="Records that were taken out, as they last stood."
        >
          <RecordsTable entry={entry} records={old} caption="Retired records" />
          {cut(old.length, retired)}
        </Panel>
      )}
      {added > 0 && (
        <Panel title="Added" class="records" lead="Records that were not there before.">
          <RecordsTable entry={entry} records={recent} caption="Added records" />
          {cut(recent.length, added)}
        </Panel>
      )}
    </>
  );
}

type RevisionChange = FullRevision['changes'][number];

function isCorrection(change: RevisionChange): change is RevisionChange & CorrectedRecord {
  return change.change === 'corrected' && change.old !== null && change.new !== null;
}

interface TruncationNoteProps {
  readonly shown: number;
  readonly all: number;
  /** How many changes of all kinds were answered with. */
  readonly asked: number;
  readonly name: string;
}

/** Says what is left out, and how to see it. */
function TruncationNote({ shown, all, asked, name }: TruncationNoteProps) {
  if (shown >= all) return null;
  const more = CHANGE_LIMITS.find((step) => step > asked);
  return (
    <p class="list-footer">
      The first {formatNumber(shown, 0)} of {formatNumber(all, 0)}.{' '}
      {more === undefined ? (
        <>
          The service tells no more of one revision; the whole dataset is at{' '}
          <code>/exports/{name}.csv</code>.
        </>
      ) : (
        <button type="button" onClick={() => updateParams({ most: String(more) })}>
          Show up to {formatNumber(more, 0)}
        </button>
      )}
    </p>
  );
}
