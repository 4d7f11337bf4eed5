import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { NamedFile } from '../../formats/read-contents.ts';
import type { CandidatePart, CandidateStore, SourceFile } from '../../store/open-store.ts';
import { readStagedBatches } from '../adapter/staged-batches.ts';
import type { LoadOptions } from '../load/load-files.ts';
import type { StagedAdapter } from '../load/read-drafts.ts';
import type { StoredLoadOptions } from '../load/revision-options.ts';
import { getLookupFile } from '../mapping/external-columns.ts';

/** A load, by the names of its files; their contents are parts of the candidate. */
export interface LoadInput {
  readonly kind: 'load';
  readonly dataset: string;
  readonly options: StoredLoadOptions;
  readonly files: readonly { readonly name: string; readonly lookup?: string }[];
  /** The code whose records are parts of the candidate, so that it does not run again. */
  readonly adapter?: SourceFile;
}

/** The part of the contents of a file, or of what belongs to it. */
const getPartName = (kind: 'file' | 'lookup' | 'records', index: number) => `${kind} ${index}`;

/** Reads the files of a load into parts of a candidate, with what an adapter makes of them. */
export async function packLoad(
  { kind, dataset, ...load }: Omit<LoadInput, 'files' | 'adapter'>,
  files: readonly NamedFile[],
  adapter: LoadOptions['adapter'],
) {
  const { mapping } = load.options;
  const parts: CandidatePart[] = [];
  const named: LoadInput['files'][number][] = [];
  for (const [index, file] of files.entries()) {
    await packBytes(parts, getPartName('file', index), Bun.file(file.path).stream());
    const lookup = mapping.lookup && !adapter ? getLookupFile(mapping.lookup, file) : undefined;
    if (lookup)
      await packBytes(parts, getPartName('lookup', index), Bun.file(lookup.path).stream());
    if (adapter) {
      await adapter.stage(file, mapping);
      const records = encodeLines(adapter.read(file));
      await packBytes(parts, getPartName('records', index), records);
    }
    named.push({ name: file.name, ...(lookup && { lookup: lookup.name }) });
  }
  adapter?.end();
  const { name = '', bytes = 0, sha256 = '' } = adapter?.file ?? {};
  const code = adapter && { adapter: { name, bytes, sha256 } };
  const input: LoadInput = { kind, dataset, ...load, files: named, ...code };
  return { input, parts };
}

async function* encodeLines(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Compressed pieces of at most this many bytes. */
const MAX_PIECE_BYTES = 1024 ** 2;

export async function packBytes(
  parts: CandidatePart[],
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let buffered: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    parts.push({ name, bytes: Bun.zstdCompressSync(Buffer.concat(buffered)) });
    buffered = [];
    size = 0;
  };
  for await (const chunk of chunks) {
    buffered.push(chunk);
    size += chunk.length;
    if (size >= MAX_PIECE_BYTES) flush();
  }
  if (size > 0) flush();
}

/** The bytes of one part, as they were packed. */
export type ReadPart = (name: string) => AsyncIterable<Uint8Array>;

async function* unpackBytes(readPart: ReadPart, name: string): AsyncGenerator<Uint8Array> {
  for await (const bytes of readPart(name)) yield Bun.zstdDecompressSync(bytes);
}

export async function* readPartLines(
  store: Pick<CandidateStore, 'readPart'>,
  id: number,
  part: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of unpackBytes((name) => store.readPart(id, name), part)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Writes the files of a load to a folder; returns what `loadFiles` needs of them. */
export async function unpackLoad(
  { files, adapter, options }: LoadInput,
  readPart: ReadPart,
  folder: string,
): Promise<Pick<LoadOptions, 'files' | 'mapping' | 'adapter'>> {
  const unpack = async (part: string, path: string) => {
    writeFileSync(path, '', { mode: 0o600 });
    for await (const bytes of unpackBytes(readPart, part)) appendFileSync(path, bytes);
  };
  const recordFiles = new Map<NamedFile, string>();
  const unpacked: NamedFile[] = [];
  for (const [index, { name, lookup }] of files.entries()) {
    const ownFolder = join(folder, String(index));
    mkdirSync(ownFolder, { mode: 0o700 });
    const file = { name, path: join(ownFolder, basename(name)) };
    await unpack(getPartName('file', index), file.path);
    if (lookup !== undefined)
      await unpack(getPartName('lookup', index), join(ownFolder, basename(lookup)));
    if (adapter) {
      const path = join(ownFolder, '.records');
      await unpack(getPartName('records', index), path);
      recordFiles.set(file, path);
    }
    unpacked.push(file);
  }
  const { lookup } = options.mapping;
  const mapping = lookup
    ? { ...options.mapping, lookup: { ...lookup, file: basename(lookup.file) } }
    : options.mapping;
  return {
    files: unpacked,
    mapping,
    adapter: adapter && createStagedAdapter(adapter, recordFiles),
  };
}

/** An adapter that has ended, with the records that it made. */
function createStagedAdapter(
  file: SourceFile,
  recordFiles: ReadonlyMap<NamedFile, string>,
): StagedAdapter {
  return {
    file: { ...file, findChange: () => undefined },
    stage: async () => {},
    end: () => {},
    read: (loaded) => readStagedBatches(recordFiles.get(loaded) ?? ''),
  };
}
