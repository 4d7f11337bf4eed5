import { type StoreReader, StoreUnavailableError } from '../../store/open-store.ts';

/** The reader of a database that is missing at the moment: whatever is read of it fails. */
export function createMissingReader(cause: string): StoreReader {
  const fail = () => {
    throw new StoreUnavailableError(cause);
  };
  const queries = {
    ...{ revision: fail, revisionAt: fail, revisions: fail, ledgerEntry: fail, origins: fail },
    ...{ read: fail, records: fail, changes: fail, netChanges: fail, corrections: fail },
    ...{ coverage: fail, securities: fail, funds: fail, securityTerms: fail },
  };
  return {
    ...queries,
    isCurrent: fail,
    // Cursors of another database are rejected.
    secret: async () => new Uint8Array(),
    confirmRevision: () => 0,
    newestSeen: () => 0,
    observeRevision() {},
    lostRevision: () => 0,
    servers: () => [],
    close() {},
  };
}
