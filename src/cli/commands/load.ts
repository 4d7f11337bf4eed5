import { statSync } from 'node:fs';
import type { NamedFile } from '../../formats/read-contents.ts';
import { type RunningAdapter, withAdapter } from '../../publish/adapter/run-adapter.ts';
import { packLoad } from '../../publish/desk/candidate-files.ts';
import { LoadValidationError } from '../../publish/errors.ts';
import { type LoadOptions, type LoadResult, loadFiles } from '../../publish/load/load-files.ts';
import type { Publisher } from '../../store/open-store.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { applyPriority, NICE_OPTION } from '../apply-priority.ts';
import { DATASETS_HELP, findPublishedDataset } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import {
  formatChangeCounts,
  formatInteger,
  formatOutcome,
  formatProblemLine,
  formatReport,
  pluralize,
} from '../format.ts';
import { withInputFiles } from '../input-files.ts';
import { loadAtInstant } from '../load-at-instant.ts';
import {
  FILE_OPTIONS,
  parseAdapterOption,
  parseAdapterRunOptions,
  parseMappingOptions,
} from '../mapping-options.ts';
import { formatJson, printErrorLine, printLine, printOutcome, printRefusal } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { DRY_RUN_STATUS, getAuthor, PUBLISH_OPTIONS, parseLicence } from '../publish-options.ts';
import { parseLimitOptions } from '../rule-options.ts';
import { isStaging, parseReleaseInstant, stageAndPrint } from '../stage-candidate.ts';
import { withPublisher } from '../with-store.ts';

