import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { NamedFile, SpooledFile } from '../../formats/read-contents.ts';
import { FILE_FORMATS, InvalidFileError, spoolToFile } from '../../formats/read-contents.ts';
import { LoadValidationError } from '../../publish/errors.ts';
import type { LoadResult } from '../../publish/load/load-files.ts';
import { loadFiles } from '../../publish/load/load-files.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import type { Command, CommandCall } from '../command.ts';
import { CommandError, printLine, UsageError } from '../command.ts';
import { formatCount, formatProblemLine, formatReport } from '../format-report.ts';
import { parseMappingOptions } from '../mapping-options.ts';
import { createProgressBar } from '../progress-bar.ts';
import {
  findDataset,
  formatOutcome,
  getAuthor,
  PUBLISH_OPTIONS,
  pluralize,
  withPublisher,
} from '../publishing.ts';

export const loadCommand: Command = {
  usage: 'load DATASET FILE… [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Read files, check every record, and publish them as one revision',
  options: {
    format: {
      placeholder: 'FORMAT',
      help: `One of ${FILE_FORMATS.join(', ')} (default: found by content)`,
    },
    mapping: { placeholder: 'FILE', help: 'A mapping file, for sources with names of their own' },
    map: {
      placeholder: 'COLUMN=FIELD',
      isRepeatable: true,
      help: 'A column that holds a field; COLUMN= leaves it out',
    },
    set: {
      placeholder: 'FIELD=TEXT',
      isRepeatable: true,
      help: 'A field that is the same in every record',
    },
    sheet: { placeholder: 'SHEET', help: "A spreadsheet's sheet, by name or number" },
    'header-row': { placeholder: 'N', help: 'The row that names the columns (default: found)' },
    decimal: { placeholder: 'SIGN', help: 'The decimal sign, . or , (default: .)' },
    periods: { placeholder: 'HABIT', help: 'sbp: convert labels such as Q2-FY24 and Jul-Sep 22' },
    dates: { placeholder: 'ORDER', help: 'dmy or mdy: convert dates such as 30/06/2026' },
    blank: {
      placeholder: 'WHAT',
      help: 'zero: take blank numbers as 0; absent: as keys that a list lacks (default: refused)',
    },
    uncomputable: {
      placeholder: 'WHAT',
      help: 'zero: 0 for figures that cannot be computed (default: refused)',
    },
    replace: { help: 'The files are the whole dataset: retire what is not in them' },
    strict: { help: 'Refuse the files where there is a warning' },
    ...PUBLISH_OPTIONS,
  },
  details:
    'FILE is a path, or - for standard input; .gz and .zst are undone. Mappings: docs/how-to/load-files.md.',
  async run(call) {
    const [word, ...names] = call.positionals;
    const dataset = findDataset(word);
    if (names.length === 0) throw new UsageError('a FILE is needed, or - for standard input');
    const mapping = parseMappingOptions(call);
    if (mapping.dataset !== undefined && mapping.dataset !== dataset.name) {
      throw new UsageError(`the mapping is for ${mapping.dataset}, not for ${dataset.name}`);
    }
    const author = getAuthor(call);
    const { replace, strict, 'dry-run': dryRun } = call.options;
    lowerPriority();
    const signal = createAbortOnSignal();
    await withInputFiles(names, signal, async (files) => {
      const progress = createProgressBar(process.stderr, sumFileSizes(files));
      const request = {
        dataset,
        files,
        mapping,
        author,
        replace: replace === true,
        isStrict: strict === true,
        isDryRun: dryRun === true,
        onRead: (bytes: number) => {
          signal.throwIfAborted();
          progress.advance(bytes);
        },
      };
      try {
        const loaded = await withPublisher(call, (within) => loadFiles(within, request), signal);
        progress.end();
        printResult(call, loaded, request.isDryRun);
      } catch (cause) {
        progress.end();
        if (cause instanceof LoadValidationError) printRejection(call, cause);
        throw cause;
      }
    });
  },
};

/** Lets a server on the same machine go first. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A system that has no priorities, or keeps them to itself, is as good.
  }
}

function printResult(
  { options }: CommandCall,
  { revision, counts, report }: LoadResult,
  isDryRun: boolean,
): void {
  if (options.json) {
    const status = isDryRun ? 'rehearsed' : revision ? 'published' : 'unchanged';
    printLine(JSON.stringify({ status, revision: revision ?? null, counts, report }, null, 2));
    return;
  }
  for (const line of formatReport(report)) printLine(line);
  const isEmpty = !revision && report.records === 0;
  printLine(
    isEmpty
      ? 'Nothing was published: there are no records.'
      : formatOutcome(revision, counts, { isDryRun }),
  );
}

function printRejection(
  { options }: CommandCall,
  { problems, count, report }: LoadValidationError,
): never {
  const isStrict = problems.length === 0;
  const summary = `nothing was published: ${pluralize(count, isStrict ? 'warning' : 'problem')}`;
  if (options.json) {
    const told = { status: 'refused', message: summary, count, problems, report };
    printLine(JSON.stringify(told, null, 2));
    throw new CommandError(summary, true);
  }
  if (isStrict) for (const line of formatReport(report)) process.stderr.write(`${line}\n`);
  for (const problem of problems) process.stderr.write(`${formatProblemLine(problem)}\n`);
  if (count > problems.length && !isStrict) {
    process.stderr.write(`… and ${formatCount(count - problems.length)} more\n`);
  }
  throw new CommandError(summary);
}

/** Runs work with files as they are on disk; standard input is put into one first. */
async function withInputFiles(
  names: readonly string[],
  signal: AbortSignal,
  callback: (files: readonly NamedFile[]) => Promise<void>,
): Promise<void> {
  if (names.filter((name) => name === '-').length > 1) {
    throw new UsageError('- stands for standard input, which can be read once');
  }
  const spooled = names.includes('-') ? await spoolStandardInput(signal) : undefined;
  try {
    await callback(
      names.map((name) => {
        if (name === '-' && spooled) return { path: spooled.path, name: STANDARD_INPUT };
        return { path: name, name };
      }),
    );
  } finally {
    spooled?.close();
  }
}

const STANDARD_INPUT = 'standard input';

async function spoolStandardInput(signal: AbortSignal): Promise<SpooledFile> {
  try {
    return await spoolToFile(Bun.stdin.stream(), { signal });
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new CommandError(`${STANDARD_INPUT} ${cause.message}`);
  }
}

/** What is to be read, for the progress; a file that cannot be is refused when its turn comes. */
function sumFileSizes(files: readonly NamedFile[]): number {
  return files.reduce((sum, { path }) => {
    try {
      return sum + statSync(path).size;
    } catch {
      return sum;
    }
  }, 0);
}
