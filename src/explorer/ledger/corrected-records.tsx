import { useState } from 'preact/hooks';
import { diffRecords, type ValueDifference } from '../../catalogue/model/diff-records.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { ValueChangeList } from '../corrections/value-change.tsx';
import { Link } from '../routing/link.tsx';
import { getRecordSubject } from './record-subject.ts';

/** A record before and after. */
export interface CorrectedRecord {
  readonly old: JsonRecord;
  readonly new: JsonRecord;
}

/** More are drawn only where that is asked for. */
const INITIAL_RECORDS = 60;
const INITIAL_VALUES = 12;

interface CorrectedRecordListProps {
  readonly entry: DatasetEntry;
  readonly changes: readonly CorrectedRecord[];
}

/** Corrected records, each with what changed in it. */
export function CorrectedRecordList({ entry, changes }: CorrectedRecordListProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, INITIAL_RECORDS);
  return (
    <>
      <ul class="corrected-records">
        {shown.map((change, index) => (
          <CorrectedRecordItem key={index} entry={entry} change={change} />
        ))}
      </ul>
      {shown.length < changes.length && (
        <p class="list-footer">
          The first {shown.length} of {changes.length} that are here.{' '}
          <button type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

function CorrectedRecordItem({
  entry,
  change,
}: {
  readonly entry: DatasetEntry;
  readonly change: CorrectedRecord;
}) {
  const { label, view, params } = getRecordSubject(entry, change.new);
  const all = diffRecords(entry, change.old, change.new);
  const more = all.slice(INITIAL_VALUES);
  return (
    <li>
      <h3>
        <Link view={view} params={params}>
          {label}
        </Link>
      </h3>
      {all.length === 0 && <p class="muted">Nothing but the order of its entries changed.</p>}
      <DifferenceList all={all.slice(0, INITIAL_VALUES)} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more of its values</summary>
          <DifferenceList all={more} />
        </details>
      )}
    </li>
  );
}

function DifferenceList({ all }: { readonly all: readonly ValueDifference[] }) {
  const named = all.map(({ name, label, unitField, old, new: later }) => {
    return { key: name, title: label, hint: name, measure: unitField, old, new: later };
  });
  return <ValueChangeList all={named} isExact />;
}
