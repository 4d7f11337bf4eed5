import type { Dataset } from '../../catalogue/model/dataset.ts';
import { InvalidFileError, type NamedFile } from '../../formats/read-contents.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { AdapterError } from '../adapter/run-adapter.ts';
import { loadExternalColumns } from '../mapping/external-columns.ts';
import { getValueFormat } from '../mapping/mapping.ts';
import type { CurrentFund, DraftRecord } from '../records/draft-record.ts';
import { readDraftRecords } from '../records/read-draft-records.ts';
import type { FileContext } from './file-problems.ts';
import { type OpenContents, type OpenContentsOptions, openContents } from './open-contents.ts';
import type { StoredLoadOptions } from './revision-options.ts';

export interface ReadFilesOptions extends OpenContentsOptions, Pick<StoredLoadOptions, 'replace'> {
  readonly dataset: Dataset;
  readonly files: readonly NamedFile[];
  /** Called with a description of skipped rows, such as titles. */
  readonly onSkipped?: (file: string, what: string) => void;
  /** When the files are to be published, if not at once. */
  readonly at?: Date | undefined;
  readonly onQuarterByMonths?: (file: string, text: string, label: string) => void;
}

export async function* readDrafts(
  transaction: Pick<PublishTransaction, 'read'>,
  options: ReadFilesOptions,
): AsyncGenerator<{ drafts: readonly DraftRecord[]; context: FileContext }> {
  const { dataset, files, mapping, replace = false, onSkipped, onQuarterByMonths } = options;
  const now = (options.at ?? new Date()).toISOString();
  for (const file of files) {
    let opened: OpenContents | undefined;
    try {
      opened = await openContents(file, options);
      const { contents, context } = opened;
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
      // Then it has no records, like one with a header alone.
      const isEmpty = cause instanceof InvalidFileError && cause.message === 'is empty';
      if (!isEmpty) throw withFileName(cause, file);
    } finally {
      opened?.close();
    }
  }
}

/** The published record of a fund, if there is one. */
export async function readCurrentFund(
  transaction: Pick<PublishTransaction, 'read'>,
  dataset: Dataset,
  id: string,
): Promise<CurrentFund | undefined> {
  const { records } = await transaction.read({ kind: 'fund', dataset, id });
  return records === '' ? undefined : JSON.parse(records);
}

/** An error about the contents of a file with the file's name; any other error as it is. */
export function withFileName(cause: unknown, { name }: NamedFile): unknown {
  if (!(cause instanceof InvalidFileError) || cause instanceof AdapterError) return cause;
  const { message } = cause;
  if (message.startsWith(`${name} `)) return new InvalidFileError(message);
  const isPredicate = /^(is|has|holds|names|was|inflates|ends|cannot|does)\b/.test(message);
  return new InvalidFileError(`${name}${isPredicate ? ' ' : ': '}${message}`);
}
