import { readNewestCatalogue } from '../catalogue/catalogues.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { type Manifest, readLatest, readManifest } from '../client/mirror/mirror-files.ts';
import { parseCheckpoint } from '../ledger/note.ts';
import { isSameHash } from '../ledger/tree.ts';
import { type StoreReader, UNREADABLE_DATASET } from '../store/open-store.ts';
import { EVERY_SCOPE, formatScopes } from '../tokens/scopes.ts';
import { MirrorError, type MirrorTarget } from './mirror-target.ts';

export interface MirrorOptions {
  readonly target: MirrorTarget;
  readonly reader: StoreReader;
  /** The datasets that ship with the program. */
  readonly catalogue: readonly Dataset[];
  /** The scopes of the mirrored datasets, or `*` for all. */
  readonly scopes: readonly string[];
  /** The first revision of a newly created mirror; by default the first of all. */
  readonly since?: number | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** The revisions that a mirror lacks, and the preceding manifest. Throws if the options do not match the mirror. */
export async function findMissingRevisions(options: MirrorOptions) {
  const { target, reader, since = 1 } = options;
  const newest = parseCheckpoint((await reader.checkpoint()) ?? '')?.size;
  if (newest === undefined)
    throw new MirrorError('nothing can be mirrored before the next publication: there is no log');
  if (since > newest)
    throw new MirrorError(`--since is ${since}, but the newest revision is ${newest}`);
  await assertScopesExist(options);
  const latest = await readLatestRevision(target);
  if (latest === 0) return { first: since, newest, manifest: undefined };
  const manifest = await readManifest(target.read, latest);
  await assertContinues(options, manifest);
  return { first: latest + 1, newest, manifest };
}

/** The newest revision of a mirror; 0 if there is none yet. */
export async function readLatestRevision({ read }: MirrorTarget): Promise<number> {
  const latest = await read('latest.json');
  return latest.status === 404 ? 0 : readLatest(async () => latest);
}

/** An unknown scope is probably misspelt; the database of a follower may not have all datasets. */
async function assertScopesExist({ catalogue, reader, scopes }: MirrorOptions): Promise<void> {
  const published = new Set((await reader.revisions()).map(({ dataset }) => dataset));
  const isPartial = published.has(UNREADABLE_DATASET);
  const datasets = (await readNewestCatalogue(catalogue, reader)).listWithRetired();
  const readable = datasets.filter(({ name }) => !isPartial || published.has(name));
  const allowed = [...new Set(readable.map(({ scope }) => scope))].toSorted();
  const known = isPartial ? allowed : [...EVERY_SCOPE, ...allowed];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown === undefined) return;
  throw new MirrorError(
    isPartial
      ? `of the database that is followed, only this may be read: --scopes ${allowed.join()}`
      : `no dataset has the scope "${unknown}"; there are ${allowed.join(', ')}`,
  );
}

/** Prevents publishing more than before because an option was forgotten, and mixing histories. */
async function assertContinues({ target, reader, ...options }: MirrorOptions, manifest: Manifest) {
  const { revision, scopes, since = 1 } = manifest;
  const [before, now] = [scopes, options.scopes].map((list) => formatScopes(list.toSorted(), ','));
  if (before !== now)
    throw new MirrorError(
      `it has ${before}, not ${now}: give the same --scopes, or another target`,
    );
  if (options.since !== undefined && options.since < since)
    throw new MirrorError(`it begins with ${since}, not ${options.since}: give another target`);
  const mirrored = await target.read(`revisions/${revision}/checkpoint`);
  const theirs = parseCheckpoint(await mirrored.text());
  const own = parseCheckpoint((await reader.checkpoint(revision)) ?? '');
  if (!theirs || !own || !isSameHash(theirs.root, own.root))
    throw new MirrorError(`its revision ${revision} is of another history: give another target`);
}
