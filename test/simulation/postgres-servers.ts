import type { SQL } from 'bun';
import type { Connector } from '../../src/store/postgres/connection-pool.ts';
import { createPostgresStore, openPostgresReader } from '../../src/store/postgres/open-postgres.ts';
import type { ReaderSource, StoreReader } from '../../src/store/reader.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import type { Store, StoredToken } from '../../src/store/store.ts';
import { History, type Snapshot } from './database.ts';
import { type SimulatedChange, simulatedCatalogue } from './model.ts';
import { createSimulatedPool } from './postgres-pool.ts';
import { type Commit, DatabaseServer, MAX_MESSAGE_MS } from './postgres-server.ts';
import { toTokenRow } from './postgres-tokens.ts';
import type { Scheduler } from './scheduler.ts';

/** How long a commit takes on its way to a replica. */
const MAX_LAG_MS = 20;
const MAX_COMMIT_MS = 60;
/** No server is rewound, nor its address moved, in less time. */
export const REWIND_MS = 600;
const POOL_SIZE = 4;

/** Called with a snapshot that was committed, and the one before. */
export type OnCommitted = (snapshot: Snapshot, before: Snapshot) => void;

/** A primary and its replicas, which lag, hang, die and are promoted. */
export class PostgresServers {
  readonly servers: readonly DatabaseServer[];
  /** The addresses, in the order of the servers that they lead to at first. */
  readonly urls: readonly string[];
  readonly connector: Connector;
  /** The server that is published to. */
  primary: DatabaseServer;
  /** Each has a future that the others have not; the last one is published to. */
  readonly #histories: History[] = [];
  /** Replicas to which a commit is on its way. */
  readonly #receiving = new Set<DatabaseServer>();

