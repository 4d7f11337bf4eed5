import { system } from '../../src/shared/system.ts';
import type { ReaderSource, StoreReader } from '../../src/store/reader.ts';
import type { Store } from '../../src/store/store.ts';
import { BaseHistories, type History } from './database.ts';
import { drawChange, type Model, type SimulatedChange } from './model.ts';
import { defineStep, type StepKinds } from './plan.ts';
import { createProcess, START_MS } from './scheduler.ts';
import {
  createSimulatedReader,
  createSimulatedStore,
  type DatabaseFile,
  FileSlot,
} from './simulated-store.ts';
import type { SimulatedDatabase, World } from './world.ts';

/** A published revision is in every response after this time; the contract says a second. */
const FRESH_MS = 1_000;
/** Another file at the path is noticed within this time. */
const NOTICED_MS = 2_000;

/** The last use of a token is stored within this time. */
const SAVED_MS = 1_400;

/** What was at the path from a time on. */
interface Placed {
  readonly fromMs: number;
  readonly history: History;
  /** Whether it was written over the file that was there, which servers have open. */
  readonly isOverwritten: boolean;
}

interface Commit {
  readonly atMs: number;
  readonly history: History;
  readonly revision: number;
}

/** A database file that is published to, replaced, restored and removed. */
export class FileDatabase implements SimulatedDatabase {
  readonly slot: FileSlot;
  readonly #placed: Placed[];
  readonly #commits: Commit[] = [];
  readonly #histories: History[] = [];
  readonly #publisher = createProcess('publisher');
  #isPublishing = false;
  #removed: DatabaseFile | undefined;

  constructor(private readonly world: World) {
    const { options, scheduler } = world;
    const history = this.#fork(scheduler.random.integer(1, BASES), options.revisions);
    this.slot = new FileSlot(scheduler, history);
    this.slot.disk.maxDelayMs = options.statementMs;
    this.#placed = [{ fromMs: Number.NEGATIVE_INFINITY, history, isOverwritten: false }];
    this.#commits.push({ atMs: 0, history, revision: history.newest.revision });
  }

  get newest(): Model {
    const { history, revision } = this.#removed ?? this.slot.open();
    return history.snapshots[revision]?.model as Model;
  }

  openStore(): Store {
    return this.#watch(createSimulatedStore(this.slot, this.world.tokens));
  }