export const loadCommand: Command = {
  usage: 'load DATASET FILE… [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Read files, check every record, and publish them as one revision',
  options: {
    ...FILE_OPTIONS,
    mapping: { placeholder: 'FILE', help: 'A mapping file, for sources with other column names' },
    adapter: {
      placeholder: 'FILE',
      help: 'A TypeScript or JavaScript file that turns the files into records; it runs with your permissions',
    },
    'adapter-timeout': {
      placeholder: 'TIME',
      help: 'Stop an adapter that yields nothing for this long, such as 10min, or off (default: 60s)',
    },
    'adapter-env': {
      placeholder: 'NAME',
      isRepeatable: true,
      help: 'Pass an environment variable to the adapter, which otherwise sees only the usual ones',
    },
    map: {
      placeholder: 'COLUMN=FIELD',
      isRepeatable: true,
      help: 'Map a column to a field; COLUMN= ignores the column',
    },
    set: { placeholder: 'FIELD=TEXT', isRepeatable: true, help: 'Set a field to a constant' },
    sheet: { placeholder: 'SHEET', help: "A spreadsheet's sheet, by name or number" },
    'header-row': { placeholder: 'N', help: 'The row that names the columns (default: detected)' },
    decimal: { placeholder: 'SIGN', help: 'The decimal sign, . or , (default: .)' },
    periods: { placeholder: 'STYLE', help: 'sbp: convert labels such as Q2-FY24 and Jul-Sep 22' },
    dates: {
      placeholder: 'ORDER',
      help: 'dmy or mdy: convert dates such as 30/06/2026; serial: numbers of a spreadsheet, 46203',
    },
    blank: {
      placeholder: 'WHAT',
      help: 'zero: read blank numbers as 0; absent: treat blank list cells as missing keys (default: reject)',
    },
    uncomputable: {
      placeholder: 'WHAT',
      help: 'zero: use 0 for values that cannot be computed (default: reject)',
    },
    'settlement-days': {
      placeholder: 'N',
      help: 'Weekdays from the date of a quote to its settlement, for computed values (default: 1)',
    },
    replace: { help: 'Replace the dataset: retire records that are not in the files' },
    relabel: {
      help: 'Replace years with labels of another kind, such as 2024 with FY24 (default: reject)',
    },
    future: {
      placeholder: 'allow',
      help: 'Publish records dated more than a day ahead (default: reject)',
    },
    'allow-empty': { help: 'Accept files without records (default: reject)' },
    'retire-many': {
      help: 'With --replace, or rows that delete: allow retiring more than a tenth of the records',
    },
    partial: {
      help: 'Publish a newest period that lacks half or more of the series of the period before',
    },
    'correct-many': { help: 'Allow correcting more than half of the older records loaded' },
    strict: { help: 'Reject the files if there are warnings' },
    mute: {
      placeholder: 'RULE',
      isRepeatable: true,
      help: 'Do not report the warnings of a rule, such as isin-check-digit',
    },
    refuse: {
      placeholder: 'RULE',
      isRepeatable: true,
      help: 'Reject the files if a rule warns, such as ytm-off-price',
    },
    licence: {
      placeholder: 'NAME',
      help: 'The licence of the data, unless its declaration names one: an identifier such as CC-BY-4.0, or a URL',
    },
    at: {
      placeholder: 'INSTANT',
      help: 'Check everything now, and publish at an instant, such as 2026-06-30T09:00:00+05:00',
    },
    create: { help: 'Create the database if there is none' },
    ...NICE_OPTION,
    ...PUBLISH_OPTIONS,
  },
  details: [
    'FILE is a path, or - for standard input; .gz, .zst and a .zip with one file are decompressed. Mappings and adapters: docs/how-to/load-files.md. Rules: docs/reference/warnings.md.',
    '',
    DATASETS_HELP,
  ].join('\n'),
  async run(call) {
    const at = parseReleaseInstant(call);
    const [datasetName, ...fileNames] = call.positionals;
    const dataset = await findPublishedDataset(call, datasetName);
    if (fileNames.length === 0) throw new UsageError('a FILE is required, or - for standard input');
    const mapping = parseMappingOptions(call, dataset);
    const { replace, strict, 'dry-run': dryRun } = call.options;
    const options = {
      dataset,
      ...parseLimitOptions(call, dataset),
      author: getAuthor(call),
      licence: parseLicence(call),
      replace: replace === true,
      isStrict: strict === true,
      isDryRun: dryRun === true,
      at,
    };
    const isStaged = isStaging(call);
    const adapterFile = parseAdapterOption(call);
    applyPriority(call);
    const signal = createAbortOnSignal();
    const load = (adapter: RunningAdapter | undefined) => {
      const mappingInUse = adapter ? parseMappingOptions(call, dataset, adapter.options) : mapping;
      return withInputFiles(fileNames, signal, (files) =>
        isStaged
          ? stageLoad(call, { ...options, mapping: mappingInUse }, files, adapter)
          : loadAndPrint(call, signal, { ...options, files, mapping: mappingInUse, adapter }),
      );
    };
    await withAdapter(
      adapterFile,
      () => signal.throwIfAborted(),
      load,
      parseAdapterRunOptions(call),
    );
  },
};

async function stageLoad(
  call: CommandCall,
  { dataset, author, isDryRun: _, at: __, ...options }: Omit<LoadOptions, 'files' | 'adapter'>,
  files: readonly NamedFile[],
  adapter: RunningAdapter | undefined,
): Promise<void> {
  const input = { kind: 'load', dataset: dataset.name, options } as const;
  const packed = await packLoad(input, files, adapter);
  await stageAndPrint(call, author, packed).catch(async (cause) => {
    if (cause instanceof LoadValidationError) await printRejection(call, cause);
    throw cause;
  });
}

