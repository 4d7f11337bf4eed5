import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { isSameLabelKind } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';

/** The labels of a series' current records by their ordinals; empty for other datasets. */
export async function readCurrentLabels(
  transaction: Pick<PublishTransaction, 'read'>,
  dataset: Dataset,
): Promise<ReadonlyMap<number, string>> {
  const labels = new Map<number, string>();
  if (!dataset.period) return labels;
  const { field, kind } = dataset.period;
  const { records } = await transaction.read({ kind: 'series', dataset });
  for (const record of JSON.parse(`[${records}]`) as AnyRecord[]) {
    const label = String(record[field]);
    const ordinal = kind.toOrdinal(label);
    if (ordinal !== undefined) labels.set(ordinal, label);
  }
  return labels;
}

/** Finds valid records that would replace one whose label is of another kind. */
export async function createLabelCheck(
  transaction: Pick<PublishTransaction, 'read'>,
  dataset: Dataset,
): Promise<(record: AnyRecord) => FieldProblem | undefined> {
  if (!dataset.period) return () => undefined;
  const { field, kind } = dataset.period;
  const currentLabels = await readCurrentLabels(transaction, dataset);
  return (record) => {
    const label = String(record[field]);
    const current = currentLabels.get(kind.toOrdinal(label) ?? Number.NaN);
    if (current === undefined || isSameLabelKind(label, current)) return undefined;
    const rule = `a label of the same kind as "${current}", the record that it would replace; --relabel replaces it`;
    return { field, value: label, rule };
  };
}
