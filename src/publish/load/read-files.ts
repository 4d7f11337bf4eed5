import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileContents, FileItem } from '../../formats/read-contents.ts';
import { InvalidFileError, openFileInput, readContents } from '../../formats/read-contents.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { loadExternalColumns } from '../mapping/external-columns.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { getValueFormat } from '../mapping/mapping.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import type { CurrentFund } from '../records/fund-builder.ts';
import { readDraftRecords } from '../records/read-records.ts';
import type { FileContext } from './draft-validator.ts';
import type { FileToLoad } from './fingerprint-file.ts';

export interface ReadFilesOptions {
  readonly dataset: Dataset;
  readonly files: readonly FileToLoad[];
  readonly mapping: Mapping;
  /** Whether the files are the whole dataset. */
  readonly replace?: boolean;
  /** Told of every piece that is read; throwing ends the reading. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Told of rows that are no data. */
  readonly onSkipped?: (file: string, what: string) => void;
}

/** Records of one file, in the order in which they stand there. */
export interface DraftBatch {
  readonly drafts: readonly DraftRecord[];
  readonly context: FileContext;
}

/** The records of files, one file after the other. */
export async function* readDrafts(
  within: Pick<PublishTransaction, 'read'>,
  { dataset, files, mapping, replace = false, onRead, onSkipped = () => {} }: ReadFilesOptions,
): AsyncGenerator<DraftBatch> {
  const now = new Date().toISOString();
  const standingFund = async (id: string) => {
    const { records } = await within.read({ kind: 'fund', dataset, id });
    return records === '' ? undefined : (JSON.parse(records) as CurrentFund);
  };
  const { format, sheet } = mapping;
  const options = { ...(format && { format }), ...(sheet && { sheet }) };
  for (const file of files) {
    const input = await openFileInput(file.path, onRead);
    try {
      const { contents, lineOf } = withLineLookup(await readContents(input, options));
      const where = {
        file: file.name,
        locationUnit: contents.locationUnit,
        ...(lineOf && { lineOf }),
      };
      const readContext = {
        dataset,
        mapping,
        valueFormat: getValueFormat(mapping, contents),
        externalColumns: await loadExternalColumns(mapping, file),
        findCurrentFund: standingFund,
        replace,
        now,
        onSkipped: (what: string) => onSkipped(file.name, what),
      };
      for await (const drafts of readDraftRecords(contents, readContext))
        yield { drafts, context: where };
    } catch (cause) {
      throw cause instanceof InvalidFileError ? prefixFileName(cause, file) : cause;
    } finally {
      input.close();
    }
  }
}

/**
 * Contents whose records can be asked for their lines. Only those of the batch at work are known:
 * to remember all of them would take memory that grows with the file.
 */
function withLineLookup(contents: FileContents): {
  contents: FileContents;
  lineOf?: FileContext['lineOf'];
} {
  if (contents.kind === 'table' || contents.locationUnit !== 'record') return { contents };
  let current: readonly FileItem[] = [];
  async function* noted(batches: AsyncIterable<readonly FileItem[]>) {
    for await (const batch of batches) {
      current = batch;
      yield batch;
    }
  }
  return {
    contents: { ...contents, items: noted(contents.items) },
    lineOf: (at) => current[at - (current[0]?.at ?? 0)]?.line,
  };
}

/** Runs work on a file; what it refuses is told with the file's name. */
export async function withFileNameInErrors<T>(
  file: FileToLoad,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    throw cause instanceof InvalidFileError ? prefixFileName(cause, file) : cause;
  }
}

/** A refusal with the name of its file; most are told as what the file is or has. */
function prefixFileName({ message }: InvalidFileError, { name }: FileToLoad): InvalidFileError {
  if (message.startsWith(`${name} `)) return new InvalidFileError(message);
  const isPredicate = /^(is|has|holds|names|was|inflates|ends|cannot|does)\b/.test(message);
  return new InvalidFileError(`${name}${isPredicate ? ' ' : ': '}${message}`);
}
