import { extname } from 'node:path';
import { findDeclarationProblems } from '../../catalogue/declaration-problems.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type Declaration, MEASURE_KINDS } from '../../catalogue/model/declaration.ts';
import type { NamedFile } from '../../formats/read-contents.ts';
import { type FileProfile, inspectFile } from '../../inspect/inspect-file.ts';
import {
  createDeclaration,
  type DeclarationAnswers,
  type MeasureAnswer,
} from '../../inspect/start/create-declaration.ts';
import { createStart } from '../../inspect/start/create-start.ts';
import type { Start } from '../../inspect/start/start.ts';
import { withFileName } from '../../publish/load/read-drafts.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { findPublishedDataset, parseNumberOption } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatInspection, formatStart } from '../format-inspection.ts';
import { FILE_OPTIONS, parseChoice, parseFileOptions } from '../mapping-options.ts';
import { printJson, printLine, printStyled, quoteArgument } from '../output.ts';
import { REPLACE_OPTION, writeOutputFile } from '../write-output-file.ts';

export const inspectCommand: Command = {
  usage: 'inspect FILE [--for DATASET | --declare NAME] [--write FILE] [--json]',
  maxArguments: 1,
  summary: 'Show what a file contains, and write a draft mapping or adapter for it',
  options: {
    for: { placeholder: 'DATASET', help: 'Also write a draft for this dataset' },
    declare: {
      placeholder: 'NAME',
      help: 'Write the declaration of a dataset with this name, and a draft for it',
    },
    title: { placeholder: 'TEXT', help: 'With --declare: the title of the dataset' },
    unit: {
      placeholder: 'TEXT',
      help: 'With --declare: the unit of all figures, such as PKR million; FIELD,FIELD=TEXT for some of them; may be repeated',
      isRepeatable: true,
    },
    kind: {
      placeholder: 'KIND',
      help: 'With --declare: flow, stock, rate or index, the kind of all figures; FIELD,FIELD=KIND for some of them; may be repeated',
      isRepeatable: true,
    },
    write: {
      placeholder: 'FILE',
      help: 'Write the draft to FILE: .json for a mapping, .ts for an adapter; with --declare, the declaration to FILE.json and the draft to FILE-mapping.json or FILE-adapter.ts',
    },
    ...REPLACE_OPTION,
    ...FILE_OPTIONS,
    sheet: { placeholder: 'SHEET', help: 'The sheet to write a draft for, by name or number' },
    'header-row': { placeholder: 'N', help: 'The row that names the columns (default: detected)' },
    json: { help: 'As JSON' },
  },
  details: [
    'Reads only FILE, and opens no database except for a declared DATASET. The draft contains the',
    "columns of the file; '?' marks what the file does not reveal, and is refused until it is",
    'answered. Then: tenor load DATASET FILE --mapping or --adapter; after --declare, first tenor',
    'dataset declare.',
  ].join('\n'),
  async run(call) {
    const [path] = call.positionals;
    if (path === undefined) throw new UsageError('a FILE is required');
    if (path === '-')
      throw new UsageError('standard input cannot be inspected; write it to a file');
    const { for: name, declare } = call.options;
    const answer = ['title', 'unit', 'kind'].find((option) => call.options[option] !== undefined);
    if (answer && declare === undefined) throw new UsageError(`--${answer} needs --declare NAME`);
    const file = { path, name: path };
    if (declare !== undefined) return await inspectToDeclare(call, file, String(declare));
    const wanted = parseTarget(call);
    const dataset = name === undefined ? undefined : await findPublishedDataset(call, String(name));
    const profile = await readProfile(call, file);
    const start = dataset && createStart(dataset, profile, wanted);
    if (wanted !== undefined) await writeStart(call, start);
    if (call.options.json) printJson(toJson(profile, start));
    else printInspection(profile, dataset, start, call);
  },
};

