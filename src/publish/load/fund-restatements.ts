import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import type { CurrentFund } from '../records/draft-record.ts';

/** Whether a fund changes figures of periods that are published; new periods change none. */
export async function restatesFund(
  transaction: Pick<PublishTransaction, 'read'>,
  dataset: Dataset,
  record: AnyRecord,
): Promise<boolean> {
  const { fund_id: id, periods, rows } = record as AnyRecord & CurrentFund;
  const { records } = await transaction.read({ kind: 'fund', dataset, id: String(id) });
  if (records === '') return false;
  const published = JSON.parse(records) as CurrentFund;
  const newIndexes = new Map(periods.map(({ date }, index) => [date, index]));
  const newValues = new Map(rows.map(({ label, values }) => [label, values]));
  return published.periods.some(({ date }, index) => {
    const newIndex = newIndexes.get(date);
    if (newIndex === undefined) return false;
    return published.rows.some(
      ({ label, values }) => values[index] !== (newValues.get(label)?.[newIndex] ?? 0),
    );
  });
}
