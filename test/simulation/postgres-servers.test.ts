import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { replaceSystem, system } from '../../src/shared/system.ts';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import type { Selection, StoreReader } from '../../src/store/reader.ts';
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

  /** The reader of a process of its own, after its first heartbeats. */
  function openReader(process: Process = createProcess('server')): StoreReader {
    const reader = scheduler.runAs(process, () => servers.openStore().reader());
    scheduler.runUntil(scheduler.nowMs + 100);
    reader.isCurrent();
    return reader;
  }

  /** The revision that a read shows within a time, or the message of its error. */
  function read(reader: StoreReader, process: Process = createProcess('server'), withinMs = 100) {
    let result: number | string | undefined;
    scheduler.runAs(process, () =>
      Promise.resolve(reader.read(SELECTION)).then(
        ({ revision }) => {
          result = revision;
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
});
