import { createLookupTable } from '../../shared/lookup-table.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { formatSeriesKey } from '../corrections/revision-corrections.ts';
import { formatChoices, listDimensions } from '../datasets/dimensions.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { createFundNamer, FUND_LIST_REQUEST, type ListedFund } from '../funds/fund-record.ts';
import { ViewLink, type ViewName } from '../routing/view-route.tsx';

/** A link to the page of a record: its security, fund or series, or the dataset it declares. */
export function RecordLink({ entry, record }: { entry: DatasetEntry; record: JsonRecord }) {
  if (entry.shape === 'series') {
    const values = listDimensions(entry).map((field) => ({ chosen: [String(record[field])] }));
    return (
      <ViewLink view="payments" params={{ series: entry.name, of: formatChoices(values) }}>
        {formatSeriesKey(entry, record)}
      </ViewLink>
    );
  }
  if ('symbol' in record) {
    const symbol = String(record.symbol);
    return (
      <ViewLink view="security" params={{ symbol }}>
        {symbol}
        {entry.shape === 'quotes' && `, ${formatDayLabel(String(record.date))}`}
      </ViewLink>
    );
  }
  if ('calendar' in record) {
    const day = formatDayLabel(String(record.date));
    return <DatasetLink entry={entry} title={`${record.calendar}, ${day}`} />;
  }
  const { fund_id, name } = record;
  const id = String(fund_id ?? name);
  return (
    <ViewLink
      {...(fund_id === undefined ? seriesLink(id) : { view: 'funds', params: { fund: id } })}
    >
      {fund_id === undefined ? id : <FundName id={id} />}
    </ViewLink>
  );
}

function FundName({ id }: { readonly id: string }) {
  const { data = [] } = useQuery<readonly ListedFund[]>(FUND_LIST_REQUEST);
  return createFundNamer(data)(id);
}

/** The views of datasets other than series, by path. */
const DATASET_VIEWS: Readonly<Record<string, ViewName>> = createLookupTable({
  '/2.0/bnb/securities': 'security',
  '/3.0/funds/allocation': 'funds',
  '/3.0/funds': 'funds',
  '/catalogue': 'payments',
});

const seriesLink = (series: string) => ({ view: 'payments', params: { series } }) as const;

export function DatasetLink(props: { readonly entry: DatasetEntry; readonly title?: string }) {
  const { name, shape, path, title } = props.entry;
  const target = shape === 'series' ? seriesLink(name) : { view: DATASET_VIEWS[path] ?? 'market' };
  return <ViewLink {...target}>{props.title ?? title}</ViewLink>;
}
