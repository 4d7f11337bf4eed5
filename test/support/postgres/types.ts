/** Creates and drops databases of a server. */
export interface PostgresDatabases {
  /** The URL of a database, `postgres` by default. */
  url(database?: string): string;
  /** Creates a database, empty or as a copy of another, and returns its URL. */
  createDatabase(name?: string, sourceUrl?: string): Promise<string>;
  /** Drops a database by its URL, and closes its connections. */
  dropDatabase(url: string): Promise<void>;
}

/** A server of a test. It stops with the test process at the latest. */
export interface PostgresServer extends PostgresDatabases {
  readonly port: number;
  /** Of the postmaster; another one after each restart. */
  readonly pid: number;
  /** Starts a standby of this server, and waits until it streams. */
  standby(): Promise<PostgresServer>;
  /** Promotes a standby, and waits until it accepts writes. */
  promote(): Promise<void>;
  /** Pauses replay on a standby, which still receives. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Stops all its processes with SIGSTOP, so that it hangs. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it as a crash would: connections break, committed data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after a shutdown if it still runs. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Server settings, as in `postgresql.conf`, beside the default ones. */
  readonly settings?: Readonly<Record<string, string>>;
}