async function loadAndPrint(
  call: CommandCall,
  signal: AbortSignal,
  options: Omit<LoadOptions, 'onRead'>,
): Promise<void> {
  const { at, isDryRun = false } = options;
  const load = (changes?: Pick<LoadOptions, 'isDryRun' | 'checked'>) =>
    loadWithProgress(call, signal, { ...options, ...changes });
  let checkedLines: readonly string[] = [];
  const onChecked = async ({ report, counts }: LoadResult) => {
    checkedLines = formatReport(report);
    const plan = `To be published at ${at?.toISOString()}: ${formatChangeCounts(counts)}`;
    if (!call.options.json) await printOutcome([...checkedLines, `${plan}.`].join('\n'), plan);
  };
  const loading = at && !isDryRun ? loadAtInstant(at, signal, load, onChecked) : load();
  const result = await loading.catch(async (cause) => {
    if (cause instanceof LoadValidationError) await printRejection(call, cause);
    throw cause;
  });
  const text = formatResult(call, result, options, checkedLines);
  const published = result.revision ?? result.termsRevision;
  const effect = published ? `revision ${published.revision} was published` : 'nothing changed';
  if (isDryRun) printLine(text);
  else await printOutcome(text, effect);
}

function loadWithProgress(
  call: CommandCall,
  signal: AbortSignal,
  options: Omit<LoadOptions, 'onRead'>,
): Promise<LoadResult> {
  const progress = new ProgressBar(sumFileSizes(options.files));
  const onRead = (bytes: number) => {
    signal.throwIfAborted();
    progress.advance(bytes);
  };
  const load = (publisher: Publisher) => loadFiles(publisher, { ...options, onRead });
  return withPublisher(call, load, signal).finally(() => progress.clear());
}

function formatResult(
  { options }: CommandCall,
  { revision, termsRevision, counts, report }: LoadResult,
  { at, isDryRun = false }: Pick<LoadOptions, 'at' | 'isDryRun'>,
  checkedLines: readonly string[],
): string {
  if (options.json) {
    const isPublished = revision !== undefined || termsRevision !== undefined;
    const status = isDryRun ? DRY_RUN_STATUS : isPublished ? 'published' : 'unchanged';
    const terms = termsRevision && { termsRevision };
    const outcome = { status, dryRun: isDryRun, ...(at && { at }), revision: revision ?? null };
    return formatJson({ ...outcome, ...terms, counts, report });
  }
  const lines = formatReport(report).filter((line) => !checkedLines.includes(line));
  lines.push(formatOutcome(revision, counts, isDryRun));
  if (termsRevision)
    lines.push(
      `Published revision ${termsRevision.revision} of securities: the terms in the files.`,
    );
  if (at && isDryRun) lines.push(`It would be published at ${at.toISOString()}.`);
  else if (at && revision) lines.push(`Published at ${revision.publishedAt}.`);
  return lines.join('\n');
}

async function printRejection(
  { options }: CommandCall,
  { problems, count, report, guard }: LoadValidationError,
): Promise<never> {
  // If there are no problems, --strict or --refuse has rejected warnings.
  const hasOnlyWarnings = problems.length === 0;
  const exitStatus = guard === undefined ? 1 : 3;
  const message = `nothing was published: ${pluralize(count, hasOnlyWarnings ? 'warning' : 'problem')}`;
  if (options.json) {
    const rules = hasOnlyWarnings ? report.warnings.map(({ rule }) => rule) : undefined;
    await printRefusal({ message, rule: guard, rules, count, problems, report });
    throw new CommandError(message, true, exitStatus);
  }
  const lines = hasOnlyWarnings ? formatReport(report) : problems.map(formatProblemLine);
  for (const line of lines) printErrorLine(line);
  const listed = problems.reduce((sum, problem) => sum + (problem.count ?? 1), 0);
  if (count > listed && !hasOnlyWarnings)
    printErrorLine(`… and ${formatInteger(count - listed)} more`);
  throw new CommandError(message, false, exitStatus);
}

/** The bytes to read, for the progress bar; unreadable files are rejected later. */
function sumFileSizes(files: readonly NamedFile[]): number {
  return files.reduce((sum, { path }) => {
    try {
      return sum + statSync(path).size;
    } catch {
      return sum;
    }
  }, 0);
}
