import { extname } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { NamedFile } from '../../formats/read-contents.ts';
import { type FileProfile, inspectFile } from '../../inspect/inspect-file.ts';
import { createStart } from '../../inspect/start/create-start.ts';
import type { Start } from '../../inspect/start/start.ts';
import { withFileName } from '../../publish/load/read-drafts.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { findDataset, parseNumberOption } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatInspection, formatStart } from '../format-inspection.ts';
import { FILE_OPTIONS, parseFileOptions } from '../mapping-options.ts';
import { printJson, printLine, printStyled, quoteArgument } from '../output.ts';
import { REPLACE_OPTION, writeOutputFile } from '../write-output-file.ts';

export const inspectCommand: Command = {
  usage: 'inspect FILE [--for DATASET] [--write FILE] [--json]',
  maxArguments: 1,
  summary: 'Show what a file holds, and write a mapping or an adapter to begin with',
  options: {
    for: { placeholder: 'DATASET', help: 'Write a start for this dataset, after the description' },
    write: {
      placeholder: 'FILE',
      help: 'Write the start to FILE: .json for a mapping, .ts for an adapter',
    },
    ...REPLACE_OPTION,
    ...FILE_OPTIONS,
    sheet: { placeholder: 'SHEET', help: 'The sheet to write a start for, by name or number' },
    'header-row': { placeholder: 'N', help: 'The row that names the columns (default: detected)' },
    json: { help: 'As JSON' },
  },
  details: [
    "Reads FILE and nothing else, and opens no database. The start has the columns of the file in it; '?'",
    'stands for what the file does not tell. Then: tenor load DATASET FILE --mapping or --adapter.',
  ].join('\n'),
  async run(call) {
    const [path] = call.positionals;
    if (path === undefined) throw new UsageError('a FILE is required');
    if (path === '-')
      throw new UsageError('standard input cannot be inspected; write it to a file');
    const { for: name } = call.options;
    const dataset = name === undefined ? undefined : findDataset(String(name));
    const wanted = parseTarget(call);
    const file = { path, name: path };
    const profile = await readProfile(call, file);
    const start = dataset && createStart(dataset, profile, wanted);
    if (wanted !== undefined) await writeStart(call, start);
    if (call.options.json) printJson(toJson(profile, start));
    else printInspection(profile, dataset, start, call);
  },
};

/** The kind of start that the name of the file to write asks for. */
function parseTarget({ options }: CommandCall): Start['kind'] | undefined {
  if (options.write === undefined) {
    if (options.replace) throw new UsageError('--replace needs --write FILE');
    return undefined;
  }
  if (options.for === undefined) throw new UsageError('--write needs --for DATASET');
  const extension = extname(String(options.write));
  if (extension === '.json') return 'mapping';
  if (extension === '.ts') return 'adapter';
  throw new UsageError('--write takes a FILE that ends in .json (a mapping) or .ts (an adapter)');
}

async function readProfile(call: CommandCall, file: NamedFile): Promise<FileProfile> {
  const signal = createAbortOnSignal('nothing was written');
  const headerRow = parseNumberOption(call, 'header-row', 1, 9_999_999);
  const onBatch = () => signal.throwIfAborted();
  const options = { ...parseFileOptions(call), headerRow, onBatch };
  try {
    return await inspectFile(file, options);
  } catch (cause) {
    throw withFileName(cause, file);
  }
}

async function writeStart(call: CommandCall, start: Start | undefined): Promise<void> {
  const path = String(call.options.write);
  if (!start) throw new CommandError(`${path} was not written: ${NO_START}`);
  const { kind, text, reasons } = start;
  if (kind === 'adapter' && path.endsWith('.json'))
    throw new UsageError(
      `this file needs an adapter, because ${reasons.join('; ')}: --write ${path.replace(/json$/, 'ts')}`,
    );
  await writeOutputFile(call, path, [text]);
}

function toJson(profile: FileProfile, start: Start | undefined) {
  const sheets = profile.sheets.map(({ dataRows: _, otherRows: __, ...sheet }) => sheet);
  const shapes = profile.shapes.map(({ objects: _, ...shape }) => shape);
  return { ...profile, sheets, shapes, start: start ?? null };
}

const NO_START =
  'no row names the columns, and there is no list of records; add a line with names to the file, or read it by indexes in an adapter';
const FOR_HINT = '--for DATASET writes a start: a mapping or an adapter.';

function printInspection(
  profile: FileProfile,
  dataset: Dataset | undefined,
  start: Start | undefined,
  { options, positionals: [path = ''] }: CommandCall,
): void {
  for (const line of formatInspection(profile)) printStyled(line);
  printLine('');
  if (!dataset || !start) {
    printLine(dataset ? `No start: ${NO_START}.` : FOR_HINT);
    return;
  }
  for (const line of formatStart(start, dataset.name)) printLine(line);
  const { write: target = start.kind === 'mapping' ? 'start.json' : 'start.ts' } = options;
  if (options.write === undefined) printLine(`\n${start.text.trimEnd()}\n`);
  else printLine(`Wrote ${target}.`);
  const [file, startFile] = [path, String(target)].map(quoteArgument);
  printLine(`Then: tenor load ${dataset.name} ${file} --${start.kind} ${startFile} --dry-run`);
}
