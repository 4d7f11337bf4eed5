import type { Dataset } from '../../catalogue/model/dataset.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import {
  type DetectedEncoding,
  type FileContents,
  type FileItem,
  InvalidFileError,
  type NamedFile,
  openFileInput,
  readContents,
} from '../../formats/read-contents.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { loadExternalColumns } from '../mapping/external-columns.ts';
import { getValueFormat, type Mapping } from '../mapping/mapping.ts';
import type { CurrentFund, DraftRecord } from '../records/draft-record.ts';
import { readDraftRecords } from '../records/read-records.ts';
import type { FileContext } from './draft-validator.ts';

export interface ReadFilesOptions {
  readonly dataset: Dataset;
  readonly files: readonly NamedFile[];
  readonly mapping: Mapping;
  /** Whether the files are the complete dataset: records that are not in them are retired. */
  readonly replace?: boolean;
  /** Called with the size of every chunk that is read; may throw to stop reading. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Called with a description of skipped rows, such as titles. */
  readonly onSkipped?: (file: string, what: string) => void;
  /** Called with the encoding of a file's text where it was found and is not UTF-8. */
  readonly onDetected?: (file: string, encoding: DetectedEncoding) => void;
}

export async function* readDrafts(
  transaction: Pick<PublishTransaction, 'read'>,
  options: ReadFilesOptions,
): AsyncGenerator<{ drafts: readonly DraftRecord[]; context: FileContext }> {
  const { dataset, files, mapping, replace = false, onRead, onSkipped, onDetected } = options;
  const now = new Date().toISOString();
  const findCurrentFund = async (id: string) => {
    const { records } = await transaction.read({ kind: 'fund', dataset, id });
    return records === '' ? undefined : (JSON.parse(records) as CurrentFund);
  };
  const { format, sheet, encoding } = mapping;
  for (const file of files) {
    const input = await openFileInput(file.path, onRead, {
      encoding,
      onDetected: (detected) => onDetected?.(file.name, detected),
    });
    try {
      const read = await readContents(input, { format, sheet });
      const { contents, findLine } = withLineLookup(withPauses(read, () => onRead?.(0)));
      const { locationUnit } = contents;
      const context = { file: file.name, locationUnit, ...(findLine && { findLine }) };
      const batches = readDraftRecords(contents, {
        dataset,
        mapping,
        valueFormat: getValueFormat(mapping, contents),
        externalColumns: await loadExternalColumns(mapping, file),
        findCurrentFund,
        replace,
        now,
        onSkipped: (what: string) => onSkipped?.(file.name, what),
      });
      for await (const drafts of batches) yield { drafts, context };
    } catch (cause) {
      throw withFileName(cause, file);
    } finally {
      input.close();
    }
  }
}

/** Between batches signals can be handled, also where nothing more is read from the file. */
function withPauses(contents: FileContents, onPause: () => void): FileContents {
  async function* pauseAfterEach<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const batch of batches) {
      yield batch;
      await yieldToEventLoop();
      onPause();
    }
  }
  return contents.kind === 'table'
    ? { ...contents, rows: pauseAfterEach(contents.rows) }
    : { ...contents, items: pauseAfterEach(contents.items) };
}

/** Of the current batch only: remembering the lines of all records would take memory. */
function withLineLookup(contents: FileContents): {
  contents: FileContents;
  findLine?: FileContext['findLine'];
} {
  if (contents.kind === 'table' || contents.locationUnit !== 'record') return { contents };
  let current: readonly FileItem[] = [];
  async function* withCurrentBatch(batches: AsyncIterable<readonly FileItem[]>) {
    for await (const batch of batches) {
      current = batch;
      yield batch;
    }
  }
  return {
    contents: { ...contents, items: withCurrentBatch(contents.items) },
    findLine: (position) => current[position - (current[0]?.position ?? 0)]?.line,
  };
}

/** An error about the contents of a file with the file's name; any other error as it is. */
export function withFileName(cause: unknown, { name }: NamedFile): unknown {
  if (!(cause instanceof InvalidFileError)) return cause;
  const { message } = cause;
  if (message.startsWith(`${name} `)) return new InvalidFileError(message);
  const isPredicate = /^(is|has|holds|names|was|inflates|ends|cannot|does)\b/.test(message);
  return new InvalidFileError(`${name}${isPredicate ? ' ' : ': '}${message}`);
}