  /** A poll looks whether the file is the same, and then reads the newest revision of it at once. */
  #watch(store: Store): Store {
    const { world } = this;
    const { scheduler } = world;
    const createReader = () => {
      const reader = store.reader();
      let polledEvent = 0;
      let isPolling = false;
      const revision = async () => {
        const isPoll = polledEvent === scheduler.eventCount && scheduler.currentLabel === 'timer';
        if (isPoll && isPolling) world.fail('polls never overlap', scheduler.current.name);
        isPolling ||= isPoll;
        try {
          return await reader.revision();
        } finally {
          if (isPoll) isPolling = false;
        }
      };
      const isCurrent = () => {
        polledEvent = scheduler.eventCount;
        return reader.isCurrent();
      };
      return { ...reader, revision, isCurrent };
    };
    return {
      ...store,
      reader: createReader,
      reopen: async () => this.#watch(await store.reopen()),
    };
  }

  openReader(source: ReaderSource): StoreReader {
    return createSimulatedReader(this.slot, source);
  }

  /** Takes its instant at once, or when it is released; with the commit lock, until it can be read. */
  publish(change: SimulatedChange, releasedInMs?: number): void {
    const { scheduler } = this.world;
    const { file } = this.slot;
    if (!file || this.#isPublishing) return;
    this.#isPublishing = true;
    const { history } = file;
    scheduler.runAs(this.#publisher, async () => {
      const notBefore = releasedInMs ? new Date(system.now() + releasedInMs) : undefined;
      const snapshot = await history.publish(change, notBefore);
      if (!snapshot) {
        this.#isPublishing = false;
        return;
      }
      this.slot.isCommitting = true;
      await scheduler.wait(scheduler.drawDelay(0.1, 300), 'commit');
      this.slot.isCommitting = false;
      this.#isPublishing = false;
      // It was replaced meanwhile: the revision is in a file that no process reads any more.
      if (file.history !== history) return;
      file.revision = snapshot.revision;
      if (this.slot.file !== file) return;
      this.#commits.push({ atMs: scheduler.nowMs, history, revision: snapshot.revision });
      scheduler.note(`committed ${snapshot.revision}`);
    });
  }

  /** Another file takes the place: it is renamed to the path, or copied over the one there. */
  place(history: History, revision: number, isOverwritten: boolean): void {
    const { file } = this.slot;
    if (file && isOverwritten) {
      file.history = history;
      file.revision = revision;
    } else this.slot.place(history, revision);
    const { nowMs } = this.world.scheduler;
    this.#placed.push({ fromMs: nowMs, history, isOverwritten });
    this.#commits.push({ atMs: nowMs, history, revision });
  }

  /** Another database takes the place, with so many revisions. */
  replace(isOverwritten: boolean, revisions: number): void {
    const base = BASES + 1 + (this.#histories.length % BASES);
    const history = this.#fork(base, revisions);
    this.place(history, revisions, isOverwritten);
  }

  restore(isOverwritten: boolean, revisionsBack: number): void {
    const { file } = this.slot;
    if (!file) return;
    const revision = Math.max(0, file.revision - revisionsBack);
    const fork = file.history.fork(2 * BASES + 1 + this.#histories.length, revision);
    this.#histories.push(fork);
    this.place(fork, revision, isOverwritten);
  }

  /** Moves the file away for a while. */
  remove(durationMs: number): void {
    const { file } = this.slot;
    if (!file) return;
    this.slot.file = undefined;
    this.#removed = file;
    this.world.addFault('removed', durationMs);
    this.world.scheduler.after(durationMs, 'file is back', () => this.#bringBack());
  }

  #bringBack(): void {
    this.slot.file ??= this.#removed;
    this.#removed = undefined;
  }

  findModels(revision: number, startedMs: number, receivedMs: number): readonly Model[] {
    const possible = this.#placed.filter(({ fromMs }, index) => {
      const nextMs = this.#placed[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      return fromMs <= receivedMs && !this.world.isNoticed(nextMs, startedMs, NOTICED_MS);
    });
    return possible.flatMap(({ history }) => history.snapshots[revision]?.model ?? []);
  }

  findRequiredRevision(startedMs: number): number {
    if (this.isReplacedSince(startedMs - FRESH_MS)) return 0;
    const history = this.#placed.at(-1)?.history;
    const seen = this.#commits.filter(
      (commit) =>
        commit.history === history && this.world.isNoticed(commit.atMs, startedMs, FRESH_MS),
    );
    return Math.max(0, ...seen.map(({ revision }) => revision));
  }

  isReplacedSince(ms: number): boolean {
    const { fromMs = 0 } = this.#placed.at(-1) ?? {};
    return this.#placed.length > 1 && !this.world.isNoticed(fromMs, ms, NOTICED_MS);
  }

  /** Statements of one request may have read the file before and after it was overwritten. */
  isTorn(startedMs: number, receivedMs: number): boolean {
    return this.#placed.some(
      ({ fromMs, isOverwritten }) =>
        isOverwritten &&
        fromMs <= receivedMs &&
        !this.world.isNoticed(fromMs, startedMs, NOTICED_MS),
    );
  }

  heal(): void {
    const { disk } = this.slot;
    this.#bringBack();
    disk.isUnreachable = false;
    disk.failureRate = 0;
    disk.maxDelayMs = this.world.options.statementMs;
  }

  /** The last use of every token is stored, unless the worker that knows it was killed. */
  check(): void {
    const { world } = this;
    if (world.clockChangeMs > 0) return;
    for (const { stored, usedMs } of world.tokens.all) {
      const isSaved = usedMs >= 0 && world.isNoticed(usedMs, world.scheduler.nowMs, SAVED_MS);
      const lastUsedMs = Date.parse(world.tokens.lastUses.get(stored.id) ?? '1970-01-01');
      if (isSaved && world.isCalm(usedMs, usedMs + SAVED_MS) && lastUsedMs < START_MS + usedMs - 1)
        world.fail('last uses are stored', `${stored.id} was used at ${usedMs.toFixed(1)} ms`);
    }
  }

  close(): void {
    for (const history of this.#histories) history.close();
  }

  /** Its figures are not those of any base. */
  #fork(base: number, revisions: number): History {
    const history = bases.fork(base, revisions, 2 * BASES + 1 + this.#histories.length);
    this.#histories.push(history);
    return history;
  }
}

/** Databases that a run begins with, and as many others that take their place. */
const BASES = 6;
const BASE_REVISIONS = 6;
const bases = new BaseHistories(BASE_REVISIONS, drawChange);

const getDisk = (world: World) => getDatabase(world).slot.disk;

function getDatabase({ database }: World): FileDatabase {
  if (!(database instanceof FileDatabase)) throw new Error('the database is no file');
  return database;
}

/** Changes the disk for a while. */
function setDisk(world: World, kind: string, ms: number, values: object, normal: object): void {
  const disk = getDisk(world);
  Object.assign(disk, values);
  world.addFault(kind, ms);
  world.scheduler.after(ms, `${kind} ends`, () => Object.assign(disk, normal));
}

/** How long all of that takes. */
const RESTART_STEP_MS = 3_600;

