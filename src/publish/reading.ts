import type { Dataset } from '../catalogue/dataset.ts';
import type { Contents, Item } from '../formats/index.ts';
import { FileRefused, openInput, readContents } from '../formats/index.ts';
import type { Within } from '../store/index.ts';
import type { Place } from './examine.ts';
import type { LoadFile } from './fingerprint.ts';
import { elsewhereOf } from './mapping/lookup.ts';
import type { Mapping } from './mapping/mapping.ts';
import { habitsOf } from './mapping/mapping.ts';
import type { Draft } from './records/draft.ts';
import type { Standing } from './records/fund.ts';
import { draftsOf } from './records/read.ts';

export interface FilesRequest {
  readonly dataset: Dataset;
  readonly files: readonly LoadFile[];
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
  readonly drafts: readonly Draft[];
  readonly where: Place;
}

/** The records of files, one file after the other. */
export async function* draftsIn(
  within: Pick<Within, 'read'>,
  { dataset, files, mapping, replace = false, onRead, onSkipped = () => {} }: FilesRequest,
): AsyncGenerator<DraftBatch> {
  const now = new Date().toISOString();
  const standingFund = async (id: string) => {
    const { records } = await within.read({ find: 'fund', dataset, id });
    return records === '' ? undefined : (JSON.parse(records) as Standing);
  };
  const { format, sheet } = mapping;
  const options = { ...(format && { format }), ...(sheet && { sheet }) };
  for (const file of files) {
    const input = await openInput(file.path, onRead);
    try {
      const { contents, lineOf } = withLines(await readContents(input, options));
      const where = { file: file.name, place: contents.place, ...(lineOf && { lineOf }) };
      const circumstances = {
        dataset,
        mapping,
        habits: habitsOf(mapping, contents),
        elsewhere: await elsewhereOf(mapping, file),
        standingFund,
        replace,
        now,
        onSkipped: (what: string) => onSkipped(file.name, what),
      };
      for await (const drafts of draftsOf(contents, circumstances)) yield { drafts, where };
    } catch (cause) {
      throw cause instanceof FileRefused ? named(cause, file) : cause;
    } finally {
      input.close();
    }
  }
}

/**
 * Contents whose records can be asked for their lines. Only those of the batch at work are known:
 * to remember all of them would take memory that grows with the file.
 */
function withLines(contents: Contents): { contents: Contents; lineOf?: Place['lineOf'] } {
  if (contents.kind === 'table' || contents.place !== 'record') return { contents };
  let current: readonly Item[] = [];
  async function* noted(batches: AsyncIterable<readonly Item[]>) {
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
export async function naming<T>(file: LoadFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof FileRefused ? named(cause, file) : cause;
  }
}

/** A refusal with the name of its file; most are told as what the file is or has. */
function named({ message }: FileRefused, { name }: LoadFile): FileRefused {
  if (message.startsWith(`${name} `)) return new FileRefused(message);
  const isPredicate = /^(is|has|holds|names|was|inflates|ends|cannot|does)\b/.test(message);
  return new FileRefused(`${name}${isPredicate ? ' ' : ': '}${message}`);
}
