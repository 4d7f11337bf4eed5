/** Whether a server can be read from; a lagging one lacks the newest revision. */
export type ServerHealth = 'healthy' | 'unreachable' | 'lagging' | 'diverged';

/** A database server, by its last heartbeat, or a worker of a cluster, by its last probe. */
export interface ServerStatus {
  /** The host and the name of the database, without credentials. */
  readonly server: string;
  /** The last one that is known. */
  readonly role: 'primary' | 'replica' | 'worker' | 'unknown';
  readonly health: ServerHealth;
  /** Revisions that it has not got yet; undefined if it is unreachable, or a worker. */
  readonly lag: number | undefined;
}

/** Called when the health of a server changes, or the cause of it being unreachable. */
export type OnServerHealthChange = (server: string, health: ServerHealth, cause?: string) => void;
