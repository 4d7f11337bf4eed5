import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import type { ParamChanges, View } from '../routing/view-route.ts';

/** What a record is about, and where the page shows that. */
interface RecordSubject {
  readonly words: string;
  readonly view: View;
  readonly at: ParamChanges;
}

type DatasetInfo = Pick<DatasetEntry, 'name' | 'shape' | 'period'>;

/** The security and day, the fund or the period that a record is of. */
export function getRecordSubject(entry: DatasetInfo, record: JsonRecord): RecordSubject {
  if (entry.shape === 'quotes') {
    const symbol = String(record.symbol);
    const words = `${symbol}, ${formatDayLabel(String(record.date))}`;
    return { words, view: 'security', at: { symbol } };
  }
  if (entry.shape === 'fund') {
    const fund = String(record.fund_id);
    return { words: fund, view: 'funds', at: { fund } };
  }
  return { words: String(record[entry.period?.field ?? '']), ...getDatasetRoute(entry) };
}

/** Where the page shows a whole dataset. */
export function getDatasetRoute({ name, shape }: DatasetInfo): Omit<RecordSubject, 'words'> {
  if (shape === 'quotes') return { view: 'market', at: {} };
  return shape === 'fund' ? { view: 'funds', at: {} } : { view: 'payments', at: { series: name } };
}
