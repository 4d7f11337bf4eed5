import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import {
  each,
  first,
  type HonestFile,
  type Loose,
  listFigures,
  type NonsenseKind,
  toCsv,
} from './kind.ts';

export type Alter = NonsenseKind['alter'];
type Outcome = Pick<NonsenseKind, 'warns' | 'refused' | 'undetected'>;

export const kind = (
  name: string,
  datasets: Dataset | Dataset[],
  alter: Alter,
  outcome: Outcome,
) => ({
  name,
  datasets: [datasets].flat(),
  alter,
  ...outcome,
});
export const warns = (rule: string) => ({ warns: rule });
export const rejects = (text: string) => ({ refused: text });
export const unknown = (reason: string) => ({ undetected: reason });

export const round = (value: number) => Number(value.toPrecision(12));
/** All figures of the records of a file, or of those that meet a condition, times a factor. */
export const scale = (factor: number, matches: (record: Loose) => boolean = () => true): Alter =>
  each((record) =>
    matches(record)
      ? Object.fromEntries(listFigures(record).map((name) => [name, round(record[name] * factor)]))
      : {},
  );
export const set = (changes: Loose): Alter => each(() => changes);
export const setFirst = (changes: Loose): Alter => first(() => changes);
/** The value of a field becomes another one. */
export const replace = (field: string, from: string, to: string): Alter =>
  each((record) => (record[field] === from ? { [field]: to } : {}));
export const filter =
  (keep: (record: Loose, index: number) => boolean): Alter =>
  ({ records }) =>
    records.filter(keep);
export const append =
  (create: (records: Loose[], file: HonestFile) => Loose): Alter =>
  (file) => [...file.records, create(file.records, file)];
/** The file as CSV, with its text altered. */
export const edit =
  (alter: (text: string) => string): Alter =>
  ({ records }) =>
    alter(toCsv(records));
export const swap = (a: string, b: string): Alter =>
  each((record) => ({ [a]: record[b], [b]: record[a] }));
export const relabel =
  (periods: number): Alter =>
  ({ records }, { period }) => {
    const { field = '', kind: periodKind } = period ?? {};
    return records.map((record) => ({
      ...record,
      [field]: periodKind?.formatLabel((periodKind.toOrdinal(record[field]) ?? 0) + periods),
    }));
  };
/** Other records under the label of the file. */
const labelAs = (others: readonly Loose[], { records }: HonestFile, { period }: Dataset) => {
  const field = period?.field ?? '';
  return others.map((record) => ({ ...record, [field]: records[0]?.[field] }));
};
/** The figures of the period before under the label of the file. */
export const stale: Alter = (file, dataset) => labelAs(file.previous, file, dataset);
/** The figures of the fifth period before under the label of the file. */
export const earlier: Alter = (file, dataset) => {
  const periods = Map.groupBy(file.earlier, (record) => record[dataset.period?.field ?? '']);
  const fifth = [...periods.values()][3] ?? [];
  return labelAs(fifth, file, dataset);
};
/** The figures of one series are those of another, and the other way round. */
export const exchange =
  (field: string, a: string, b: string): Alter =>
  (file, dataset) =>
    replace(
      field,
      '?',
      b,
    )(
      {
        ...file,
        records: replace(
          field,
          b,
          a,
        )(
          { ...file, records: replace(field, a, '?')(file, dataset) as Loose[] },
          dataset,
        ) as Loose[],
      },
      dataset,
    );
export const sum = (records: Loose[], field: string, name: string): Loose => ({
  ...records[0],
  [field]: name,
  ...Object.fromEntries(
    listFigures(records[0] ?? {}).map((figure) => [
      figure,
      round(records.reduce((total, record) => total + record[figure], 0)),
    ]),
  ),
});

export const isBank = (bank: string) => (record: Loose) => record.bank === bank;
