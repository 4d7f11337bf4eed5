import { type ApiClient, identifyRevision, type RevisionId } from './api-client.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';

const PRELOADED_REVISIONS = 1000;

export interface LoadedState {
  readonly api: ApiClient;
  readonly catalogue: readonly DatasetEntry[];
  /** The current revision, or the one as of the chosen instant; 0 before the first. */
  readonly revision: number;
  /** The last revisions up to that one, newest first. */
  readonly revisions: readonly RevisionEntry[];
  readonly hasOlder: boolean;
  /** The first 100 revisions, unless `revisions` includes them: a sample is published before other data. */
  readonly firstRevisions: readonly RevisionEntry[];
  /** Increases whenever all queries must be repeated. */
  readonly refreshCount: number;
}

export interface ReadState extends Omit<LoadedState, 'refreshCount' | 'firstRevisions'> {
  readonly revisionId: RevisionId;
  /** Changes if the catalogue or the ledger is of another revision. */
  readonly version: string;
  /** Whether the ledger is of another revision, from a newer server or another database. */
  readonly isMixed: boolean;
}

/** Reads the catalogue and the last revisions. */
export async function readState(api: ApiClient): Promise<ReadState> {
  const isCurrent = api.asOf === undefined;
  // Both at once; if both fail, the failure of the catalogue counts.
  const early = isCurrent ? readLedger(api, undefined) : undefined;
  early?.catch(() => {});
  const request = { path: '/catalogue', allPages: true };
  const { data: catalogue, meta } = await api.readUncached<DatasetEntry[]>(request);
  const { revision = 0 } = meta;
  const newest = await early;
  const isRecent = newest !== undefined && (newest.meta.revision ?? 0) >= revision;
  // The ledger is never read as of an instant: later revisions are excluded by number.
  const ledger = isRecent ? newest : await readLedger(api, isCurrent ? undefined : revision + 1);
  const hasOlder = ledger.meta.next !== undefined;
  const { data: revisions } = ledger;
  const revisionId = identifyRevision(meta);
  // Absent if it belongs to a dataset that the token cannot read.
  const entry = revisions.find((each) => each.revision === revision);
  if (entry && identifyRevision(entry) !== revisionId) api.forgetSeenRevision();
  const isMixed = identifyRevision(isCurrent ? ledger.meta : (entry ?? meta)) !== revisionId;
  const version = `${revisionId} ${revisions[0] && identifyRevision(revisions[0])}`;
  return { api, catalogue, revision, revisionId, revisions, hasOlder, version, isMixed };
}

/** Reads the last revisions before this number; by default, the newest. */
export function readLedger(api: ApiClient, before?: number, limit = PRELOADED_REVISIONS) {
  const parameters = { before, limit };
  return api.readUncached<RevisionEntry[]>({ path: '/revisions', parameters });
}
