import { toHex } from '../../ledger/log-entry.ts';
import { readJson } from '../../ledger/read-json.ts';
import { MAX_REVISIONS } from '../../ledger/read-leaves.ts';
import { sha256 } from '../../ledger/tree.ts';
import { createAlarm } from '../../ledger/verification-error.ts';
import { classifyResponse, TenorError } from '../errors.ts';

/** Reads a file of a mirror by its path in it, such as `latest.json`, with any status. */
export type ReadFile = (path: string) => Promise<Response>;

/** What a mirror has of a revision. */
export interface Manifest {
  readonly revision: number;
  readonly publishedAt: string;
  readonly scopes: readonly string[];
  /** The revision that the mirror begins with, if that is not the first. */
  readonly since?: number;
  readonly datasets: Readonly<Record<string, DatasetFiles>>;
}

export interface DatasetFiles {
  readonly files: readonly string[];
  /** The month of each file, ascending, such as `2026-05`; absent if records have no dates. */
  readonly months?: readonly string[];
}

/** Opens a file. Rejects with an error that has the `status` of any but 200. */
export async function openFile(read: ReadFile, path: string): Promise<Response> {
  const response = await read(path);
  if (response.status === 200) return response;
  const { url } = response;
  // Object stores say of files that are not there that they may not be read.
  if ([403, 404, 410].includes(response.status))
    throw new TenorError('not_found', `the mirror has no ${path}`, { url, status: 404 });
  const { status } = response;
  const message = `the mirror answers with status ${status} to ${path}`;
  throw new TenorError(classifyResponse(status, undefined), message, { url, status });
}

/** The newest revision of a mirror. Rejects if there is no mirror. */
export async function readLatest(read: ReadFile): Promise<number> {
  const path = 'latest.json';
  const response = await openFile(read, path).catch((cause) => {
    throw cause.status === 404 ? createNoMirrorError(cause.url, cause) : cause;
  });
  const { revision } = Object(await readJson(response)) as { revision?: number };
  if (Number.isSafeInteger(revision) && Number(revision) <= MAX_REVISIONS) return Number(revision);
  throw createNoMirrorError(response.url);
}

function createNoMirrorError(url: string, cause?: unknown): TenorError {
  const message = 'there is no mirror at this address: it has no latest.json with a revision';
  return new TenorError('not_found', message, { url, status: 404 }, { cause });
}

export async function readManifest(read: ReadFile, revision: number): Promise<Manifest> {
  const path = `revisions/${revision}/manifest.json`;
  const response = await openFile(read, path);
  const manifest = await readJson<Manifest>(response);
  if (manifest?.revision === revision && manifest.datasets) return manifest;
  throw new TenorError('malformed', `${path} is no manifest of a mirror`, { url: response.url });
}

const DATA_PATH = /^data\/[0-9a-f]{64}\.parquet$/;

/** The bytes of a data file, which must be those that its name says. */
export async function readDataFile(
  read: ReadFile,
  path: string,
  dataset: string,
): Promise<ArrayBuffer> {
  // A path of any other kind could lead elsewhere.
  if (!DATA_PATH.test(path))
    throw new TenorError('malformed', `"${path}" is no data file of a mirror`, { url: path });
  const response = await openFile(read, path).catch((cause) => {
    if (cause.status !== 404) throw cause;
    const message = `The mirror has no ${path}, which its records of ${dataset} are in.`;
    throw createAlarm('altered-data', message, { dataset });
  });
  const bytes = await response.arrayBuffer();
  if (path === `data/${toHex(await sha256(new Uint8Array(bytes)))}.parquet`) return bytes;
  throw createAlarm(
    'altered-data',
    `The file ${path} with records of ${dataset} has other bytes than its name says.`,
    { dataset },
  );
}
