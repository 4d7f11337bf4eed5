/** Where databases can be made. */
export interface PostgresDatabases {
  /** The address of a database of this server, `postgres` unless named. */
  url(database?: string): string;
  /** Makes an empty database, under a name of its own unless named, and gives its address. */
  createDatabase(name?: string, like?: string): Promise<string>;
  /** Drops a database by the address that `createDatabase` gave, whoever is connected to it. */
  dropDatabase(url: string): Promise<void>;
}

/** A server that a test may do anything to. It ends with the process, if not before. */
export interface PostgresServer extends PostgresDatabases {
  readonly port: number;
  /** The postmaster's; another one after each restart. */
  readonly pid: number;
  /** Starts a server that follows this one, and waits until it streams. */
  standby(): Promise<PostgresServer>;
  /** Makes a primary of a standby, and waits until it takes writes. */
  promote(): Promise<void>;
  /** Holds a standby's data at where it is, while it goes on receiving. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Makes it hang: every process of it stands still, and nothing is closed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it in mid-work, as a crash would: connections break, committed data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data; in good order first if it still runs. */
  restart(): Promise<void>;
  /** Ends it and removes all that it left. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Server settings, as in `postgresql.conf`, over those that tests start with. */
  readonly settings?: Readonly<Record<string, string>>;
}
