/** The store cannot be opened as it is; the message is one line that a person can act on. */
export class StoreUnusableError extends Error {}

/** A newer Tenor has migrated the database since this one opened it, and only that one may use it. */
export class StoreMigratedError extends StoreUnusableError {
  constructor(
    /** The version that this Tenor knows, and the one that the schema has. */
    readonly from: number,
    readonly to: number,
    consequence = '',
  ) {
    super(
      `${consequence}a newer Tenor has migrated the database to schema ${to}, and this one knows versions up to ${from}; use the newer one`,
    );
  }
}

/** There is no database where the URL leads, and it was not to be created. */
export class StoreMissingError extends StoreUnusableError {}

/** A file must not be written where it is to go; the message is one line that names it. */
export class InvalidTargetFileError extends Error {}

/** The store cannot be reached now; a later attempt may succeed. */
export class StoreUnavailableError extends Error {}

/** A server has not got a revision, or it is not known to be of the right history: another may have it. */
export class ServerBehindError extends StoreUnavailableError {}

/** The store can be reached, but some of what is stored cannot be read any more. */
export class StoreDamagedError extends StoreUnavailableError {
  /** The name of the dataset that is damaged, if it is known. */
  dataset: string | undefined;
}

/** Another publisher held the write lock for longer than the lock wait. */
export class StoreBusyError extends StoreUnavailableError {}

/** Locks of other sessions ended a transaction, which changed nothing and can be run again. */
export class LockConflictError extends StoreBusyError {}

/** The clock of the publisher cannot be right; the message says what to do. */
export class ClockSkewError extends Error {}

export class DuplicateKeyError extends Error {}

export type FollowProblem =
  | 'not-next'
  | 'unknown-dataset'
  | 'unknown-key'
  | 'other-scopes'
  | 'altered-entry'
  | 'altered-changes'
  | 'rewritten';

/** A revision of another database is not what follows the revisions that are stored; nothing was. */
export class FollowError extends Error {
  constructor(
    readonly problem: FollowProblem,
    message: string,
  ) {
    super(message);
  }
}