interface ReplaceAndRestart {
  /** At the start, so that there is time for all of it. */
  readonly atMs: number;
  readonly isOverwritten: boolean;
  readonly revisions: number;
  readonly server: number;
  readonly worker: number;
  readonly client: number;
}

const isFile = (weight: number) => (options: { engine: string }) =>
  options.engine === 'file' ? weight : 0;

export const fileSteps: StepKinds = {
  publish: defineStep<{ change: SimulatedChange }>({
    weight: () => 8,
    draw: (random) => ({ change: drawChange(random) }),
    apply: (world, { change }) => world.database.publish(change),
  }),
  release: defineStep<{ change: SimulatedChange; inMs: number }>({
    weight: isFile(1),
    draw: (random) => ({ change: drawChange(random), inMs: random.integer(1, 3_000) }),
    apply: (world, { change, inMs }) => getDatabase(world).publish(change, inMs),
  }),
  'slow disk': defineStep<{ ms: number; maxDelayMs: number }>({
    weight: isFile(0.6),
    isFault: true,
    draw: (random) => ({ ms: random.integer(100, 2_000), maxDelayMs: random.integer(20, 1_500) }),
    apply: (world, { ms, maxDelayMs }) =>
      setDisk(
        world,
        'slow disk',
        ms + maxDelayMs,
        { maxDelayMs },
        {
          maxDelayMs: world.options.statementMs,
        },
      ),
  }),
  'failing disk': defineStep<{ ms: number; failureRate: number }>({
    weight: isFile(0.6),
    isFault: true,
    draw: (random) => ({ ms: random.integer(100, 2_000), failureRate: random.between(0.05, 0.6) }),
    apply: (world, { ms, failureRate }) =>
      setDisk(world, 'failing disk', ms, { failureRate }, { failureRate: 0 }),
  }),
  'unreachable disk': defineStep<{ ms: number }>({
    weight: isFile(0.6),
    isFault: true,
    draw: (random) => ({ ms: random.integer(50, 3_000) }),
    apply: (world, { ms }) =>
      setDisk(world, 'unreachable disk', ms, { isUnreachable: true }, { isUnreachable: false }),
  }),
  replace: defineStep<{ isOverwritten: boolean; revisions: number }>({
    weight: isFile(1),
    isFault: true,
    draw: (random) => ({
      isOverwritten: random.isLikely(0.5),
      revisions: random.integer(0, BASE_REVISIONS),
    }),
    apply: (world, { isOverwritten, revisions }) =>
      getDatabase(world).replace(isOverwritten, revisions),
  }),
  restore: defineStep<{ isOverwritten: boolean; revisionsBack: number }>({
    weight: isFile(1),
    isFault: true,
    draw: (random) => ({
      isOverwritten: random.isLikely(0.5),
      revisionsBack: random.integer(0, 3),
    }),
    apply: (world, { isOverwritten, revisionsBack }) =>
      getDatabase(world).restore(isOverwritten, revisionsBack),
  }),
  // A worker that starts afterwards has never seen the database that was there before.
  'replace and restart': defineStep<ReplaceAndRestart>({
    weight: (options) =>
      options.engine === 'file' && options.durationMs > RESTART_STEP_MS && options.workers > 1
        ? 1
        : 0,
    isFault: true,
    draw: (random, options) => ({
      atMs: random.integer(0, 300),
      isOverwritten: random.isLikely(0.3),
      revisions: random.integer(0, BASE_REVISIONS),
      server: random.integer(0, options.servers - 1),
      worker: random.integer(0, options.workers - 1),
      client: random.integer(0, options.clients - 1),
    }),
    apply(world, { isOverwritten, revisions, server, worker, client }) {
      const names = { server, worker, client };
      const { scheduler } = world;
      getDatabase(world).replace(isOverwritten, revisions);
      const later = (delayMs: number, kind: string, parameters: object) =>
        scheduler.after(delayMs, kind, () => world.apply(kind, parameters));
      // When the others have noticed it.
      later(random(2_100, 2_300), 'kill', names);
      for (const delayMs of [random(2_600, 2_900), random(2_900, 3_300)])
        later(delayMs, 'publish in a burst', {
          ...names,
          query: 'day',
          choice: 0,
          count: 12,
          withinMs: 400,
          change: { ...drawChange(scheduler.random), dataset: 'quotes' },
        });

      function random(minMs: number, maxMs: number): number {
        return scheduler.random.between(minMs, maxMs);
      }
    },
  }),
  remove: defineStep<{ ms: number }>({
    weight: isFile(0.3),
    isFault: true,
    draw: (random) => ({ ms: random.integer(20, 2_000) }),
    apply: (world, { ms }) => getDatabase(world).remove(ms),
  }),
};
