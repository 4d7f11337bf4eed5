import {
  type DetectedEncoding,
  type FileContents,
  type FileItem,
  type NamedFile,
  openFileInput,
  readContents,
} from '../../formats/read-contents.ts';
import { system } from '../../shared/system.ts';
import { decodePosition } from '../adapter/messages.ts';
import type { RunningAdapter } from '../adapter/run-adapter.ts';
import type { RecordBatch } from '../adapter/staged-batches.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { FileContext } from './file-problems.ts';

/** The contents of a file, and how its positions are named. */
export interface OpenContents {
  readonly contents: FileContents;
  readonly context: FileContext;
  close(): void;
}

export interface OpenContentsOptions {
  readonly mapping: Mapping;
  /** Has turned files into records, which the mapping then reads as those of a JSON list. */
  readonly adapter?: RunningAdapter | undefined;
  /** Called with the size of every chunk that is read; may throw to stop reading. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Called with the encoding of a file's text where it was found and is not UTF-8. */
  readonly onDetected?: (file: string, encoding: DetectedEncoding) => void;
}

/** The contents of a file as they stand, or the records that an adapter yields from it. */
export async function openContents(
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

/** Between batches signals can be handled, also where nothing more is read from the file. */
async function* withPauses<T>(batches: AsyncIterable<T>, onPause: () => void): AsyncGenerator<T> {
  for await (const batch of batches) {
    yield batch;
    await system.nextTurn();
    onPause();
  }
}

type LocatedBatch = Pick<RecordBatch, 'unit' | 'sheets' | 'items'>;

/** The items of batches, located in the current one: the lines of all would take memory. */
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
