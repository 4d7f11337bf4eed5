import { DEFAULT_SCOPE, MAX_DECLARATION_MIB } from '../../catalogue/model/declaration.ts';
import { InvalidFileError, type NamedFile } from '../../formats/read-contents.ts';
import {
  DeclarationError,
  declareDatasets,
  explainMissing,
  retireDataset,
} from '../../publish/declare-dataset.ts';
import { MAX_LISTED_PROBLEMS } from '../../publish/load/file-problems.ts';
import { fingerprintFile } from '../../publish/load/fingerprint-file.ts';
import { renameCode } from '../../publish/rename-code.ts';
import { isStructureMessage, readStructureMessage } from '../../sdmx/read-structure.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatColumns, formatInteger, formatOutcome, pluralize } from '../format.ts';
import { withInputFiles } from '../input-files.ts';
import {
  formatJson,
  printErrorLine,
  printJson,
  printLine,
  printOutcome,
  printRefusal,
} from '../output.ts';
import { DRY_RUN_STATUS, getAuthor, PUBLISH_OPTIONS, publishAndPrint } from '../publish-options.ts';
import { isStaging, STAGE_AT_OPTION, stageAndPrint } from '../stage-candidate.ts';
import { withPublisher, withReader } from '../with-store.ts';

const JSON_OPTION = { json: { help: 'As JSON' } };

export const datasetDeclareCommand: Command = {
  usage: 'dataset declare FILE… [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Declare or extend datasets of your own, without a restart',
  options: {
    create: { help: 'Create the database if there is none' },
    'reword-unit': { help: 'Change the wording of units; the figures stay what they are' },
    ...STAGE_AT_OPTION,
    ...PUBLISH_OPTIONS,
  },
  details:
    'FILE is a JSON file with one declaration, or - for standard input; or a structure message of SDMX (SDMX-ML 2.1, 3.0 or SDMX-JSON 2.0), whose declarations are printed with "?" for what it does not say. GET /schemas/dataset.json has the schema, docs/how-to/publish-a-dataset.md an example. An unchanged declaration publishes nothing. Before the first record of a dataset, anything may change; afterwards texts, checks, codes and measures that are not required.',
  async run(call) {
    const { positionals, options } = call;
    if (positionals.length === 0)
      throw new UsageError('a FILE is required, or - for standard input');
    const isDryRun = options['dry-run'] === true;
    const author = getAuthor(call);
    const signal = createAbortOnSignal();
    const read = (
      await withInputFiles(positionals, signal, (files) => Array.fromAsync(files, readDeclarations))
    ).flat();
    const files = read.map(({ file }) => file);
    const unanswered = read.filter(
      ({ declaration, isOfSdmx }) => isOfSdmx && isUnanswered(declaration),
    );
    if (unanswered.length > 0) {
      for (const { declaration } of unanswered) printLine(JSON.stringify(declaration, null, 2));
      throw new CommandError(
        'nothing was published: save each declaration above in a file, replace every "?", and declare that',
      );
    }
    const change = {
      declarations: read.map(({ declaration }) => declaration),
      source: files.map(({ name }) => name).join(', '),
      files,
      author,
      isDryRun,
      rewordsUnits: options['reword-unit'] === true,
    };
    if (isStaging(call)) {
      const { isDryRun: _, author: __, ...declared } = change;
      return stageAndPrint(call, author, { input: { kind: 'declare', ...declared } });
    }
    if (options.at !== undefined) throw new UsageError('--at needs --stage');
    const revision = await withPublisher(
      call,
      (publisher) => declareDatasets(publisher, change),
      signal,
    ).catch(async (cause) => {
      if (cause instanceof DeclarationError) await printProblems(call, cause);
      throw cause;
    });
    const { added = 0, corrected = 0, retired = 0, unchanged = read.length } = revision ?? {};
    const counts = { added, corrected, retired, unchanged };
    const status = isDryRun ? DRY_RUN_STATUS : revision ? 'published' : 'unchanged';
    const text = options.json
      ? formatJson({ status, dryRun: isDryRun, revision: revision ?? null, counts })
      : formatOutcome(revision, counts, isDryRun);
    const effect = revision ? `revision ${revision.revision} was published` : 'nothing changed';
    if (isDryRun) printLine(text);
    else await printOutcome(text, effect);
  },
};

const MAX_BYTES = MAX_DECLARATION_MIB * 1024 ** 2;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a declaration has what its structure message did not say. */
const isUnanswered = (declaration: unknown) => JSON.stringify(declaration).includes('"?"');

