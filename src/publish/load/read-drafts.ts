import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import {
  type DetectedEncoding,
  type FileContents,
  type FileItem,
  InvalidFileError,
  type NamedFile,
  openFileInput,
  readContents,
} from '../../formats/read-contents.ts';
import { readSdmxCsv } from '../../sdmx/read-csv.ts';
import { system } from '../../shared/system.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { decodePosition } from '../adapter/messages.ts';
import { AdapterError, type RunningAdapter } from '../adapter/run-adapter.ts';
import type { RecordBatch } from '../adapter/staged-batches.ts';
import { loadExternalColumns } from '../mapping/external-columns.ts';
import { getValueFormat, type Mapping } from '../mapping/mapping.ts';
import type { CurrentFund, DraftRecord } from '../records/draft-record.ts';
import { readDraftRecords } from '../records/read-draft-records.ts';
import type { FileContext } from './file-problems.ts';
import { indexLabels, readSeries } from './published-labels.ts';
import type { StoredLoadOptions } from './revision-options.ts';

export interface ReadFilesOptions extends OpenContentsOptions, Pick<StoredLoadOptions, 'replace'> {
  readonly dataset: Dataset;
  readonly files: readonly NamedFile[];
  /** Called with a description of skipped rows, such as titles. */
  readonly onSkipped?: (file: string, what: string) => void;
  /** The time of publication, if not now. */
  readonly at?: Date | undefined;
  readonly onQuarterByMonths?: (file: string, text: string, label: string) => void;
  /** Called for a file whose rows may be no records: series without observations, or what is to be deleted. */
  readonly onOtherRows?: (file: string) => void;
}

export async function* readDrafts(
  transaction: ReadingTransaction,
  options: ReadFilesOptions,
): AsyncGenerator<{ drafts: readonly DraftRecord[]; context: FileContext }> {
  const { dataset, files, mapping, replace = false, onSkipped, onQuarterByMonths } = options;
  const now = (options.at ?? new Date()).toISOString();
  for (const file of files) {
    let opened: OpenContents | undefined;
    try {
      opened = await openContents(file, options);
      const { context } = opened;
      const contents = await readSdmx(transaction, opened.contents, file, options);
      const format = getValueFormat(mapping, contents);
      const batches = readDraftRecords(contents, {
        dataset,
        mapping,
        valueFormat: {
          ...format,
          hasMarks: dataset.shape === 'series',
          onQuarterByMonths: (text, label) => onQuarterByMonths?.(file.name, text, label),
        },
        externalColumns: await loadExternalColumns(mapping, file),
        findCurrentFund: (id) => readCurrentFund(transaction, dataset, id),
        replace,
        now,
        onSkipped: (what: string) => onSkipped?.(file.name, what),
      });
      for await (const drafts of batches) yield { drafts, context };
      const { isSettled, open } = format.decimalEvidence ?? {};
      if (open && !isSettled) throw new InvalidFileError(`does not show its decimal sign: ${open}`);
    } catch (cause) {
      // An empty file has no records, like one with only a header.
      const isEmpty = cause instanceof InvalidFileError && cause.message === 'is empty';
      if (!isEmpty) throw withFileName(cause, file, opened?.contents);
    } finally {
      // The first rows were read to recognise SDMX-CSV: whatever follows may have failed before the others.
      const { contents } = opened ?? {};
      if (contents?.kind === 'table') await contents.rows[Symbol.asyncIterator]().return?.();
      opened?.close();
    }
  }
}

type ReadingTransaction = Pick<PublishTransaction, 'read' | 'dimensionValues' | 'records'>;

/** The records of SDMX-CSV; other contents as they are, and those that a mapping names columns of. */
async function readSdmx(
  transaction: ReadingTransaction,
  contents: FileContents,
  file: NamedFile,
  options: ReadFilesOptions,
): Promise<FileContents> {
  const { dataset, mapping, onSkipped, onOtherRows } = options;
  const { columns = {}, fields = {}, unpivot, headerRow } = mapping;
  const mapped = [...Object.values(columns), ...Object.values(fields), unpivot, headerRow];
  const isMapped = mapped.some((each) => each !== null && each !== undefined);
  if (contents.kind !== 'table' || dataset.shape !== 'series' || isMapped) return contents;
  return readSdmxCsv(contents, {
    dataset,
    leftOut: Object.keys(columns).map((column) => column.toLowerCase()),
    async readCurrent() {
      const records = await readSeries(transaction, dataset);
      const { field } = dataset.declaration?.keyedList ?? {};
      const lists = field ? records.map((record) => record[field] as readonly KeyedValue[]) : [];
      const keys = lists.flatMap((list) => list.map(({ key }) => `${field}.${key}`));
      return {
        dimensions: await transaction.dimensionValues(dataset),
        members: [...new Set(keys)],
        labels: indexLabels(dataset, records),
      };
    },
    async *readRecords() {
      for await (const texts of transaction.records(dataset))
        for (const text of texts) yield JSON.parse(text) as AnyRecord;
    },
    async *readAgain() {
      const again = await openContents(file, { ...options, onRead: undefined });
      try {
        if (again.contents.kind === 'table') yield* again.contents.rows;
      } finally {
        again.close();
      }
    },
    onSkipped: (what) => onSkipped?.(file.name, what),
    onOtherRows: () => onOtherRows?.(file.name),
  });
}

