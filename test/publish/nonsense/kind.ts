import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import type { LoadOptions } from '../../../src/publish/load/load-files.ts';

/** A record that may be altered in any way. */
// biome-ignore lint/suspicious/noExplicitAny: nonsense has no type
export type Loose = Record<string, any>;

/** What is published before the file, and the honest file. */
export interface HonestFile {
  readonly records: Loose[];
  /** The records before those of the file: of quotes, those of the day before. */
  readonly previous: Loose[];
  /** The records before `previous`. */
  readonly earlier: Loose[];
}

/** A kind of nonsense: how an honest file is altered, and what becomes of it. */
export interface NonsenseKind {
  readonly name: string;
  /** All of these must be found out. */
  readonly datasets: readonly Dataset[];
  /** The records of the file, or its whole content: text is CSV. */
  readonly alter: (file: HonestFile, dataset: Dataset) => FileContent | Promise<FileContent>;
  /** The name of the file, if it is neither JSON nor CSV. */
  readonly file?: string;
  /** The rule that warns. */
  readonly warns?: string;
  /** A part of the message that rejects the file. */
  readonly refused?: string;
  /** Why nothing says that it is wrong: the table says so, too. */
  readonly undetected?: string;
  readonly options?: Partial<LoadOptions>;
}

type FileContent = readonly unknown[] | string | Uint8Array;

/** Alters every record of a file. */
export const each =
  (alter: (record: Loose, index: number) => Loose) =>
  ({ records }: HonestFile): Loose[] =>
    records.map((record, index) => ({ ...record, ...alter(record, index) }));

/** Alters the first record of a file. */
export const first = (alter: (record: Loose, others: readonly Loose[]) => Loose) => {
  return ({ records }: HonestFile): Loose[] =>
    records.map((record, index) =>
      index === 0 ? { ...record, ...alter(record, records) } : record,
    );
};

/** The records as CSV. */
export function toCsv(records: readonly Loose[]): string {
  const names = Object.keys(records[0] ?? {});
  const lines = records.map((record) => names.map((name) => formatCell(record[name])).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}

const formatCell = (value: unknown) =>
  typeof value === 'string' && /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** The names of a record's own figures, without those of lists. */
export const listFigures = (record: AnyRecord): string[] =>
  Object.keys(record).filter((name) => typeof record[name] === 'number');
