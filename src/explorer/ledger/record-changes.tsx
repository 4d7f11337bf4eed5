import { diffRecords } from '../../catalogue/model/diff-records.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { ValueChangeList } from '../corrections/value-change.tsx';

interface RecordChangesProps {
  readonly entry: DatasetEntry;
  readonly old: JsonRecord;
  readonly new: JsonRecord;
}

const INITIAL_VALUES = 12;

/** The values that differ between two states of a record; many are folded away. */
export function RecordChanges({ entry, old, new: current }: RecordChangesProps) {
  const changes = diffRecords(entry, old, current).map(({ name, label, unitField, ...values }) => {
    return { key: name, title: label, hint: name, unitInfo: unitField, ...values };
  });
  const folded = changes.slice(INITIAL_VALUES);
  if (changes.length === 0) return <p class="muted">Only the order of its entries changed.</p>;
  return (
    <>
      <ValueChangeList changes={changes.slice(0, INITIAL_VALUES)} isExact />
      {folded.length > 0 && (
        <details>
          <summary>{folded.length} more of its values</summary>
          <ValueChangeList changes={folded} isExact />
        </details>
      )}
    </>
  );
}
