import { readFileSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { FormatName } from '../formats/index.ts';
import { FileRefused, FORMATS, spool } from '../formats/index.ts';
import type { LoadFile } from '../publish/fingerprint.ts';
import type { Loaded } from '../publish/load.ts';
import { load as loadFiles } from '../publish/load.ts';
import type { Mapping } from '../publish/mapping/mapping.ts';
import { parseMapping } from '../publish/mapping/mapping.ts';
import { LoadRefused, problemLine } from '../publish/problems.ts';
import { reportLines } from '../publish/report.ts';
import type { Call, Command } from './command.ts';
import { Interrupted, print, Refused, WrongUse } from './command.ts';
import { progressBar } from './progress.ts';
import {
  authorOf,
  datasetNamed,
  outcome,
  publishingOptions,
  tally,
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
    blank: { value: 'WHAT', help: 'zero: take blank numbers as 0 (default: refused)' },
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
    const interruption = untilInterrupted();
    await withFiles(names, async (files) => {
      const progress = progressBar(process.stderr, totalBytes(files));
      try {
        const loaded = await withPublisher(call, (publisher) =>
          loadFiles(publisher, {
            dataset,
            files,
            mapping,
            author,
            replace: replace === true,
            strict: strict === true,
            dryRun: dryRun === true,
            onRead: (bytes) => {
              interruption.check();
              progress.advance(bytes);
            },
          }),
        );
        progress.end();
        tell(call, loaded, dryRun === true);
      } catch (cause) {
        progress.end();
        if (cause instanceof LoadRefused) tellRefusal(call, cause);
        if (!(cause instanceof FileRefused)) throw cause;
        const { message } = cause;
        if (call.options.json) print(JSON.stringify({ status: 'refused', message }, null, 2));
        throw new Refused(message);
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

/** Holds a signal back until the load can be given up as a whole. */
function untilInterrupted(): { check(): void } {
  let received: 'SIGINT' | 'SIGTERM' | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      received = signal;
    });
  }
  return {
    check() {
      if (received) throw new Interrupted(received);
    },
  };
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
  const kind = isStrict ? 'warning' : 'problem';
  const summary = `nothing was published: ${tally(count)} ${kind}${count === 1 ? '' : 's'}`;
  if (options.json) {
    const told = { status: 'refused', message: summary, count, problems, report };
    print(JSON.stringify(told, null, 2));
    throw new Refused(summary);
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
  work: (files: readonly LoadFile[]) => Promise<void>,
): Promise<void> {
  if (names.filter((name) => name === '-').length > 1) {
    throw new WrongUse('- stands for standard input, which can be read once');
  }
  const spooled = names.includes('-') ? await spool(Bun.stdin.stream()) : undefined;
  try {
    await work(
      names.map((name) => {
        if (name === '-' && spooled) return { path: spooled.path, name: 'standard input' };
        return { path: name, name };
      }),
    );
  } finally {
    spooled?.close();
  }
}

function totalBytes(files: readonly LoadFile[]): number {
  const sizes = files.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The mapping file, and over it what the call itself says. */
function mappingOf(call: Call): Mapping {
  const { mapping: file, format, sheet, decimal, periods, dates } = call.options;
  const base = typeof file === 'string' ? mappingIn(file) : {};
  const headerRow = call.options['header-row'];
  const columns = pairs(call, 'map').map(([column, field]) => [
    column,
    field === '' ? null : field,
  ]);
  const own = {
    format: oneOf('format', format, FORMATS) as FormatName | undefined,
    sheet,
    headerRow: headerRow === undefined ? undefined : rowNumber(headerRow),
    decimal: oneOf('decimal', decimal, ['.', ',']),
    periods: oneOf('periods', periods, ['sbp']),
    dates: oneOf('dates', dates, ['dmy', 'mdy']),
    blank: oneOf('blank', call.options.blank, ['zero']),
    uncomputable: oneOf('uncomputable', call.options.uncomputable, ['zero']),
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return {
    ...base,
    ...Object.fromEntries(given),
    columns: { ...base.columns, ...Object.fromEntries(columns) },
    fields: { ...base.fields, ...Object.fromEntries(pairs(call, 'set')) },
  };
}

function mappingIn(file: string): Mapping {
  try {
    return parseMapping(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    const { message } = cause as Error;
    throw new WrongUse(cause instanceof FileRefused ? message : `--mapping ${file}: ${message}`);
  }
}

function pairs(call: Call, option: 'map' | 'set'): [string, string][] {
  return call.all(option).map((pair) => {
    // A field's name has no = in it; a column's, or a text, may.
    const at = option === 'map' ? pair.lastIndexOf('=') : pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || name === '') throw new WrongUse(`--${option} must be NAME=WHAT, not "${pair}"`);
    return [name, value];
  });
}

function oneOf(option: string, value: unknown, words: readonly string[]): string | undefined {
  if (value === undefined || words.includes(String(value))) return value as string | undefined;
  const allowed = words.map((word) => `"${word}"`).join(' or ');
  throw new WrongUse(`--${option} must be ${allowed}, not "${value}"`);
}

function rowNumber(text: string | boolean): number {
  if (/^[1-9]\d{0,6}$/.test(String(text))) return Number(text);
  throw new WrongUse('--header-row must be a whole number from 1');
}
