import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { FILE_FORMATS, type FileFormat } from '../../formats/read-contents.ts';
import { escapeControlsInLines } from '../../shared/control-characters.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { exportDataset } from '../../tabular/export-dataset.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import {
  AS_OF_OPTION,
  type AsOfOption,
  DATASETS_HELP,
  findDataset,
  parseAsOf,
} from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { writeStdout } from '../output.ts';
import { withReader } from '../with-store.ts';

export const exportCommand: Command = {
  usage: 'export DATASET [--format FORMAT] [--as-of WHEN] [--output FILE]',
  maxArguments: 1,
  summary: 'Write a whole dataset to a file that can be loaded again',
  options: {
    format: {
      placeholder: 'FORMAT',
      help: `One of ${FILE_FORMATS.join(', ')} (default: by FILE, else csv)`,
    },
    'as-of': AS_OF_OPTION,
    output: {
      placeholder: 'FILE',
      short: 'o',
      help: 'The file to write (default: standard output); .gz and .zst are compressed',
    },
  },
  details: DATASETS_HELP,
  async run(call) {
    const dataset = findDataset(call.positionals[0]);
    const output = call.options.output === undefined ? undefined : String(call.options.output);
    const format = resolveFormat(call, output);
    if (!output && process.stdout.isTTY && (format === 'xlsx' || format === 'parquet')) {
      throw new UsageError(`${format} cannot be written to a terminal; use --output FILE`);
    }
    const asOf = parseAsOf(call);
    await withReader(call, async (reader) => {
      const revision = asOf && (await findRevision(reader, asOf));
      const chunks = exportDataset(reader, dataset, format, revision);
      if (output) await writeToFile(chunks, output);
      else await writeToStdout(chunks);
    });
  },
};

async function findRevision(reader: StoreReader, asOf: AsOfOption): Promise<number> {
  if ('instant' in asOf) return (await reader.revisionAt(asOf.instant)).revision?.revision ?? 0;
  const newest = await reader.revision();
  if (asOf.revision <= newest) return asOf.revision;
  throw new CommandError(`there is no revision ${asOf.revision} yet; the newest is ${newest}`);
}

function resolveFormat({ options }: CommandCall, output: string | undefined): FileFormat {
  const suffix = output && /\.(\w+?)(?:\.gz|\.zst)?$/.exec(output)?.[1]?.toLowerCase();
  const findFormat = (name: unknown) => FILE_FORMATS.find((format) => format === name);
  if (options.format === undefined) return findFormat(suffix) ?? 'csv';
  const format = findFormat(options.format);
  if (format) return format;
  throw new UsageError(
    `--format must be one of ${FILE_FORMATS.join(', ')}, not "${options.format}"`,
  );
}

/** Writes to standard output; for a terminal, it escapes characters that one would act on. */
async function writeToStdout(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  const toSafeText = (chunk: Uint8Array) =>
    escapeControlsInLines(decoder.decode(chunk, { stream: true }));
  for await (const chunk of chunks) {
    await writeStdout(process.stdout.isTTY ? toSafeText(chunk) : chunk);
  }
}

/** Writes to a temporary file, which is renamed when it is complete. */
async function writeToFile(chunks: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const existing = statSync(path, { throwIfNoEntry: false });
  // A link stays one: the file that it leads to is replaced.
  const target = existing ? realpathSync(path) : path;
  // Devices and pipes, such as /dev/null, are written to: a file must not take their place.
  const isReplaced = existing?.isFile() ?? true;
  const temporaryPath = isReplaced ? `${target}.${process.pid}.part` : undefined;
  const signal = createAbortOnSignal(`${path} was not written`);
  const compressors = [
    ...(path.endsWith('.gz') ? [createGzip()] : []),
    ...(path.endsWith('.zst') ? [createZstdCompress()] : []),
  ];
  try {
    const file = createWriteStream(temporaryPath ?? target);
    const written = pipeline([Readable.from(chunks), ...compressors, file]);
    // Not by the pipeline, whose end a write that hangs would hold up.
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    await Promise.race([written, aborted]);
    if (temporaryPath) renameSync(temporaryPath, target);
  } catch (cause) {
    if (temporaryPath) rmSync(temporaryPath, { force: true });
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new CommandError(`cannot write ${path}: ${cause.message}`);
  }
}
