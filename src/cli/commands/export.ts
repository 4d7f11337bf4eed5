import { FILE_FORMATS, type FileFormat } from '../../formats/read-contents.ts';
import { escapeControlsInLines } from '../../shared/control-characters.ts';
import { FORMATS } from '../../shared/formats.ts';
import { exportDataset } from '../../tabular/export-dataset.ts';
import {
  AS_OF_OPTION,
  DATASETS_HELP,
  findRevision,
  findStoredDataset,
  parseAsOf,
} from '../arguments.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { writeStdout } from '../output.ts';
import { withReader } from '../with-store.ts';
import { REPLACE_OPTION, writeOutputFile } from '../write-output-file.ts';

export const exportCommand: Command = {
  usage: 'export DATASET [--format FORMAT] [--as-of WHEN] [--output FILE [--replace]]',
  maxArguments: 1,
  summary: 'Write a whole dataset to a file that can be loaded again',
  options: {
    format: {
      placeholder: 'FORMAT',
      help: `One of ${FILE_FORMATS.join(', ')} (default: the extension of FILE, else csv)`,
    },
    'as-of': AS_OF_OPTION,
    output: {
      placeholder: 'FILE',
      short: 'o',
      help: 'The file to write (default: standard output); .gz and .zst are compressed',
    },
    ...REPLACE_OPTION,
  },
  details: DATASETS_HELP,
  async run(call) {
    const output = call.options.output === undefined ? undefined : String(call.options.output);
    if (!output && call.options.replace) throw new UsageError('--replace needs --output FILE');
    const format = resolveFormat(call, output);
    if (!output && process.stdout.isTTY && !FORMATS[format].traits.isText)
      throw new UsageError(`${format} cannot be written to a terminal; use --output FILE`);
    const asOf = parseAsOf(call);
    const dataset = await findStoredDataset(call, call.positionals[0], { asOf });
    await withReader(call, async (reader) => {
      const revision = asOf && (await findRevision(reader, asOf));
      const chunks = exportDataset(reader, dataset, format, revision);
      if (output) await writeOutputFile(call, output, chunks);
      else await writeToStdout(chunks);
    });
  },
};

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

/** Writes to standard output; escapes characters that a terminal would act on. */
async function writeToStdout(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  const toSafeText = (chunk: Uint8Array) =>
    escapeControlsInLines(decoder.decode(chunk, { stream: true }));
  for await (const chunk of chunks) {
    await writeStdout(process.stdout.isTTY ? toSafeText(chunk) : chunk);
  }
}
