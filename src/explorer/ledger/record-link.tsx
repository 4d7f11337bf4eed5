import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { Link } from '../routing/link.tsx';

interface RecordLinkProps {
  readonly entry: DatasetEntry;
  readonly record: JsonRecord;
}

/** A link to where a record is shown: its security, its fund or its series. */
export function RecordLink({ entry, record }: RecordLinkProps) {
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

interface DatasetLinkProps {
  readonly entry: DatasetEntry;
  readonly title?: string;
}

/** A link to the view of a dataset. */
export function DatasetLink({ entry: { name, shape, ...entry }, title }: DatasetLinkProps) {
  const view = shape === 'quotes' ? 'market' : shape === 'fund' ? 'funds' : 'payments';
  return (
    <Link view={view} params={shape === 'series' ? { series: name } : {}}>
      {title ?? entry.title}
    </Link>
  );
}
