import { userInfo } from 'node:os';
import type { Dataset } from '../catalogue/dataset.ts';
import { catalogue } from '../catalogue/index.ts';
import type { Counts, Publisher, Reader, Revision } from '../store/index.ts';
import { openStore } from '../store/index.ts';
import { durationMs } from '../tokens/time.ts';
import type { Call, Option } from './command.ts';
import { WrongUse } from './command.ts';

/** Options that every command takes which publishes. */
export const publishingOptions = {
  'dry-run': { help: 'Do all but publish, and tell what would be' },
  author: { value: 'NAME', help: 'Who publishes (default: the user who runs the command)' },
  wait: { value: 'TIME', help: 'How long to wait for another publisher (default: 10min; 0s: not)' },
  json: { help: 'As JSON' },
} as const satisfies Record<string, Option>;

/** The dataset that a word names. */
export function datasetNamed(word: string | undefined): Dataset {
  const found = catalogue.find(({ name }) => name === word);
  if (found) return found;
  const names = catalogue.map(({ name }) => name).join(', ');
  const said = word === undefined ? 'a dataset is needed' : `there is no dataset "${word}"`;
  throw new WrongUse(`${said}; the datasets are ${names}`);
}

/** The revision that a word names by its number. */
export function revisionWord(word: string | undefined): number {
  if (word !== undefined && /^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw new WrongUse('the number of a revision is needed; tenor revisions shows them');
}

/** The author that a revision names. */
export function authorOf({ options }: Call): string {
  const { author } = options;
  if (author === undefined) return process.env.USER || process.env.LOGNAME || systemUser();
  if (typeof author === 'string' && author.trim() !== '' && !/\p{Cc}/u.test(author)) return author;
  throw new WrongUse('--author must be text without control characters');
}

/** The name that the system knows the user by, or else the number. */
function systemUser(): string {
  const { username, uid } = userInfo();
  return username === 'unknown' ? `user ${uid}` : username;
}

/** Runs work with a publisher, which waits for another one as long as the call says. */
export async function withPublisher<T>(
  call: Call,
  work: (publisher: Publisher) => Promise<T>,
): Promise<T> {
  const { wait = '10min' } = call.options;
  const waitMs = durationMs(String(wait));
  if (waitMs === undefined) throw new WrongUse('--wait must be a time such as 30s or 10min');
  const onWait = () => {
    process.stderr.write('tenor: another publisher holds the database; waiting for it\n');
  };
  const store = openStore(call.settings().databaseUrl, catalogue);
  const publisher = store.publisher({ waitMs, onWait });
  try {
    return await work(publisher);
  } finally {
    publisher.close();
  }
}

/** Runs work with a reader. */
export async function withReader<T>(call: Call, work: (reader: Reader) => Promise<T>): Promise<T> {
  const reader = openStore(call.settings().databaseUrl, catalogue).reader();
  try {
    return await work(reader);
  } finally {
    reader.close();
  }
}

/** One line on what was published, or why not. */
export function outcome(
  revision: Revision | undefined,
  counts: Counts,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): string {
  const told = `${tally(counts.added)} added, ${tally(counts.corrected)} corrected, ${tally(counts.retired)} retired, ${tally(counts.unchanged)} unchanged`;
  if (isDryRun) return `Nothing was published (dry run). It would be: ${told}.`;
  if (!revision) return `Nothing was published: all of it is there already (${told}).`;
  return `Published revision ${revision.revision}: ${told}.`;
}

/** A number for people, with its thousands apart. */
export function tally(number: number): string {
  return number.toLocaleString('en-US');
}

/** Rows of cells in columns as wide as they need to be. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
