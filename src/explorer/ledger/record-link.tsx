import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { Link } from '../routing/view-route.tsx';

/** A link to where a record is shown: its security, its fund or its series. */
export function RecordLink({ entry, record }: { entry: DatasetEntry; record: JsonRecord }) {
  if (entry.shape === 'series') {
    return <DatasetLink entry={entry} title={String(record[entry.period?.field ?? ''])} />;
  }
  if ('symbol' in record) {
    const symbol = String(record.symbol);
    return (
      <Link view="security" params={{ symbol }}>
        {symbol}
        {entry.shape === 'quotes' && `, ${formatDayLabel(String(record.date))}`}
      </Link>
    );
  }
  const fund = String(record.fund_id);
  return (
    <Link view="funds" params={{ fund }}>
      {fund}
    </Link>
  );
}

/** Where the datasets that are no series are shown, by their paths. */
const DATASET_VIEWS: Readonly<Record<string, 'market' | 'security' | 'funds'>> = {
  '/2.0/bnb/quote': 'market',
  '/2.0/bnb/securities': 'security',
  '/3.0/funds/allocation': 'funds',
  '/3.0/funds': 'funds',
};

export function DatasetLink(props: { readonly entry: DatasetEntry; readonly title?: string }) {
  const { name, shape, path, title } = props.entry;
  const view = shape === 'series' ? 'payments' : (DATASET_VIEWS[path] ?? 'market');
  return (
    <Link view={view} params={shape === 'series' ? { series: name } : {}}>
      {props.title ?? title}
    </Link>
  );
}
