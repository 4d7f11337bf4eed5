import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { FormatName } from '../formats/index.ts';
import { FORMATS } from '../formats/index.ts';
import { exported } from '../represent/whole.ts';
import { revisionNamed } from './as-of.ts';
import type { Call, Command } from './command.ts';
import { Refused, WrongUse } from './command.ts';
import { datasetNamed, withReader } from './publishing.ts';
import { written } from './stdout.ts';

export const exportCommand: Command = {
  usage: 'export DATASET [--format FORMAT] [--as-of WHEN] [--output FILE]',
  words: 1,
  summary: 'Write a whole dataset, in a form that loads back to the same records',
  options: {
    format: { value: 'FORMAT', help: `One of ${FORMATS.join(', ')} (default: by FILE, else csv)` },
    'as-of': {
      value: 'WHEN',
      help: 'As it stood: a revision, an instant, or the end of a day (UTC)',
    },
    output: {
      value: 'FILE',
      short: 'o',
      help: 'Where to (default: standard output); .gz and .zst are compressed',
    },
  },
  async run(call) {
    const dataset = datasetNamed(call.words[0]);
    const output = call.options.output === undefined ? undefined : String(call.options.output);
    const format = formatOf(call, output);
    if (!output && process.stdout.isTTY && (format === 'xlsx' || format === 'parquet')) {
      throw new WrongUse(`${format} is not for a terminal; give --output FILE`);
    }
    await withReader(call, async (reader) => {
      const asOf = await revisionNamed(reader, call.options['as-of']);
      const newest = await reader.revision();
      if (asOf !== undefined && asOf > newest) {
        throw new Refused(`there is no revision ${asOf} yet; the newest is ${newest}`);
      }
      const pieces = exported(reader, dataset, format, asOf);
      await (output ? toFile(pieces, output) : toStdout(pieces));
    });
  },
};

function formatOf({ options }: Call, output: string | undefined): FormatName {
  const suffix = output && /\.(\w+?)(?:\.gz|\.zst)?$/.exec(output)?.[1]?.toLowerCase();
  const named = options.format ?? FORMATS.find((format) => format === suffix) ?? 'csv';
  const format = FORMATS.find((known) => known === named);
  if (format) return format;
  throw new WrongUse(`--format must be one of ${FORMATS.join(', ')}, not "${named}"`);
}

async function toStdout(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) await written(piece);
}

/** The file appears under its name only when it is whole. */
async function toFile(pieces: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const squeeze = path.endsWith('.gz')
    ? [createGzip()]
    : path.endsWith('.zst')
      ? [createZstdCompress()]
      : [];
  try {
    await pipeline([Readable.from(pieces), ...squeeze, createWriteStream(draft)]);
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause instanceof Error && 'code' in cause
      ? new Refused(`cannot write ${path}: ${cause.message}`)
      : cause;
  }
}
