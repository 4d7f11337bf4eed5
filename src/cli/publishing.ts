import { catalogue } from '../catalogue/index.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { parseDuration } from '../duration.ts';
import type { ChangeCounts, Publisher, Revision, StoreReader } from '../store/open-store.ts';
import { StoreBusyError } from '../store/open-store.ts';
import type { CommandCall, CommandOption } from './command.ts';
import { CommandError, printLine, UsageError } from './command.ts';
import { formatCount } from './format-report.ts';
import { createLockWaitOptions, openConfiguredStore } from './open-store.ts';

/** Options that every command takes which publishes. */
export const PUBLISH_OPTIONS = {
  'dry-run': { help: 'Do all but publish, and tell what would be' },
  author: { placeholder: 'NAME', help: 'Who publishes (default: the user who runs the command)' },
  wait: {
    placeholder: 'TIME',
    help: 'How long to wait for another publisher (default: 10min; 0s: not)',
  },
  json: { help: 'As JSON' },
} as const satisfies Record<string, CommandOption>;

/** The dataset that a word names. */
export function findDataset(word: string | undefined): Dataset {
  const found = catalogue.find(({ name }) => name === word);
  if (found) return found;
  const names = catalogue.map(({ name }) => name).join(', ');
  const said = word === undefined ? 'a dataset is needed' : `there is no dataset "${word}"`;
  throw new UsageError(`${said}; the datasets are ${names}`);
}

/** The revision that a word names by its number. */
export function parseRevisionNumber(word: string | undefined): number {
  if (word !== undefined && /^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw new UsageError('the number of a revision is needed; tenor revisions shows them');
}

/** The author that a revision names. */
export function getAuthor({ options }: CommandCall): string {
  const { author } = options;
  if (author === undefined) return process.env.USER || process.env.LOGNAME || getSystemUser();
  if (typeof author === 'string' && author.trim() !== '' && !/\p{Cc}/u.test(author)) return author;
  throw new UsageError('--author must be text without control characters');
}

/** The name that the system knows the user by, or else the number; Bun itself asks $USER only. */
function getSystemUser(): string {
  const { stdout, success } = Bun.spawnSync(['id', '-un'], { stderr: 'ignore' });
  return (success && stdout.toString().trim()) || `user ${process.getuid?.()}`;
}

/**
 * Runs work with a publisher, which waits for another one as long as the call says, or until the
 * signal comes.
 */
export async function withPublisher<T>(
  call: CommandCall,
  callback: (publisher: Publisher) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { wait } = call.options;
  const waitMs = wait === undefined ? undefined : parseDuration(String(wait));
  if (wait !== undefined && waitMs === undefined) {
    throw new UsageError('--wait must be a time such as 30s or 10min');
  }
  const lockWait = createLockWaitOptions(waitMs, signal);
  let publisher: Publisher | undefined;
  try {
    publisher = (await openConfiguredStore(call.settings(), lockWait)).publisher(lockWait);
    return await callback(publisher);
  } catch (cause) {
    if (!(cause instanceof StoreBusyError)) throw cause;
    throw new CommandError(`${cause.message}; nothing was published`);
  } finally {
    publisher?.close();
  }
}

/** Runs work with a reader. */
export async function withReader<T>(
  call: CommandCall,
  callback: (reader: StoreReader) => Promise<T>,
): Promise<T> {
  const reader = (await openConfiguredStore(call.settings(), createLockWaitOptions())).reader();
  try {
    return await callback(reader);
  } finally {
    reader.close();
  }
}

/** One line on what was published, or why not. */
export function formatOutcome(
  revision: Revision | undefined,
  counts: ChangeCounts,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): string {
  const told = `${formatCount(counts.added)} added, ${formatCount(counts.corrected)} corrected, ${formatCount(counts.retired)} retired, ${formatCount(counts.unchanged)} unchanged`;
  if (isDryRun) return `Nothing was published (dry run). It would be: ${told}.`;
  if (!revision) return `Nothing was published: all of it is there already (${told}).`;
  return `Published revision ${revision.revision}: ${told}.`;
}

/** Tells what a publication without a report did: in a line, or as JSON. */
export function printPublished({ options }: CommandCall, revision: Revision): void {
  const isDryRun = options['dry-run'] === true;
  const { added, corrected, retired, unchanged } = revision;
  const told = {
    status: isDryRun ? 'rehearsed' : 'published',
    revision: isDryRun ? null : revision,
    counts: { added, corrected, retired, unchanged },
  };
  printLine(
    options.json ? JSON.stringify(told, null, 2) : formatOutcome(revision, revision, { isDryRun }),
  );
}

/** A count and what is counted, for people: `1 fault`, `1,200 faults`. */
export function pluralize(number: number, what: string): string {
  return `${formatCount(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** Rows of cells in columns as wide as they need to be. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
