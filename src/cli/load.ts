import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Spooled } from '../formats/index.ts';
import { FileRefused, FORMATS, spool } from '../formats/index.ts';
import type { LoadFile } from '../publish/fingerprint.ts';
import type { Loaded } from '../publish/load.ts';
import { load as loadFiles } from '../publish/load.ts';
import { LoadRefused, problemLine } from '../publish/problems.ts';
import { reportLines, tally } from '../publish/report.ts';
import type { Call, Command } from './command.ts';
import { print, Refused, WrongUse } from './command.ts';
import { interruption } from './interruption.ts';
import { mappingOf } from './mapping-options.ts';
import { progressBar } from './progress.ts';
import {
  authorOf,
  counted,
  datasetNamed,
  outcome,
  publishingOptions,
  withPublisher,
} from './publishing.ts';

export const load: Command = {
  usage: 'load DATASET FILE… [options]',
  words: Number.POSITIVE_INFINITY,
  summary: 'Read files, check every record, and publish them as one revision',
  options: {
    format: { value: 'FORMAT', help: `One of ${FORMATS.join(', ')} (default: found by content)` },
    mapping: { value: 'FILE', help: 'A mapping file, for sources with names of their own' },
    map: {
      value: 'COLUMN=FIELD',
      many: true,
      help: 'A column that holds a field; COLUMN= leaves it out',
    },
    set: { value: 'FIELD=TEXT', many: true, help: 'A field that is the same in every record' },
    sheet: { value: 'SHEET', help: "A spreadsheet's sheet, by name or number" },
    'header-row': { value: 'N', help: 'The row that names the columns (default: found)' },
    decimal: { value: 'SIGN', help: 'The decimal sign, . or , (default: .)' },
    periods: { value: 'HABIT', help: 'sbp: convert labels such as Q2-FY24 and Jul-Sep 22' },
    dates: { value: 'ORDER', help: 'dmy or mdy: convert dates such as 30/06/2026' },
    blank: {
      value: 'WHAT',
      help: 'zero: take blank numbers as 0; absent: as keys that a list lacks (default: refused)',
    },
    uncomputable: {
      value: 'WHAT',
      help: 'zero: 0 for figures that cannot be computed (default: refused)',
    },
    replace: { help: 'The files are the whole dataset: retire what is not in them' },
    strict: { help: 'Refuse the files where there is a warning' },
    ...publishingOptions,
  },
  more: 'FILE is a path, or - for standard input; .gz and .zst are undone. Mappings: docs/how-to/load-files.md.',
  async run(call) {
    const [word, ...names] = call.words;
    const dataset = datasetNamed(word);
    if (names.length === 0) throw new WrongUse('a FILE is needed, or - for standard input');
    const mapping = mappingOf(call);
    if (mapping.dataset !== undefined && mapping.dataset !== dataset.name) {
      throw new WrongUse(`the mapping is for ${mapping.dataset}, not for ${dataset.name}`);
    }
    const author = authorOf(call);
    const { replace, strict, 'dry-run': dryRun } = call.options;
    giveWay();
    const signal = interruption();
    await withFiles(names, signal, async (files) => {
      const progress = progressBar(process.stderr, totalBytes(files));
      const request = {
        dataset,
        files,
        mapping,
        author,
        replace: replace === true,
        strict: strict === true,
        dryRun: dryRun === true,
        onRead: (bytes: number) => {
          signal.throwIfAborted();
          progress.advance(bytes);
        },
      };
      try {
        const loaded = await withPublisher(call, (within) => loadFiles(within, request), signal);
        progress.end();
        tell(call, loaded, request.dryRun);
      } catch (cause) {
        progress.end();
        if (cause instanceof LoadRefused) tellRefusal(call, cause);
        throw cause;
      }
    });
  },
};

/** Lets a server on the same machine go first. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A system that has no priorities, or keeps them to itself, is as good.
  }
}

function tell({ options }: Call, { revision, counts, report }: Loaded, isDryRun: boolean): void {
  if (options.json) {
    const status = isDryRun ? 'rehearsed' : revision ? 'published' : 'unchanged';
    print(JSON.stringify({ status, revision: revision ?? null, counts, report }, null, 2));
    return;
  }
  for (const line of reportLines(report)) print(line);
  const isEmpty = !revision && report.records === 0;
  print(
    isEmpty
      ? 'Nothing was published: there are no records.'
      : outcome(revision, counts, { isDryRun }),
  );
}

function tellRefusal({ options }: Call, { problems, count, report }: LoadRefused): never {
  const isStrict = problems.length === 0;
  const summary = `nothing was published: ${counted(count, isStrict ? 'warning' : 'problem')}`;
  if (options.json) {
    const told = { status: 'refused', message: summary, count, problems, report };
    print(JSON.stringify(told, null, 2));
    throw new Refused(summary, true);
  }
  if (isStrict) for (const line of reportLines(report)) process.stderr.write(`${line}\n`);
  for (const problem of problems) process.stderr.write(`${problemLine(problem)}\n`);
  if (count > problems.length && !isStrict) {
    process.stderr.write(`… and ${tally(count - problems.length)} more\n`);
  }
  throw new Refused(summary);
}

/** Runs work with files as they are on disk; standard input is put into one first. */
async function withFiles(
  names: readonly string[],
  signal: AbortSignal,
  work: (files: readonly LoadFile[]) => Promise<void>,
): Promise<void> {
  if (names.filter((name) => name === '-').length > 1) {
    throw new WrongUse('- stands for standard input, which can be read once');
  }
  const spooled = names.includes('-') ? await standardInput(signal) : undefined;
  try {
    await work(
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

async function standardInput(signal: AbortSignal): Promise<Spooled> {
  try {
    return await spool(Bun.stdin.stream(), { signal });
  } catch (cause) {
    if (!(cause instanceof FileRefused)) throw cause;
    throw new Refused(`${STANDARD_INPUT} ${cause.message}`);
  }
}

/** What is to be read, for the progress; a file that cannot be is refused when its turn comes. */
function totalBytes(files: readonly LoadFile[]): number {
  return files.reduce((sum, { path }) => {
    try {
      return sum + statSync(path).size;
    } catch {
      return sum;
    }
  }, 0);
}