/** Writes a declaration, and a draft beside it. */
async function inspectToDeclare(call: CommandCall, file: NamedFile, name: string): Promise<void> {
  const { write, replace, json } = call.options;
  const target = write === undefined ? undefined : String(write);
  if (call.options.for !== undefined) throw new UsageError('give --for or --declare, not both');
  if (replace && !target) throw new UsageError('--replace needs --write FILE');
  if (target !== undefined && extname(target) !== '.json')
    throw new UsageError('--write takes a FILE that ends in .json for a declaration');
  const [problem] = findDeclarationProblems({ name }).filter((text) => text.startsWith('$.name'));
  if (problem !== undefined) throw new UsageError(problem.replace('$.name', '--declare NAME'));
  const answers = parseAnswers(call);
  const profile = await readProfile(call, file);
  const found = createDeclaration(name, profile, answers);
  if (!found)
    throw new CommandError(
      `${file.name} has no table with a column of figures to declare; periods across the columns need an adapter such as examples/wide-table.ts`,
    );
  assertMeasures(found.declaration, answers);
  const { start } = found;
  const declaration = `${JSON.stringify(found.declaration, null, 2)}\n`;
  const base = target?.replace(/\.json$/, '') ?? name;
  const startFile = `${base}-${start?.kind}.${start?.kind === 'adapter' ? 'ts' : 'json'}`;
  if (target !== undefined) {
    await writeOutputFile(call, target, [declaration]);
    if (start) await writeOutputFile(call, startFile, [start.text]);
  }
  if (json) return printJson({ ...toJson(profile, start), declaration: found.declaration });
  for (const line of formatInspection(profile)) printStyled(line);
  printLine('');
  if (start) for (const line of formatStart(start, name)) printLine(line);
  if (target === undefined) printLine(`\n${declaration}\n${start?.text ?? ''}`);
  else printLine(`Wrote ${[target, ...(start ? [startFile] : [])].join(' and ')}.`);
  printLine(`Then: tenor dataset declare ${quoteArgument(`${base}.json`)}`);
  if (start)
    printLine(
      `      tenor load ${name} ${quoteArgument(file.path)} --${start.kind} ${quoteArgument(startFile)} --dry-run`,
    );
}

function parseAnswers(call: CommandCall): DeclarationAnswers {
  const { title } = call.options;
  const [unit, kind] = [parseMeasureAnswer(call, 'unit'), parseMeasureAnswer(call, 'kind')];
  for (const each of [...kind.byField.values(), kind.others])
    parseChoice('kind', each, MEASURE_KINDS);
  return { title: title === undefined ? undefined : String(title), unit, kind };
}

/** `bid,ask=percent` answers for two measures, and `percent` for all others; units such as `2015=100` have no field. */
function parseMeasureAnswer(call: CommandCall, option: 'unit' | 'kind'): MeasureAnswer {
  const byField = new Map<string, string>();
  let others: string | undefined;
  for (const text of call.getAll(option)) {
    const [, fields, answer] = /^([a-z]\w*(?:,[a-z]\w*)*)=(.+)$/.exec(text) ?? [];
    if (fields === undefined || answer === undefined) {
      if (others !== undefined)
        throw new UsageError(`--${option} is given twice for all figures; FIELD=TEXT is for some`);
      others = text;
    } else for (const field of fields.split(',')) byField.set(field, answer);
  }
  return { byField, others };
}

function assertMeasures({ measures }: Declaration, { unit, kind }: DeclarationAnswers): void {
  const names = measures.map(({ field }) => field);
  for (const field of [...(unit?.byField.keys() ?? []), ...(kind?.byField.keys() ?? [])])
    if (!names.includes(field))
      throw new UsageError(`no figure is called ${field}; there are ${names.join(', ')}`);
}

/** The kind of draft that the name of the file to write implies. */
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
  const shapes = profile.shapes.map(({ objects: _, objectKeys: __, ...shape }) => shape);
  return { ...profile, sheets, shapes, start: start ?? null };
}

const NO_START =
  'no row names the columns, and there is no list of records; add a header line to the file, or read columns by index in an adapter';
const FOR_HINT =
  '--for DATASET writes a draft mapping or adapter. --declare NAME also writes a declaration.';

function printInspection(
  profile: FileProfile,
  dataset: Dataset | undefined,
  start: Start | undefined,
  { options, positionals: [path = ''] }: CommandCall,
): void {
  for (const line of formatInspection(profile)) printStyled(line);
  printLine('');
  if (!dataset || !start) {
    printLine(dataset ? `No draft: ${NO_START}.` : FOR_HINT);
    return;
  }
  for (const line of formatStart(start, dataset.name)) printLine(line);
  const { write: target = start.kind === 'mapping' ? 'start.json' : 'start.ts' } = options;
  if (options.write === undefined) printLine(`\n${start.text.trimEnd()}\n`);
  else printLine(`Wrote ${target}.`);
  const [file, startFile] = [path, String(target)].map(quoteArgument);
  printLine(`Then: tenor load ${dataset.name} ${file} --${start.kind} ${startFile} --dry-run`);
}
