import type { ReaderSource, Selection, StoreReader } from '../../src/store/reader.ts';
import { readSelection } from '../../src/store/sql/read-selection.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import { runSteps } from '../../src/store/sqlite/session.ts';
import type { Store } from '../../src/store/store.ts';
import type { Snapshot } from './database.ts';

import { drawChange, type Model, type SimulatedChange } from './model.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { PostgresServers } from './postgres-servers.ts';
import { createProcess } from './scheduler.ts';
import type { SimulatedDatabase, World } from './world.ts';

/** A published revision is in every response after this time; the contract says a second. */
const FRESH_MS = 1_000;
/** An accepted loss is noticed within this time. */
const NOTICED_MS = 2_000;
const RETRY_MS = 100;
const MAX_READ_MS = 3_000;
/** Faults in which every statement may take long. */
const SLOW_FAULTS = ['stall', 'slow network'];

/** A snapshot that was committed, and what became of it. */
interface Committed {
  readonly snapshot: Snapshot;
  readonly parent: Snapshot | undefined;
  readonly atMs: number;
  /** When an operator gave it up. */
  givenUpMs: number;
}

/** A primary and its replicas; the model of what each process may show of them. */
export class PostgresDatabase implements SimulatedDatabase {
  readonly servers: PostgresServers;
  readonly #committed = new Map<Snapshot, Committed>();
  #lastAcceptedMs = Number.NEGATIVE_INFINITY;
  readonly #publisher = createProcess('publisher');

  constructor(private readonly world: World) {
    const { scheduler, options, tokens } = world;
    this.servers = new PostgresServers(scheduler, options.databases);
    this.#remember(this.servers.primary.head.snapshot, undefined);
    for (let number = 0; number < options.revisions; number++)
      scheduler.runAs(this.#publisher, () =>
        this.servers.publishAtOnce(drawChange(scheduler.random), this.#remember),
      );
    tokens.onWrite = (token) => this.servers.putToken(token);
  }

  get newest(): Model {
    return this.servers.primary.head.snapshot.model;
  }

  openStore(): Store {
    const opened = this.servers.openStore();
    const store: Store = {
      ...opened,
      reader: () => this.#watch(opened.reader()),
      reopen: async () => store,
    };
    return store;
  }

  openReader(source: ReaderSource): StoreReader {
    return this.#watch(this.servers.openReader(source));
  }

  publish(change: SimulatedChange): void {
    this.world.scheduler.runAs(this.#publisher, () => this.servers.publish(change, this.#remember));
  }

  findModels(revision: number, startedMs: number, receivedMs: number): readonly Model[] {
    return this.#listCommitted(revision)
      .filter(
        ({ atMs, givenUpMs }) =>
          atMs <= receivedMs && !this.world.isNoticed(givenUpMs, startedMs, NOTICED_MS),
      )
      .map(({ snapshot }) => snapshot.model);
  }

  findRequiredRevision(startedMs: number): number {
    if (this.isReplacedSince(startedMs - FRESH_MS)) return 0;
    const seen = [...this.#committed.values()].filter(
      ({ atMs, givenUpMs }) =>
        givenUpMs === Number.POSITIVE_INFINITY && this.world.isNoticed(atMs, startedMs, FRESH_MS),
    );
    return Math.max(0, ...seen.map(({ snapshot }) => snapshot.revision));
  }

  /** A response is made from one snapshot. */
  isTorn(): boolean {
    return false;
  }

  isReplacedSince(ms: number): boolean {
    return (
      this.#lastAcceptedMs > Number.NEGATIVE_INFINITY &&
      !this.world.isNoticed(this.#lastAcceptedMs, ms, NOTICED_MS)
    );
  }

  /** Promotes a replica; an operator accepts the loss, if there is one, after a while. */
  promote(server: DatabaseServer, acceptAfterMs: number): void {
    const { world, servers } = this;
    servers.promote(server);
    // Tokens that were issued or revoked on the old primary are so again.
    for (const token of world.tokens.rows) servers.putToken(token);
    if (this.#listLost().length > 0) this.#acceptLossAfter(acceptAfterMs);
  }

  heal(): void {
    this.servers.repair();
    this.#acceptLoss();
  }

  close(): void {
    this.servers.close();
  }

  #acceptLossAfter(delayMs: number): void {
    const { world, servers } = this;
    world.addFault('lost revisions', delayMs + NOTICED_MS);
    world.scheduler.after(delayMs, 'accept loss', () => {
      const isReachable = !servers.primary.isDown && !servers.primary.isHung;
      if (isReachable) this.#acceptLoss();
      else this.#acceptLossAfter(RETRY_MS);
    });
  }

  /** An operator gives up what the primary has not got: up to the newest that may have been seen. */
  #acceptLoss(): void {
    const lost = this.#listLost();
    if (lost.length === 0) return;
    const { nowMs } = this.world.scheduler;
    for (const committed of lost) committed.givenUpMs = nowMs;
    this.#lastAcceptedMs = nowMs;
    // Servers tell each other of what was published since, by its number: the log has the highest.
    const revisions = lost.map(({ snapshot }) => snapshot.revision);
    const newest = Math.max(this.servers.primary.revision, ...revisions);
    this.world.scheduler.note(() => `the loss of revisions up to ${newest} is accepted`);
    this.servers.acceptLoss(newest);
  }

  /** Revisions that were committed, that the primary has not got, and that are not given up. */
  #listLost(): readonly Committed[] {
    const { snapshot } = this.servers.primary.head;
    return [...this.#committed.values()].filter(
      (committed) =>
        committed.givenUpMs === Number.POSITIVE_INFINITY &&
        !this.#isWithin(committed.snapshot, snapshot),
    );
  }

  readonly #remember = (snapshot: Snapshot, parent: Snapshot | undefined): void => {
    const atMs = this.world.scheduler.nowMs;
    this.#committed.set(snapshot, { snapshot, parent, atMs, givenUpMs: Number.POSITIVE_INFINITY });
  };

