import {
  chmodSync,
  createWriteStream,
  existsSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { createDraftPath, moveToDisk, removeDraft } from '../shared/draft-file.ts';
import { explainFileError } from '../shared/file-error.ts';
import { assertNotDatabaseFile } from '../store/open-store.ts';
import { createAbortOnSignal } from './abort-on-signal.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';

/** The option of every command that writes a file. */
export const REPLACE_OPTION = {
  replace: { help: 'Replace FILE if it exists, once the new one is complete' },
};

/**
 * Writes a file beside its target and renames it when it is complete, so that a failed command leaves the old
 * file. An existing target needs `--replace`; files of a database are rejected.
 */
export async function writeOutputFile(
  { options, settings }: Pick<CommandCall, 'options' | 'settings'>,
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  const assertReplaceable = () => {
    assertNotDatabaseFile(path, settings().databaseUrl);
    if (!options.replace && !isStream(path) && existsSync(path))
      throw new UsageError(`${path} exists; use --replace to replace it`);
  };
  const signal = createAbortOnSignal(`${path} was not written`);
  try {
    assertReplaceable();
    const write = (file: string) => writeChunks(file, path, chunks, signal);
    await (isStream(path) ? write(path) : replaceFile(path, assertReplaceable, write));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new CommandError(`cannot write ${path}: ${explainFileError(cause, path)}`);
  }
}

async function replaceFile(
  path: string,
  assertReplaceable: () => void,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const existing = statSync(path, { throwIfNoEntry: false });
  // A symbolic link stays: the file that it points to is replaced.
  const target = existing ? realpathSync(path) : path;
  const draft = createDraftPath(dirname(target));
  try {
    // Opening it later must not recreate it after a signal has removed it.
    writeFileSync(draft, '', { flag: 'wx' });
    await write(draft);
    if (existing) chmodSync(draft, existing.mode);
    // Another process may have written it in the meantime.
    assertReplaceable();
    moveToDisk(draft, target);
  } finally {
    removeDraft(draft);
  }
}

/** Writes chunks, compressed according to the name of the target. */
async function writeChunks(
  path: string,
  target: string,
  chunks: Parameters<typeof writeOutputFile>[2],
  signal: AbortSignal,
): Promise<void> {
  const compressors = [
    ...(target.endsWith('.gz') ? [createGzip()] : []),
    ...(target.endsWith('.zst') ? [createZstdCompress()] : []),
  ];
  // A shell descriptor may point to a file that others write to as well.
  const file = createWriteStream(path, { flags: isStream(path) ? 'a' : 'r+' });
  const written = pipeline([Readable.from(chunks), ...compressors, file]);
  // Not by the pipeline's own signal: a hanging write would delay its end.
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  await Promise.race([written, aborted]);
}

/** Whether a path is written to directly: a device or a pipe must not be replaced by a file. */
function isStream(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  return DESCRIPTOR_PATTERN.test(path) || (status !== undefined && !status.isFile());
}

/** Descriptors that the shell opened, possibly for a file. */
const DESCRIPTOR_PATTERN = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;