/** The declarations of a file: of a structure message of SDMX, there may be several. */
async function readDeclarations(file: NamedFile) {
  const { findChange: _, ...fingerprint } = await fingerprintFile(file);
  const reject = (what: string) => {
    throw new InvalidFileError(`${file.name} ${what}`);
  };
  if (fingerprint.bytes === 0) reject('is empty');
  if (fingerprint.bytes > MAX_BYTES)
    reject(`is larger than ${MAX_DECLARATION_MIB} MiB, the maximum for a declaration`);
  try {
    const text = UTF_8.decode(await Bun.file(file.path).bytes());
    const isOfSdmx = isStructureMessage(text);
    const declarations: unknown[] = isOfSdmx ? readStructureMessage(text) : [JSON.parse(text)];
    return declarations.map((declaration) => ({ file: fingerprint, declaration, isOfSdmx }));
  } catch (cause) {
    if (cause instanceof InvalidFileError) return reject(cause.message);
    if (!(cause instanceof SyntaxError)) reject('is not JSON: it is not UTF-8 text');
    throw new InvalidFileError(`${file.name} is not JSON: ${(cause as Error).message}`);
  }
}

async function printProblems(
  { options }: CommandCall,
  { problems }: DeclarationError,
): Promise<never> {
  const message = `nothing was published: ${pluralize(problems.length, 'problem')}`;
  const listed = problems.slice(0, MAX_LISTED_PROBLEMS);
  const rest = problems.length - listed.length;
  if (options.json) await printRefusal({ message, count: problems.length, problems: listed });
  else for (const problem of listed) printErrorLine(problem);
  if (rest > 0) printErrorLine(`… and ${formatInteger(rest)} more`);
  throw new CommandError(message, options.json === true);
}

const readDeclared = (call: CommandCall) =>
  withReader(call, async (reader) => reader.declarations(await reader.revision()));

export const datasetListCommand: Command = {
  usage: 'dataset list [--json]',
  summary: 'Show the declared datasets',
  options: JSON_OPTION,
  async run(call) {
    const { declarations } = await readDeclared(call);
    const list = declarations.map(({ declaration, revision, publishedAt }) => {
      const { name, title, period, dimensions = [], measures, scope = DEFAULT_SCOPE } = declaration;
      const fields = [period, ...dimensions, ...measures].map(({ field }) => field);
      return { name, title, scope, fields, revision, publishedAt };
    });
    if (call.options.json) return printJson(list);
    if (list.length === 0)
      return printLine('No dataset is declared; tenor dataset declare FILE declares one.');
    const rows = list.map(({ name, revision, scope, fields, title }) => [
      ...[name, formatInteger(revision), scope, fields.join(' '), title],
    ]);
    printLine(formatColumns([['name', 'revision', 'scope', 'fields', 'title'], ...rows]));
  },
};

export const datasetShowCommand: Command = {
  usage: 'dataset show NAME',
  maxArguments: 1,
  summary: 'Print the declaration of a dataset, to be edited and declared again',
  options: {},
  async run(call) {
    const [name] = call.positionals;
    if (name === undefined) throw new UsageError('the NAME of a declared dataset is required');
    const { declarations } = await readDeclared(call);
    const declared = declarations.find((each) => each.declaration.name === name);
    if (!declared) throw new CommandError(explainMissing(name));
    printLine(JSON.stringify(declared.declaration, null, 2));
  },
};

export const datasetRetireCommand: Command = {
  usage: 'dataset retire NAME [--with-records] [options]',
  maxArguments: 1,
  summary: 'Remove a declared dataset from the current data; it stays in the history',
  options: {
    'with-records': {
      help: 'Also retire its records (default: reject a dataset that has records)',
    },
    ...STAGE_AT_OPTION,
    ...PUBLISH_OPTIONS,
  },
  async run(call) {
    const [name] = call.positionals;
    if (name === undefined) throw new UsageError('the NAME of a declared dataset is required');
    const withRecords = call.options['with-records'] === true;
    const input = { kind: 'retire-dataset', name, withRecords } as const;
    await publishAndPrint(call, input, (publisher, options) =>
      retireDataset(publisher, { name, withRecords, ...options }),
    );
  },
};

export const datasetRenameCodeCommand: Command = {
  usage: 'dataset rename-code NAME DIMENSION OLD NEW [options]',
  maxArguments: 4,
  summary: 'Give a value of a dimension another name, in all records and in the codes',
  options: { ...STAGE_AT_OPTION, ...PUBLISH_OPTIONS },
  async run(call) {
    const [name, dimension, from, to] = call.positionals;
    if (!name || !dimension || !from || !to)
      throw new UsageError('NAME, DIMENSION, OLD and NEW are required');
    const renaming = { name, dimension, from, to };
    await publishAndPrint(call, { kind: 'rename-code', ...renaming }, (publisher, options) =>
      renameCode(publisher, { ...renaming, ...options }),
    );
  },
};
