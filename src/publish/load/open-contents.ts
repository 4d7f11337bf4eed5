import {
  type DetectedEncoding,
  type FileContents,
  type FileItem,
  type NamedFile,
  openFileInput,
  readContents,
} from '../../formats/read-contents.ts';
import { yieldToEventLoop } from '../../shared/event-loop.ts';
import { decodePosition } from '../adapter/messages.ts';
import type { RecordBatch, RunningAdapter } from '../adapter/run-adapter.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { FileContext } from './draft-validator.ts';

/** The contents of a file, and how its positions are named. */
export interface OpenContents {
  readonly contents: FileContents;
  readonly context: FileContext;
  close(): void;
}

export interface OpenContentsOptions {
  readonly mapping: Mapping;
  /** Turns files into records, which the mapping then reads as those of a JSON list. */
  readonly adapter?: RunningAdapter | undefined;
  /** Called with the size of every chunk that is read; may throw to stop reading. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Called with the encoding of a file's text where it was found and is not UTF-8. */
  readonly onDetected?: (file: string, encoding: DetectedEncoding) => void;
}

/** The contents of a file as they stand, or the records that an adapter yields from it. */
export async function openContents(
  file: NamedFile,
  { mapping: { format, sheet, encoding }, adapter, onRead, onDetected }: OpenContentsOptions,
): Promise<OpenContents> {
  const onEncoding = (detected: DetectedEncoding) => onDetected?.(file.name, detected);
  if (adapter) {
    const batches = adapter.read(file, { format, sheet, encoding });
    return locateAdapterRecords(batches, file, ({ bytes, detected }) => {
      onRead?.(bytes);
      if (detected) onEncoding(detected);
    });
  }
  const input = await openFileInput(file.path, onRead, { encoding, onDetected: onEncoding });
  try {
    const read = await readContents(input, { format, sheet });
    const contents = withPauses(read, () => onRead?.(0));
    return { ...withLineLookup(contents, file), close: () => input.close() };
  } catch (cause) {
    input.close();
    throw cause;
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
function withLineLookup(
  contents: FileContents,
  { name }: NamedFile,
): Pick<OpenContents, 'contents' | 'context'> {
  const context = { file: name, locationUnit: contents.locationUnit };
  if (contents.kind === 'table' || contents.locationUnit !== 'record') return { contents, context };
  let current: readonly FileItem[] = [];
  async function* withCurrentBatch(batches: AsyncIterable<readonly FileItem[]>) {
    for await (const batch of batches) {
      current = batch;
      yield batch;
    }
  }
  const locate = (position: number) => {
    const line = current[position - (current[0]?.position ?? 0)]?.line;
    return line === undefined ? {} : { line };
  };
  return {
    contents: { ...contents, items: withCurrentBatch(contents.items) },
    context: { ...context, locate },
  };
}

/** Each batch of an adapter says what its positions are; those of sheets hold for all. */
function locateAdapterRecords(
  batches: AsyncIterable<RecordBatch>,
  { name }: NamedFile,
  onBatch: (batch: RecordBatch) => void,
): OpenContents {
  let current: Omit<RecordBatch, 'bytes'> = { unit: 'record', sheets: [], items: [] };
  let lines = new Map<number, number>();
  async function* withCurrentBatch() {
    for await (const batch of batches) {
      onBatch(batch);
      current = batch;
      lines = new Map();
      for (const { position, line } of batch.items)
        if (line !== undefined) lines.set(position, line);
      yield batch.items;
      // Messages of the thread come without pause where it is faster: signals could not be handled.
      await yieldToEventLoop();
    }
  }
  return {
    contents: { kind: 'items', locationUnit: 'record', hasCells: true, items: withCurrentBatch() },
    context: {
      file: name,
      get locationUnit() {
        return current.unit;
      },
      locate(position) {
        const line = lines.get(position);
        const location = decodePosition(position, current.sheets);
        return line === undefined ? location : { ...location, line };
      },
    },
    close: () => {},
  };
}
