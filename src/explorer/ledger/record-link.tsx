import { diffRecords } from '../../catalogue/model/diff-records.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { ValueChangeList } from '../corrections/value-change.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { Link } from '../routing/view-route.tsx';

/** A link to where a record is shown: its security, its fund or its series. */
export function RecordLink({ entry, record }: { entry: DatasetEntry; record: JsonRecord }) {
  if (entry.shape === 'quotes') {
    const symbol = String(record.symbol);
    return (
      <Link view="security" params={{ symbol }}>
        {symbol}, {formatDayLabel(String(record.date))}
      </Link>
    );
  }
  if (entry.shape === 'series') {
    return <DatasetLink entry={entry} title={String(record[entry.period?.field ?? ''])} />;
  }
  const fund = String(record.fund_id);
  return (
    <Link view="funds" params={{ fund }}>
      {fund}
    </Link>
  );
}

export function DatasetLink(props: { readonly entry: DatasetEntry; readonly title?: string }) {
  const {
    entry: { name, shape, ...entry },
    title,
  } = props;
  const view = shape === 'quotes' ? 'market' : shape === 'fund' ? 'funds' : 'payments';
  return (
    <Link view={view} params={shape === 'series' ? { series: name } : {}}>
      {title ?? entry.title}
    </Link>
  );
}

const INITIAL_VALUES = 12;

/** The values that differ between two states of a record; many are folded away. */
export function RecordChanges(props: { entry: DatasetEntry; old: JsonRecord; new: JsonRecord }) {
  const { entry, old, new: current } = props;
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
