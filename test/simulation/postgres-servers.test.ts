import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { replaceSystem, system } from '../../src/shared/system.ts';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import type { Connector } from '../../src/store/postgres/connection-pool.ts';
import { openPostgresReader } from '../../src/store/postgres/open-postgres.ts';
import type { PostgresServer } from '../../src/store/postgres/server-pool/server.ts';
import { ServerPool } from '../../src/store/postgres/server-pool/server-pool.ts';
import type { Selection, StoreReader } from '../../src/store/reader.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import type { SimulatedChange } from './model.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { PostgresServers } from './postgres-servers.ts';
import { createProcess, type Process, Scheduler } from './scheduler.ts';

const NEVER_MS = Number.POSITIVE_INFINITY;
/** It takes one statement. */
const SELECTION: Selection = {
  kind: 'quotes',
  dataset: quotes,
  dateRange: ['2026-01-01', '2026-12-31'],
  limit: 10,
};
const publication = (slot: number): SimulatedChange => ({
  dataset: 'quotes',
  put: [{ slot }],
  retired: [],
});

describe('simulated PostgreSQL servers', () => {
  const real = { ...system };
  let scheduler: Scheduler;
  let servers: PostgresServers;
  let [primary, replica]: DatabaseServer[] = [];

  beforeEach(() => {
    scheduler = new Scheduler(1);
    replaceSystem(scheduler.createSystem());
    servers = new PostgresServers(scheduler, 2);
    [primary, replica] = servers.servers;
    publish(0);
    scheduler.runUntil(200);
  });
  afterEach(() => {
    servers.close();
    Object.assign(system, real);
  });

  function publish(slot: number): void {
    scheduler.runAs(createProcess('publisher'), () => servers.publish(publication(slot), () => {}));
  }

  /** Runs until something is so, and fails if it is not within a second. */
  function runUntil(isSo: () => boolean): void {
    const endMs = scheduler.nowMs + 1_000;
    while (!isSo() && scheduler.nowMs < endMs) scheduler.runUntil(scheduler.nowMs + 1);
    expect(isSo()).toBe(true);
  }

  /** Commits a revision on the primary alone while its reply to a heartbeat is on its way. */
  function commitDuringHeartbeat(): void {
    const server = primary as DatabaseServer;
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    let isAnswered = false;
    const { receive } = server;
    server.drawDelay = () => 1;
    server.receive = (statement) => {
      server.drawDelay = () => 200;
      receive.call(server, statement);
      server.drawDelay = () => 1;
      isAnswered = true;
    };
    runUntil(() => isAnswered);
    server.receive = receive;
    publish(1);
    runUntil(() => server.revision === 2);
  }

  function getHealths(reader: StoreReader): string {
    return reader
      .servers()
      .map(({ health }) => health)
      .join(' ');
  }

  /** The reader of a process of its own, after its first heartbeats. */
  function openReader(process: Process = createProcess('server')): StoreReader {
    const reader = scheduler.runAs(process, () => servers.openStore().reader());
    scheduler.runUntil(scheduler.nowMs + 100);
    reader.isCurrent();
    return reader;
  }

  /** The revision that a read shows within a time, or the message of its error. */
  function read(
    reader: StoreReader,
    process: Process = createProcess('server'),
    withinMs = 100,
    options: { asOf?: number } = {},
  ) {
    const find = async () => (await reader.read({ ...SELECTION, ...options })).revision;
    return settle(find, process, withinMs);
  }

  /** What is found within a time, or the message of its error. */
  function settle<T>(find: () => Promise<T>, process: Process, withinMs: number) {
    let result: T | string | undefined;
    scheduler.runAs(process, () =>
      find().then(
        (found) => {
          result = found;
        },
        (cause: Error) => {
          result = cause.message;
        },
      ),
    );
    scheduler.runUntil(scheduler.nowMs + withinMs);
    return result;
  }

  test('a reader that hears first of a replica that lags begins with what the primary has', () => {
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(400);
    expect([primary?.revision, replica?.revision]).toEqual([2, 1]);
    servers.slow(primary as DatabaseServer, 60, NEVER_MS);
    let revision: number | undefined;
    scheduler.runAs(createProcess('server'), () =>
      servers
        .openStore()
        .reader()
        .revision()
        .then((newest) => {
          revision = newest;
        }),
    );
    scheduler.runUntil(1_000);
    expect(revision).toBe(2);
  });

  test('a replica is read from once it has what was published', () => {
    const reader = openReader();
    servers.lag(replica as DatabaseServer, NEVER_MS, 1_000);
    publish(1);
    scheduler.runUntil(800);
    expect(replica?.revision).toBe(1);
    expect(read(reader)).toBe(2);
    expect(reader.servers().map(({ health }) => health)).toEqual(['healthy', 'lagging']);
    scheduler.runUntil(2_500);
    expect(replica?.revision).toBe(2);
    expect(reader.servers().map(({ health }) => health)).toEqual(['healthy', 'healthy']);
    expect(read(reader)).toBe(2);
  });

  test('reads go on while a replica hangs, and when it is back', () => {
    const reader = openReader();
    servers.hang(replica as DatabaseServer, 3_000);
    scheduler.runUntil(1_500);
    expect(reader.servers().map(({ health }) => health)).toEqual(['healthy', 'unreachable']);
    expect(read(reader)).toBe(1);
    scheduler.runUntil(5_000);
    expect(reader.servers().map(({ health }) => health)).toEqual(['healthy', 'healthy']);
  });

  test('after a promotion that loses a revision, it is refused until the loss is accepted', () => {
    const reader = openReader();
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(1_000);
    expect(read(reader)).toBe(2);
    servers.stop(primary as DatabaseServer, NEVER_MS);
    servers.promote(replica as DatabaseServer);
    publish(2);
    scheduler.runUntil(2_500);
    expect(read(reader)).toStartWith('no server has revision 2');
    servers.acceptLoss(2);
    scheduler.runUntil(3_500);
    expect(reader.isCurrent()).toBe(false);
    expect(read(openReader())).toBe(2);
  });

  test('a revision of a history that a reader does not know yet is not taken for one of its own', () => {
    const process = createProcess('suspended server');
    const [reader, other] = [openReader(process), openReader()];
    process.stalledUntilMs = 2_000;
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(1_000);
    expect(read(other)).toBe(2);
    servers.stop(primary as DatabaseServer, NEVER_MS);
    servers.promote(replica as DatabaseServer);
    servers.acceptLoss(2);
    for (const slot of [2, 3]) {
      publish(slot);
      scheduler.runUntil(scheduler.nowMs + 100);
    }
    expect(replica?.revision).toBe(3);
    // It knows only the first revision, and takes up the result before any heartbeat.
    scheduler.runUntil(1_990);
    expect(read(reader, process)).toBe('another history has taken its place');
    // A process that has seen what was lost would wait for ever for one above it.
    expect(reader.newestSeen().revision).toBe(3);
    expect([reader.isCurrent(), other.isCurrent()]).toEqual([false, false]);
  });

  test('a revision that another reader of the promoted server saw is not taken for one that follows what was lost', async () => {
    const reader = openReader();
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(1_000);
    expect(read(reader)).toBe(2);
    servers.stop(primary as DatabaseServer, NEVER_MS);
    servers.promote(replica as DatabaseServer);
    for (const slot of [2, 3]) {
      publish(slot);
      scheduler.runUntil(scheduler.nowMs + 500);
    }
    const { revision, identity } = openReader().newestSeen();
    expect(identity.revision).toBe(3);
    const observed = Promise.resolve(reader.observeRevision(revision, identity));
    expect(read(reader)).toStartWith('no server has revision 2');
    await expect(observed).rejects.toBeInstanceOf(StoreUnavailableError);
  });

  test('a background thread that finds two primaries keeps the history that it was told of', () => {
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(1_000);
    const { identity } = openReader().newestSeen();
    expect(identity.revision).toBe(2);
    servers.promote(replica as DatabaseServer);
    for (const slot of [2, 3]) {
      publish(slot);
      scheduler.runUntil(scheduler.nowMs + 500);
    }
    const process = createProcess('background thread');
    const reader = scheduler.runAs(process, () => servers.openStore().reader());
    reader.observeRevision(2, identity);
    // Of what others have sent since, the number alone is known.
    reader.observeRevision(3);
    expect(read(reader, process)).toStartWith('no server has revision 3');
    expect(reader.newestSeen()).toEqual({ revision: 3, identity });
  });

  test('a reader that finds two primaries at its start shows nothing older than another one saw', () => {
    servers.lag(replica as DatabaseServer, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(1_000);
    servers.promote(replica as DatabaseServer);
    const process = createProcess('background thread');
    const reader = scheduler.runAs(process, () => servers.openStore().reader());
    reader.observeRevision(2);
    expect(read(reader, process)).toStartWith('no server has revision 2');
    publish(2);
    scheduler.runUntil(2_000);
    expect(read(reader, process)).toBe(2);
  });

  test('a revision of a promoted server whose timeline is unknown for once is not forgotten', () => {
    const [first, second] = [primary as DatabaseServer, replica as DatabaseServer];
    const reader = openReader();
    servers.promote(second);
    scheduler.runUntil(1_000);
    expect(read(reader)).toBe(1);
    servers.rewind(first);
    servers.lag(first, NEVER_MS, NEVER_MS);
    scheduler.runUntil(2_500);
    second.timeline = 0;
    publish(1);
    scheduler.runUntil(3_000);
    expect(read(reader)).toBe(2);
    servers.stop(second, NEVER_MS);
    scheduler.runUntil(4_000);
    expect(read(reader)).toStartWith('no server has revision 2');
  });

  test('of two primaries, the standby of the old one is not read from for a revision that others saw', () => {
    servers.close();
    servers = new PostgresServers(scheduler, 3);
    const [old, standby, promoted] = servers.servers as [
      DatabaseServer,
      DatabaseServer,
      DatabaseServer,
    ];
    publish(0);
    scheduler.runUntil(scheduler.nowMs + 200);
    const process = createProcess('suspended server');
    const reader = openReader(process);
    process.stalledUntilMs = 2_000;
    servers.lag(promoted, NEVER_MS, NEVER_MS);
    publish(1);
    scheduler.runUntil(1_000);
    expect([standby.revision, promoted.revision]).toEqual([2, 1]);
    servers.stop(old, NEVER_MS);
    servers.promote(promoted);
    // Its first heartbeat comes after that of the other one.
    servers.slow(standby, 200, 1_500);
    reader.observeRevision(2);
    scheduler.runUntil(3_000);
    expect(read(reader, process)).toStartWith('no server has revision 2');
  });

  test('a read from a replica that another server passes meanwhile is repeated on that one', () => {
    const [first, second] = [primary as DatabaseServer, replica as DatabaseServer];
    const reader = openReader();
    // The next heartbeat of the primary gets there when two more revisions have been published.
    first.drawDelay = () => 180;
    publish(1);
    runUntil(() => getHealths(reader) === 'lagging healthy');
    first.drawDelay = () => 10;
    publish(2);
    runUntil(() => second.revision === 3);
    servers.lag(second, NEVER_MS, NEVER_MS);
    publish(3);
    runUntil(() => first.revision === 4);
    expect(getHealths(reader)).toBe('lagging healthy');
    // Only the replica is read from, and no heartbeat has told of the third revision.
    second.drawDelay = () => 100;
    expect(read(reader, undefined, 1_000)).toBe(4);
  });

  test('a read as of a revision is repeated on the primary if the readable replica has not got it yet', () => {
    const [first, second] = [primary as DatabaseServer, replica as DatabaseServer];
    const reader = openReader();
    first.drawDelay = () => 180;
    publish(1);
    runUntil(() => getHealths(reader) === 'lagging healthy');
    servers.lag(second, NEVER_MS, NEVER_MS);
    publish(2);
    runUntil(() => first.revision === 3);
    first.drawDelay = () => 10;
    expect(getHealths(reader)).toBe('lagging healthy');
    expect(read(reader, undefined, 1_000, { asOf: 3 })).toBe(3);
  });

  test('a revision that others saw while a heartbeat was on its way back is read once another one shows it', () => {
    const reader = openReader();
    commitDuringHeartbeat();
    reader.observeRevision(2);
    expect(read(reader, undefined, 1_000)).toBe(2);
  });

  test('a primary whose last heartbeat is older than a revision that others saw is found by another one', () => {
    const options = { poolSize: 1, isDistributed: false, connector: servers.connector };
    const process = createProcess('server');
    const pool = scheduler.runAs(process, () => new ServerPool(servers.urls, options));
    scheduler.runUntil(scheduler.nowMs + 100);
    commitDuringHeartbeat();
    pool.state.observeRevision(2);
    const find = async () => (await pool.getPrimary()).url;
    expect(settle(find, process, 1_000)).toBe(primary?.url);
  });

  test('a revision of a read is confirmed by a heartbeat that was sent after it, not by the one in progress', () => {
    const options = { poolSize: 1, isDistributed: false, connector: servers.connector };
    const process = createProcess('server');
    const pool = scheduler.runAs(process, () => new ServerPool(servers.urls, options));
    scheduler.runUntil(scheduler.nowMs + 100);
    let server: PostgresServer | undefined;
    settle(
      async () => {
        server = await pool.getPrimary();
      },
      process,
      100,
    );
    commitDuringHeartbeat();
    const confirm = async () => {
      await pool.confirmRevision(server as PostgresServer, 2);
      return 'confirmed';
    };
    expect(settle(confirm, process, 1_000)).toBe('confirmed');
  });

  test('after a failover, standbys that are ahead of the last heartbeat of the primary are read from where no other may be', () => {
    const [first, second] = [primary as DatabaseServer, replica as DatabaseServer];
    const process = createProcess('server');
    const urls = servers.urls.map((url) => `${url}?target_session_attrs=standby`);
    const { createReadPool } = servers.connector;
    const connector: Connector = {
      ...servers.connector,
      createReadPool: (url, ...options) => createReadPool(url.replace(/\?.*/, ''), ...options),
    };
    const reader = scheduler.runAs(process, () =>
      openPostgresReader({ urls, dialect: sqliteDialect }, connector),
    );
    scheduler.runUntil(scheduler.nowMs + 100);
    servers.promote(second);
    servers.rewind(first);
    scheduler.runUntil(scheduler.nowMs + 3_000);
    expect(getHealths(reader)).toBe('healthy healthy');
    publish(1);
    runUntil(() => first.revision === 2);
    expect(read(reader, process, 200)).toBe(2);
  });
});
