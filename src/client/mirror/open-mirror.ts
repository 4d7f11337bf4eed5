import { parseCheckpoint } from '../../ledger/note.ts';
import type { OpenPath } from '../../ledger/open-path.ts';
import type { Verification, VerifyOptions } from '../../ledger/verify-ledger.ts';
import { toLogResponse } from '../create-open-path.ts';
import { TenorError } from '../errors.ts';
import { findOwn } from '../find-own.ts';
import { verify } from '../verify.ts';
import {
  type DatasetFiles,
  openFile,
  type ReadFile,
  readDataFile,
  readLatest,
  readManifest,
} from './mirror-files.ts';
import { type MirrorRecord, restoreRecords } from './restore-records.ts';

/** A mirror as of the revision that was its newest when it was opened. */
export interface OpenedMirror {
  readonly revision: number;
  /** The first revision that it has. */
  readonly since: number;
  /** Answers paths of a service that followers and verifiers request, from the mirror’s files. */
  readonly open: OpenPath;
}

/**
 * Opens a mirror. Rejects if there is none. A kept checkpoint takes the place of one that says the
 * same: a mirror has it as it was signed first, perhaps with the key before.
 */
export async function openMirror(read: ReadFile, keptCheckpoint = ''): Promise<OpenedMirror> {
  const revision = await findNewest(read, parseCheckpoint(keptCheckpoint)?.size ?? 0);
  const { since = 1, scopes, datasets } = await readManifest(read, revision);
  const hasAll = scopes.includes('*');
  const openResponse = (target: string) => {
    const { pathname, searchParams } = new URL(target, 'http://mirror');
    const [, first, kind = '', name = ''] = pathname.split('/');
    const asOf = Number(searchParams.get('as_of') ?? revision);
    switch (kind === '' || first !== 'ledger' ? first : kind) {
      case 'checkpoint':
        return openCheckpoint(read, revision, searchParams.get('size'), keptCheckpoint);
      case 'keys':
        return openFile(read, `revisions/${revision}/keys.json`);
      case 'tile':
        return openFile(read, pathname.slice(1));
      case 'entries':
        return openEntry(read, Number(name), hasAll ? since : undefined);
      case 'changes':
        return openFile(read, `changes/${searchParams.get('until')}.ndjson`);
      case 'catalogue':
        return Response.json({ data: Object.keys(datasets).map((dataset) => ({ name: dataset })) });
      case 'exports':
        return openExport(read, kind.replace(/\.ndjson$/, ''), asOf);
      default:
        throw createMissingError(target);
    }
  };
  const open: OpenPath = async (target) => toLogResponse(await openResponse(target));
  return { revision, since, open };
}

/** A cache may have an older `latest.json` than was read before; other files are as they were. */
async function findNewest(read: ReadFile, seen: number): Promise<number> {
  const latest = await readLatest(read);
  if (latest >= seen) return latest;
  const { status } = await read(`revisions/${seen}/manifest.json`);
  return status === 200 ? seen : latest;
}

/** Verifies a mirror as `verifyLedger` verifies a service. */
export async function verifyMirror(
  read: ReadFile,
  options: VerifyOptions = {},
): Promise<Verification> {
  const { since, open } = await openMirror(read, options.state?.checkpoint);
  return verify(open, options, since);
}

function createMissingError(path: string): TenorError {
  return new TenorError('not_found', `the mirror has no ${path}`, { url: path, status: 404 });
}

/** Of a revision, with the instant at which it was published; by default of the newest. */
async function openCheckpoint(read: ReadFile, newest: number, size: string | null, kept: string) {
  const revision = Number(size ?? newest);
  // Files of a later one may be there already.
  if (revision > newest) throw createMissingError(`checkpoint of ${revision} revisions`);
  const response = await openFile(read, `revisions/${revision}/checkpoint`);
  if (size === null) {
    const note = await response.text();
    return new Response(kept && getText(note) === getText(kept) ? kept : note);
  }
  const { publishedAt } = await readManifest(read, revision);
  return new Response(response.body, { headers: { 'tenor-published-at': publishedAt } });
}

/** The text of a note, without its signatures. */
function getText(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n'));
}

/** An entry that is not there is of a dataset that the mirror leaves out, unless it has all. */
async function openEntry(read: ReadFile, revision: number, since = Number.POSITIVE_INFINITY) {
  const path = `revisions/${revision}/entry.json`;
  return openFile(read, path).catch((cause) => {
    if (cause.status !== 404 || revision >= since) throw cause;
    throw new TenorError('forbidden', cause.message, { url: cause.url, status: 403 });
  });
}

async function openExport(read: ReadFile, dataset: string, revision: number): Promise<Response> {
  const { datasets } = await readManifest(read, revision);
  const files = findOwn(datasets, dataset);
  if (!files) throw createMissingError(`records of ${dataset}`);
  const batches = readFileRecords(read, dataset, files.files);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value = [] } = await batches.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(toLine).join('')));
    },
  });
  return new Response(body);
}

function toLine(record: MirrorRecord): string {
  return `${JSON.stringify(record)}\n`;
}

const READ_AHEAD = 3;

/** The records of data files, one file after the other; the next ones are read meanwhile. */
export async function* readFileRecords(
  read: ReadFile,
  dataset: string,
  files: DatasetFiles['files'],
): AsyncGenerator<MirrorRecord[], void, undefined> {
  if (files.length === 0) return;
  // Verifying the log alone needs no Parquet.
  const { readTable } = await import('./read-table.ts');
  const ahead: Promise<ArrayBuffer>[] = [];
  for (const index of files.keys()) {
    for (const path of files.slice(index + ahead.length, index + 1 + READ_AHEAD)) {
      const bytes = readDataFile(read, path, dataset);
      // It is not waited for if an earlier one cannot be read.
      bytes.catch(() => {});
      ahead.push(bytes);
    }
    const { columns, rows } = await readTable((await ahead.shift()) as ArrayBuffer, dataset);
    yield restoreRecords(dataset, columns, rows);
  }
}