  constructor(
    private readonly scheduler: Scheduler,
    count: number,
  ) {
    const secret = drawSecret(scheduler);
    const history = this.#addHistory(secret);
    const first: Commit = {
      previous: undefined,
      snapshot: history.newest,
      tokens: [],
      losses: null,
      ...identify(secret),
    };
    const onCommit = () => this.#replicateAll();
    this.servers = Array.from(
      { length: count },
      (_, index) => new DatabaseServer(`pg${index + 1}`, scheduler, first, onCommit),
    );
    this.urls = this.servers.map(({ url }) => url);
    const [primary, ...replicas] = this.servers;
    if (!primary) throw new Error('there must be a primary');
    this.primary = primary;
    for (const replica of replicas) replica.upstream = primary;
    const createPool = (url: string, max: number): SQL =>
      createSimulatedPool(scheduler, () => this.#find(url), max);
    this.connector = {
      createReadPool: createPool,
      createWriteConnection: (url) => createPool(url, 1),
    };
  }

  /** A store of a process, with connections of its own. */
  openStore(): Store {
    const { urls, connector } = this;
    const servers = { urls, url: urls[0] ?? '', dialect: sqliteDialect };
    const options = { poolSize: POOL_SIZE, connector };
    return createPostgresStore({ ...servers, catalogue: simulatedCatalogue }, options);
  }

  /** Opens a reader for a background thread. */
  readonly openReader = (source: ReaderSource): StoreReader => {
    if ('path' in source) throw new Error('it is no file');
    return openPostgresReader(source, this.connector);
  };

  /**
   * Publishes a change, which is committed a little later unless the primary stops before. Calls
   * back with what was committed, and what it came after.
   */
  publish(change: SimulatedChange, onCommitted: OnCommitted): void {
    const { primary, scheduler } = this;
    if (primary.isDown || primary.isHung || primary.isCommitting) return;
    const { start } = primary;
    primary.isCommitting = true;
    const commit = (snapshot: Snapshot) => {
      // It was stopped: the transaction is gone.
      if (primary.start !== start) return;
      primary.isCommitting = false;
      // A publisher looks for the primary once more before it commits.
      if (primary !== this.primary) return;
      this.#commit(snapshot, onCommitted);
    };
    void this.#getHistory(primary)
      .publish(change)
      .then((snapshot) => {
        if (!snapshot) primary.isCommitting = false;
        else
          scheduler.after(
            scheduler.drawDelay(0.5, MAX_COMMIT_MS),
            'commit',
            () => primary.whenAnswering(() => commit(snapshot)),
            primary.process,
          );
      });
  }

  /** The same before anything runs: every server has it at once. */
  async publishAtOnce(change: SimulatedChange, onCommitted: OnCommitted): Promise<void> {
    const snapshot = await this.#getHistory(this.primary).publish(change);
    if (snapshot) this.#commit(snapshot, onCommitted);
    for (const server of this.servers) server.head = this.primary.head;
  }

  /** An operator issues a token, or ends one, on the primary. */
  putToken(token: StoredToken): void {
    const { primary } = this;
    const others = primary.head.tokens.filter(({ id }) => id !== token.id);
    primary.commit({ tokens: [...others, toTokenRow(token)] });
  }

  /** A replica gets what is committed up to this much later, for a while. */
  lag(server: DatabaseServer, lagMs: number, forMs: number): void {
    server.lagMs = lagMs;
    this.#after(server, forMs, () => {
      server.lagMs = MAX_LAG_MS;
    });
  }

  /** Messages to and from a server take this long at most, for a while. */
  slow(server: DatabaseServer, messageMs: number, forMs: number): void {
    server.messageMs = messageMs;
    this.#after(server, forMs, () => {
      server.messageMs = MAX_MESSAGE_MS;
    });
  }

  /** Lets a server answer nothing for a while. */
  hang(server: DatabaseServer, forMs: number): void {
    const { start } = server;
    if (server.isDown) return;
    server.isHung = true;
    this.#after(server, forMs, () => {
      if (server.start === start) server.release();
    });
  }

  /** Stops a server, with its connections, for a while. */
  stop(server: DatabaseServer, forMs: number): void {
    server.stop();
    const { start } = server;
    this.#after(server, forMs, () => {
      if (server.start === start) server.isDown = false;
    });
  }

  /**
   * Promotes a replica. What it had not received is lost. The others follow it, if they have nothing
   * that it has not got.
   */
  promote(server: DatabaseServer): void {
    const old = this.primary;
    server.upstream = undefined;
    server.timeline = Math.max(...this.servers.map(({ timeline }) => timeline)) + 1;
    this.primary = server;
    for (const other of this.servers)
      if (other !== server && other !== old && hasCommit(server.head, other.head))
        other.upstream = server;
    this.scheduler.note(
      () => `${server.name} is promoted with revision ${server.revision} of ${old.revision}`,
    );
    this.#replicateAll();
  }

  /** Lets the address of each of two servers lead to the other one; they are away for a while. */
  exchangeAddresses(one: DatabaseServer, other: DatabaseServer): void {
    [one.url, other.url] = [other.url, one.url];
    for (const server of [one, other]) this.stop(server, REWIND_MS);
  }

  /** Makes a server a replica of the primary again, from what both have. */
  rewind(server: DatabaseServer): void {
    server.upstream = this.primary;
    let { head } = server;
    while (!hasCommit(this.primary.head, head)) head = head.previous as Commit;
    server.head = head;
    this.stop(server, REWIND_MS);
  }

  /** An operator accepts that revisions are lost. */
  acceptLoss(revision: number): void {
    const { primary } = this;
    const { storeId, losses } = primary.head;
    const accepted = [...JSON.parse(losses ?? '[]'), { storeId, revision }];
    primary.commit({ ...identify(drawSecret(this.scheduler)), losses: JSON.stringify(accepted) });
  }

  /** Ends all faults: every server answers, and follows the primary without delay. */
  repair(): void {
    for (const server of this.servers) {
      server.release();
      server.isDown = false;
      server.failures = 0;
      server.lagMs = MAX_LAG_MS;
      server.messageMs = MAX_MESSAGE_MS;
      if (server !== this.primary && !hasCommit(this.primary.head, server.head))
        this.rewind(server);
      else if (server !== this.primary) server.upstream = this.primary;
    }
    this.#replicateAll();
  }

  close(): void {
    for (const history of this.#histories) history.close();
  }

  #find(url: string): DatabaseServer {
    const server = this.servers.find((each) => each.url === url);
    if (!server) throw new Error(`there is no server ${url}`);
    return server;
  }

  /** The history that ends with what a server has: another one after a promotion, or a stop. */
  #getHistory({ head }: DatabaseServer): History {
    const history = this.#histories.at(-1);
    if (history?.newest === head.snapshot) return history;
    return this.#addHistory(head.secret, listSnapshots(head));
  }

  #addHistory(secret: Uint8Array, snapshots?: readonly Snapshot[]): History {
    const history = new History(this.#histories.length + 1, secret, snapshots);
    this.#histories.push(history);
    return history;
  }

  #commit(snapshot: Snapshot, onCommitted: OnCommitted): void {
    const { primary } = this;
    const before = primary.head.snapshot;
    primary.commit({ snapshot });
    this.scheduler.note(() => `${primary.name} commits revision ${snapshot.revision}`);
    onCommitted(snapshot, before);
  }

  #after(server: DatabaseServer, delayMs: number, run: () => void): void {
    const runAndReplicate = () => {
      run();
      this.#replicateAll();
    };
    this.scheduler.after(delayMs, 'fault ends', runAndReplicate, server.process);
  }

  #replicateAll(): void {
    for (const server of this.servers) this.#replicate(server);
  }

  /** Brings a replica the next commit of the server that it follows. */
  #replicate(server: DatabaseServer): void {
    const { upstream, head, lagMs } = server;
    if (!upstream || this.#receiving.has(server) || !Number.isFinite(lagMs)) return;
    if (!findNext(upstream.head, head)) return;
    this.#receiving.add(server);
    const receive = () => {
      this.#receiving.delete(server);
      const isConnected = server.upstream && !server.isDown && !server.isHung;
      if (!isConnected || server.upstream?.isDown || server.upstream?.isHung) return;
      const next = findNext(server.upstream?.head, server.head);
      if (!next) return;
      server.head = next;
      this.scheduler.note(() => `${server.name} has revision ${server.revision}`);
      this.#replicateAll();
    };
    const delayMs = this.scheduler.drawDelay(0.2, lagMs);
    this.scheduler.after(delayMs, 'replicate', receive, server.process);
  }
}

/** The snapshots of all revisions up to a commit. */
function listSnapshots(head: Commit): Snapshot[] {
  const snapshots: Snapshot[] = [];
  for (let commit: Commit | undefined = head; commit; commit = commit.previous)
    snapshots[commit.snapshot.revision] = commit.snapshot;
  return snapshots;
}

/** The commit after a given one, on the way to the newest; undefined where it is not on the way. */
function findNext(newest: Commit | undefined, head: Commit): Commit | undefined {
  for (let commit = newest; commit; commit = commit.previous)
    if (commit.previous === head) return commit;
  return undefined;
}

function hasCommit(newest: Commit, searched: Commit): boolean {
  return newest === searched || findNext(newest, searched) !== undefined;
}

function drawSecret({ random }: Scheduler): Uint8Array {
  return Uint8Array.from({ length: 32 }, () => random.integer(0, 255));
}

function identify(secret: Uint8Array): Pick<Commit, 'secret' | 'storeId'> {
  return { secret, storeId: new Bun.CryptoHasher('sha256').update(secret).digest('hex') };
}