  #listCommitted(revision: number): readonly Committed[] {
    return [...this.#committed.values()].filter(({ snapshot }) => snapshot.revision === revision);
  }

  /** Whether a snapshot is another one, or led to it. */
  #isWithin(earlier: Snapshot, later: Snapshot): boolean {
    for (
      let snapshot: Snapshot | undefined = later;
      snapshot;
      snapshot = this.#committed.get(snapshot)?.parent
    )
      if (snapshot === earlier) return true;
    return false;
  }

  /** A reader whose results are compared with each other: it never goes back, nor changes sides. */
  #watch(reader: StoreReader): StoreReader {
    // Several where histories have the same records.
    let shown: readonly Snapshot[] = [];
    const read = async (selection: Selection) => {
      const [before] = shown;
      const { nowMs } = this.world.scheduler;
      const result = await Promise.resolve(reader.read(selection)).finally(() =>
        this.#checkDuration(nowMs),
      );
      const { revision } = result;
      const found = this.#listCommitted(revision)
        .map(({ snapshot }) => snapshot)
        .filter((snapshot) => readDirectly(snapshot, selection) === result.records);
      const isRelated = (snapshot: Snapshot) =>
        shown.length === 0 || shown.some((other) => this.#areRelated(snapshot, other));
      const text = `revision ${revision} after ${shown[0]?.revision}`;
      if (found.length === 0)
        this.world.fail('each read is of one revision', `${text}: ${result.records}`);
      else if (!found.some(isRelated)) this.world.fail('a reader has one history', text);
      else if (selection.asOf === undefined && before && revision < before.revision)
        this.world.fail('a reader never goes back', text);
      else if (revision >= (shown[0]?.revision ?? 0)) shown = found.filter(isRelated);
      return result;
    };
    return { ...reader, read };
  }

  /** A server that hangs is given up: no read waits for as long as it does. */
  #checkDuration(startedMs: number): void {
    const { nowMs } = this.world.scheduler;
    if (nowMs - startedMs < MAX_READ_MS || !this.world.isCalm(startedMs, nowMs, SLOW_FAULTS))
      return;
    this.world.fail('reads end in time', `one took ${Math.round(nowMs - startedMs)} ms`);
  }

  #areRelated(a: Snapshot, b: Snapshot): boolean {
    return this.#isWithin(a, b) || this.#isWithin(b, a);
  }
}

/** What a snapshot has, without servers and sessions. */
function readDirectly({ database }: Snapshot, selection: Selection): string {
  return runSteps(database, readSelection(selection, sqliteDialect)).records;
}