/** The published record of a fund, if there is one. */
export async function readCurrentFund(
  transaction: Pick<PublishTransaction, 'read'>,
  dataset: Dataset,
  id: string,
): Promise<CurrentFund | undefined> {
  const { records } = await transaction.read({ kind: 'records', dataset, identifiers: [id] });
  return records === '' ? undefined : JSON.parse(records);
}

/** Adds the file's name to an error about its contents; returns any other error unchanged. */
export function withFileName(
  cause: unknown,
  { name }: NamedFile,
  contents?: FileContents,
): unknown {
  if (!(cause instanceof InvalidFileError) || cause instanceof AdapterError) return cause;
  const { message } = cause;
  if (message.startsWith(`${name} `)) return new InvalidFileError(message);
  const isPredicate = /^(is|has|holds|names|was|inflates|ends|cannot|does)\b/.test(message);
  const isText = contents?.kind === 'table' && contents.delimiter !== undefined;
  const isMisnamed = isText && /\.(parquet|xlsx|json)$/i.test(name);
  const note = isMisnamed ? '; by what is in it, it is CSV' : '';
  return new InvalidFileError(`${name}${isPredicate ? ' ' : ': '}${message}${note}`);
}

/** The contents of a file, and the naming of its positions. */
interface OpenContents {
  readonly contents: FileContents;
  readonly context: FileContext;
  close(): void;
}

/** What a load needs of an adapter: its records, once they are staged. */
export type StagedAdapter = Pick<RunningAdapter, 'file' | 'stage' | 'read' | 'end'>;

interface OpenContentsOptions {
  readonly mapping: Mapping;
  /** Turns files into records, which the mapping then reads like those of a JSON list. */
  readonly adapter?: StagedAdapter | undefined;
  /** Called with the size of every chunk that is read; may throw to stop reading. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Called with the encoding of a file's text if it was detected and is not UTF-8. */
  readonly onDetected?: (file: string, encoding: DetectedEncoding) => void;
}

/** The contents of a file, or the records that an adapter yields from it. */
async function openContents(
  file: NamedFile,
  { mapping, adapter, onRead, onDetected }: OpenContentsOptions,
): Promise<OpenContents> {
  const { format, sheet, encoding } = mapping;
  const onEncoding = (detected: DetectedEncoding) => onDetected?.(file.name, detected);
  const onPause = () => onRead?.(0);
  if (adapter) {
    const batches = withPauses(adapter.read(file), onPause);
    const { items, context } = locateItems(file, batches, (batch) => {
      if (batch.detected) onEncoding(batch.detected);
      return batch;
    });
    const contents = { kind: 'items', locationUnit: 'record', hasCells: true, items } as const;
    return { contents, context, close: () => {} };
  }
  const input = await openFileInput(file.path, onRead, { encoding, onDetected: onEncoding });
  const close = () => input.close();
  try {
    const contents = await readContents(input, { format, sheet });
    const { locationUnit } = contents;
    if (contents.kind === 'table') {
      const rows = withPauses(contents.rows, onPause);
      return { contents: { ...contents, rows }, context: { file: file.name, locationUnit }, close };
    }
    const batches = withPauses(contents.items, onPause);
    const toBatch = (items: readonly FileItem[]) => ({ unit: locationUnit, sheets: [], items });
    const { items, context } = locateItems(file, batches, toBatch);
    return { contents: { ...contents, items }, context, close };
  } catch (cause) {
    close();
    throw cause;
  }
}

/** Pauses between batches, so that signals are handled even if nothing more is read from the file. */
async function* withPauses<T>(batches: AsyncIterable<T>, onPause: () => void): AsyncGenerator<T> {
  for await (const batch of batches) {
    yield batch;
    await system.nextTurn();
    onPause();
  }
}

type LocatedBatch = Pick<RecordBatch, 'unit' | 'sheets' | 'items'>;

/** The items of batches, located in the current batch only, because the lines of all would take memory. */
function locateItems<Batch>(
  { name }: NamedFile,
  batches: AsyncIterable<Batch>,
  toLocatedBatch: (batch: Batch) => LocatedBatch,
): { readonly items: AsyncIterable<readonly FileItem[]>; readonly context: FileContext } {
  let current: LocatedBatch = { unit: 'record', sheets: [], items: [] };
  let lines = new Map<number, number>();
  async function* streamItems() {
    for await (const batch of batches) {
      current = toLocatedBatch(batch);
      lines = new Map();
      for (const { position, line } of current.items)
        if (line !== undefined) lines.set(position, line);
      yield current.items;
    }
  }
  const context: FileContext = {
    file: name,
    get locationUnit() {
      return current.unit;
    },
    locate(position) {
      const line = lines.get(position);
      const location = decodePosition(position, current.sheets);
      return line === undefined ? location : { ...location, line };
    },
  };
  return { items: streamItems(), context };
}
