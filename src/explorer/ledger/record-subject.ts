import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import type { ParamChanges, View } from '../routing/view-route.ts';

/** What a record is about, and where the page shows that. */
interface RecordSubject {
  readonly label: string;
  readonly view: View;
  readonly params: ParamChanges;
}

type DatasetInfo = Pick<DatasetEntry, 'name' | 'shape' | 'period'>;

/** The security and day, the fund or the period that a record is of. */
export function getRecordSubject(entry: DatasetInfo, record: JsonRecord): RecordSubject {
  if (entry.shape === 'quotes') {
    const symbol = String(record.symbol);
    const words = `${symbol}, ${formatDayLabel(String(record.date))}`;
    return { label: words, view: 'security', params: { symbol } };
  }
  if (entry.shape === 'fund') {
    const fund = String(record.fund_id);
    return { label: fund, view: 'funds', params: { fund } };
  }
  return { label: String(record[entry.period?.field ?? '']), ...getDatasetRoute(entry) };
}

/** Where the page shows a whole dataset. */
export function getDatasetRoute({ name, shape }: DatasetInfo): Omit<RecordSubject, 'label'> {
  if (shape === 'quotes') return { view: 'market', params: {} };
  return shape === 'fund'
    ? { view: 'funds', params: {} }
    : { view: 'payments', params: { series: name } };
}
