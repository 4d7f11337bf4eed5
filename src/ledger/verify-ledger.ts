import { DatasetFold } from './dataset-fold.ts';
import { LedgerError } from './ledger-error.ts';
import { ignoreMissing, type LogEntry, readChangeLines, readEntry } from './log-entry.ts';
import type { LogResponse, OpenPath } from './open-path.ts';
import { readLines } from './read-lines.ts';
import { retryInterrupted } from './retry-interrupted.ts';
import type { Hash } from './tree.ts';
import { type LedgerProblem, VerificationError } from './verification-error.ts';
import { type LogVerification, type VerifyLogOptions, verifyGrowth } from './verify-log.ts';

export interface VerifyOptions extends VerifyLogOptions {
  /** The datasets whose records are compared with what was published; by default all. */
  readonly datasets?: readonly string[] | undefined;
}

export interface Verification extends LogVerification {
  /** The first revision that was verified: 1, or that with which a mirror begins, whose records are taken as they are. */
  readonly firstRevision: number;
  /** The number of revisions whose entries and changes were compared with the log. */
  readonly revisionsChecked: number;
  /** Revisions that the token may not read: that they are in the log is all that is known of them. */
  readonly unreadableRevisions: readonly number[];
  readonly datasets: Readonly<Record<string, number>>;
}

/** The number of revisions that are read at the same time. */
const BATCH_SIZE = 8;
const MAX_PROBLEMS = 10_000;
const MAX_DATASETS = 100_000;

/**
 * Verifies the log, that revisions and their changes are those of the log, and that the records that
 * the service sends are those that the changes make. Throws a `VerificationError` otherwise.
 */
export async function verifyLedger(
  open: OpenPath,
  options: VerifyOptions = {},
  firstRevision = 1,
): Promise<Verification> {
  const { log, readHash } = await verifyGrowth(open, options);
  const { size, previousSize } = log;
  if (options.logOnly) {
    const nothing = { revisionsChecked: 0, unreadableRevisions: [], datasets: {} };
    return { ...log, firstRevision, ...nothing };
  }
  const names = selectDatasets(await listDatasets(open, size), options.datasets);
  const folds = new Map(names.map((name) => [name, new DatasetFold(name)]));
  if (firstRevision > 1) {
    for (const [name, fold] of folds) {
      const records = await openExport(open, name, firstRevision).catch(ignoreMissing);
      if (records) await fold.begin(readLines(records));
    }
  }
  const problems: LedgerProblem[] = [];
  const unreadableRevisions: number[] = [];
  let revisionsChecked = 0;
  for (let first = firstRevision - 1; first < size; first += BATCH_SIZE) {
    if (problems.length > MAX_PROBLEMS) break;
    const count = Math.min(BATCH_SIZE, size - first);
    const batch = Array.from({ length: count }, (_, index) => {
      const revision = first + index + 1;
      // What was verified before need not be again, unless its changes are folded.
      const isNeeded = ({ dataset }: LogEntry) =>
        folds.has(dataset) || revision > (previousSize ?? 0);
      return collectProblems(problems, async () =>
        readRevision(open, revision, await readHash(0, revision - 1), isNeeded),
      );
    });
    for (const [index, revision] of (await Promise.all(batch)).entries()) {
      if (revision === 'unreadable') unreadableRevisions.push(first + index + 1);
      else if (revision) {
        revisionsChecked += 1;
        const { entry, lines } = revision;
        // The records that are begun with have its changes.
        if (entry.revision > firstRevision || firstRevision === 1)
          folds.get(entry.dataset)?.apply(lines);
      }
    }
  }
  assertNone(problems);
  const datasets: Record<string, number> = {};
  for (const [name, fold] of folds) {
    await collectProblems(problems, async () => {
      const compare = async () => fold.compare(readLines(await openExport(open, name, size)));
      datasets[name] = await retryInterrupted(compare);
    });
  }
  assertNone(problems);
  return { ...log, firstRevision, revisionsChecked, unreadableRevisions, datasets };
}

function openExport(open: OpenPath, dataset: string, revision: number): Promise<LogResponse> {
  return open(`/exports/${dataset}.ndjson?as_of=${revision}`, 'application/x-ndjson');
}

/** The entry of a revision with its changes; undefined if these are not needed. */
async function readRevision(
  open: OpenPath,
  revision: number,
  leaf: Hash,
  isNeeded: (entry: LogEntry) => boolean,
) {
  const entry = await readEntry(open, revision, leaf);
  if (!entry) return 'unreadable' as const;
  return isNeeded(entry) ? { entry, lines: await readChangeLines(open, entry) } : undefined;
}

/** The datasets in the scopes of the token. */
async function listDatasets(open: OpenPath, revision: number): Promise<string[]> {
  const names: string[] = [];
  let page = '';
  for (;;) {
    const response = await open(`/catalogue?as_of=${revision}&limit=1000${page}`, JSON_TYPE);
    const { data } = (await response.json()) as { data: readonly { readonly name: string }[] };
    names.push(...data.map(({ name }) => name));
    const { cursor } = response;
    if (cursor === undefined) return names;
    if (names.length > MAX_DATASETS)
      throw new LedgerError('malformed', 'the catalogue has no end', response.url);
    page = `&cursor=${encodeURIComponent(cursor)}`;
  }
}

const JSON_TYPE = 'application/json';

function selectDatasets(names: readonly string[], selected = names): readonly string[] {
  const unknown = selected.find((name) => !names.includes(name));
  if (unknown === undefined) return selected;
  throw new TypeError(
    `there is no dataset "${unknown}" that can be read; there are ${names.join(', ')}`,
  );
}

async function collectProblems<T>(
  problems: LedgerProblem[],
  check: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await check();
  } catch (cause) {
    if (!(cause instanceof VerificationError)) throw cause;
    problems.push(...cause.problems);
    return undefined;
  }
}

function assertNone(problems: readonly LedgerProblem[]): void {
  const getRevision = ({ revision = 0 }: LedgerProblem) => revision;
  const ordered = [...problems].sort((a, b) => getRevision(a) - getRevision(b));
  if (ordered.length > 0) throw new VerificationError(ordered);
}
