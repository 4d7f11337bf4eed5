import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { isSameLabelKind } from '../../catalogue/model/period.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';

type Reader = Pick<PublishTransaction, 'read'>;

/** The published data of a series before a load; empty for other datasets. */
export interface PublishedSeries {
  /** Empty for a declared dataset, which may have millions. */
  readonly records: readonly AnyRecord[];
  /** The ordinals of its periods, newest first. */
  readonly periods: readonly number[];
}

export async function readPublishedSeries(
  transaction: Pick<PublishTransaction, 'read' | 'currentPeriods'>,
  dataset: Dataset,
): Promise<PublishedSeries> {
  const isSeries = dataset.period !== undefined;
  return {
    records: await readSeries(transaction, dataset),
    periods: isSeries ? await transaction.currentPeriods(dataset) : [],
  };
}

/** The current records of a series that ships with the program; none for other datasets. */
export async function readSeries(transaction: Reader, dataset: Dataset): Promise<AnyRecord[]> {
  if (!dataset.period || dataset.declared) return [];
  const { records } = await transaction.read({ kind: 'records', dataset });
  return JSON.parse(`[${records}]`);
}

/** The labels of a series' current records by ordinal; empty for other datasets. */
export async function readCurrentLabels(
  transaction: Reader,
  dataset: Dataset,
): Promise<ReadonlyMap<number, string>> {
  return indexLabels(dataset, await readSeries(transaction, dataset));
}

export function indexLabels(dataset: Dataset, records: readonly AnyRecord[]): Map<number, string> {
  const { field = '', kind } = dataset.period ?? {};
  const labels = records.map((record) => String(record[field]));
  return new Map(labels.map((label) => [kind?.toOrdinal(label) ?? Number.NaN, label]));
}

/** Finds valid records that would replace one with a label of another kind. */
export function createLabelCheck(
  dataset: Dataset,
  published: readonly AnyRecord[],
): (record: AnyRecord) => FieldProblem | undefined {
  if (published.length === 0 || !dataset.period) return () => undefined;
  const { field, kind } = dataset.period;
  const currentLabels = indexLabels(dataset, published);
  return (record) => {
    const label = String(record[field]);
    const current = currentLabels.get(kind.toOrdinal(label) ?? Number.NaN);
    if (current === undefined || isSameLabelKind(label, current)) return undefined;
    const rule = `a label of the same kind as "${current}", the record that it would replace; --relabel replaces it`;
    return { field, value: label, rule };
  };
}
