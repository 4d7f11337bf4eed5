import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { FileFormat } from '../../formats/read-contents.ts';
import { FILE_FORMATS } from '../../formats/read-contents.ts';
import { exportDataset } from '../../tabular/export-dataset.ts';
import type { Command, CommandCall } from '../command.ts';
import { CommandError, UsageError } from '../command.ts';
import { findDataset, withReader } from '../publishing.ts';
import { resolveAsOfRevision } from '../resolve-as-of.ts';
import { writeStdout } from '../write-stdout.ts';

export const exportCommand: Command = {
  usage: 'export DATASET [--format FORMAT] [--as-of WHEN] [--output FILE]',
  maxArguments: 1,
  summary: 'Write a whole dataset, in a form that loads back to the same records',
  options: {
    format: {
      placeholder: 'FORMAT',
      help: `One of ${FILE_FORMATS.join(', ')} (default: by FILE, else csv)`,
    },
    'as-of': {
      placeholder: 'WHEN',
      help: 'As it stood: a revision, an instant, or the end of a day (UTC)',
    },
    output: {
      placeholder: 'FILE',
      short: 'o',
      help: 'Where to (default: standard output); .gz and .zst are compressed',
    },
  },
  async run(call) {
    const dataset = findDataset(call.positionals[0]);
    const output = call.options.output === undefined ? undefined : String(call.options.output);
    const format = resolveFormat(call, output);
    if (!output && process.stdout.isTTY && (format === 'xlsx' || format === 'parquet')) {
      throw new UsageError(`${format} is not for a terminal; give --output FILE`);
    }
    await withReader(call, async (reader) => {
      const asOf = await resolveAsOfRevision(reader, call.options['as-of']);
      const newest = await reader.revision();
      if (asOf !== undefined && asOf > newest) {
        throw new CommandError(`there is no revision ${asOf} yet; the newest is ${newest}`);
      }
      const chunks = exportDataset(reader, dataset, format, asOf);
      await (output ? writeToFile(chunks, output) : writeToStdout(chunks));
    });
  },
};

function resolveFormat({ options }: CommandCall, output: string | undefined): FileFormat {
  const suffix = output && /\.(\w+?)(?:\.gz|\.zst)?$/.exec(output)?.[1]?.toLowerCase();
  const named = options.format ?? FILE_FORMATS.find((format) => format === suffix) ?? 'csv';
  const format = FILE_FORMATS.find((known) => known === named);
  if (format) return format;
  throw new UsageError(`--format must be one of ${FILE_FORMATS.join(', ')}, not "${named}"`);
}

async function writeToStdout(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) await writeStdout(chunk);
}

/** The file appears under its name only when it is whole. */
async function writeToFile(chunks: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const squeeze = path.endsWith('.gz')
    ? [createGzip()]
    : path.endsWith('.zst')
      ? [createZstdCompress()]
      : [];
  try {
    await pipeline([Readable.from(chunks), ...squeeze, createWriteStream(draft)]);
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause instanceof Error && 'code' in cause
      ? new CommandError(`cannot write ${path}: ${cause.message}`)
      : cause;
  }
}
