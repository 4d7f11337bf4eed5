import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { Link } from '../routing/link.tsx';

interface DatasetLinkProps {
  readonly entry: DatasetEntry;
}

/** A link to the view of a dataset. */
export function DatasetLink({ entry }: DatasetLinkProps) {
  const { name, title, shape } = entry;
  if (shape === 'quotes') return <Link view="market">{title}</Link>;
  if (shape === 'fund') return <Link view="funds">{title}</Link>;
  return (
    <Link view="payments" params={{ series: name }}>
      {title}
    </Link>
  );
}

interface RecordLinkProps extends DatasetLinkProps {
  readonly record: JsonRecord;
}

/** A link to where a record is shown: its security, its fund or its series. */
export function RecordLink({ entry, record }: RecordLinkProps) {
  const { name, shape, period } = entry;
  if (shape === 'quotes') {
    const symbol = String(record.symbol);
    return (
      <Link view="security" params={{ symbol }}>
        {symbol}, {formatDayLabel(String(record.date))}
      </Link>
    );
  }
  if (shape === 'fund') {
    const fund = String(record.fund_id);
    return (
      <Link view="funds" params={{ fund }}>
        {fund}
      </Link>
    );
  }
  return (
    <Link view="payments" params={{ series: name }}>
      {String(record[period?.field ?? ''])}
    </Link>
  );
}
