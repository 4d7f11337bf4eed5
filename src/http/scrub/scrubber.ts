import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { EmitEvent } from '../../event-log.ts';
import { system, type Timer } from '../../shared/system.ts';
import { readFingerprint } from '../../store/open-reader.ts';
import type { ReaderSource } from '../../store/open-store.ts';
import type { ReadObserver } from './known-damage.ts';
import { runScrub, type ScrubMessage } from './run-scrub.ts';
import type { ScrubFindings, ScrubNews, ScrubStatus, ScrubView } from './scrub-status.ts';

interface ScrubberOptions {
  readonly getCatalogue: () => Catalogue;
  /** Absent where no other thread can read the store. */
  readonly source: ReaderSource | undefined;
  /** Null for never: then a scrub is started by a read that fails because of damage, and by its repair. */
  readonly intervalMs: number | null;
  readonly emit: EmitEvent;
  /** Given to one of several processes: called with what the others are to know. */
  readonly onNews?: ((news: ScrubNews) => void) | undefined;
  /** Called when the names of what is damaged have changed. */
  readonly onDamage: (damaged: readonly string[]) => void;
}

/** A server that is started every day still gets to it, and many do not start at the same time. */
const MAX_START_DELAY_MS = 3_600_000;
/** When what is read is looked at, and how often: damage is found within a minute of being read. */
const LOOK_TIMING = { delayMs: 5_000, intervalMs: 20_000 };
/** A look at a large store takes at most a tenth of the time. */
const LOOK_PAUSE_FACTOR = 9;
/** One page may damage thousands of records. */
const MAX_LOGGED_FAULTS = 20;
/** Timers count no further. */
const MAX_TIMER_MS = 2_147_483_647;

const NOTHING_FOUND: ScrubFindings = { finishedAtMs: null, faults: 0, damaged: [] };

/**
 * Checks what is stored, in the background: all of it by its checksums when the server is first
 * read from, when anything in the store has changed since, and every so often anyway. Whether
 * anything has changed is looked at for as long as requests read from the store.
 */
export class Scrubber implements ScrubView, ReadObserver {
  #findings = NOTHING_FOUND;
  #checkedRecords = 0;
  #isStarted = false;
  #isReadNoted = false;
  #isRunning = false;
  /** When the next scrub is due, and the next look. */
  #scrubDueMs = Number.POSITIVE_INFINITY;
  #lookDueMs = Number.POSITIVE_INFINITY;
  #nextLookMs = 0;
  #isLookFailing = false;
  /** The state of the store that the findings are of. */
  #fingerprint: string | undefined;
  /** Counts the databases: what was found in an earlier one is dropped. */
  #database = 0;
  #timer: Timer | undefined;
  #stopRunning: (() => void) | undefined;

  constructor(
    private readonly options: ScrubberOptions,
    private readonly looks = LOOK_TIMING,
  ) {}

  status(): ScrubStatus {
    return { ...this.#findings, checkedRecords: this.#checkedRecords };
  }

  /** Whether this process does such work, of several that serve together. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** From now on this process scrubs: of several that serve together, one does. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#scheduleFirst();
  }

  /** Called for every request for data, so that it does nearly nothing. */
  noteRead(): void {
    // What is damaged is looked at anyway, so that its repair is found.
    const isOff = this.options.intervalMs === null && this.#findings.damaged.length === 0;
    if (this.#isReadNoted || isOff) return;
    this.#isReadNoted = true;
    if (this.#isStarted) this.#scheduleLook();
    else this.#tellOfRead();
  }

  #tellOfRead(): void {
    this.options.onNews?.({ isRead: true });
    const allowNext = () => {
      this.#isReadNoted = false;
    };
    system.setTimeout(allowNext, this.looks.intervalMs).unref();
  }

  /** A read failed because of damage: what is named counts as damaged until a scrub finds otherwise. */
  suspect(datasets: readonly string[]): void {
    if (!this.#isStarted) this.options.onNews?.({ suspected: datasets });
    this.#addDamaged(datasets);
    this.#scrubDueMs = Math.min(this.#scrubDueMs, this.#nextLookMs);
    this.#arm();
  }

  /** Takes over the news of another process. */
  observe(news: ScrubNews): void {
    if (this.#isStarted) {
      if ('isRead' in news) this.noteRead();
      else if ('suspected' in news) this.suspect(news.suspected);
    } else if ('suspected' in news) this.#addDamaged(news.suspected);
    else if ('faults' in news) this.#setFindings(news);
  }

  /** Another database has taken the place of the one that was scrubbed. */
  restart(): void {
    this.stop();
    this.#setFindings(NOTHING_FOUND);
    if (this.#isStarted) this.#scheduleFirst();
  }

  stop(): void {
    this.#database++;
    this.#fingerprint = undefined;
    this.#isRunning = false;
    this.#isReadNoted = false;
    this.#lookDueMs = Number.POSITIVE_INFINITY;
    this.#timer?.cancel();
    this.#stopRunning?.();
    this.#stopRunning = undefined;
  }

  #scheduleFirst(): void {
    const { intervalMs } = this.options;
    const spreadMs = system.random() * Math.min(intervalMs ?? 0, MAX_START_DELAY_MS);
    const dueMs = (this.#findings.finishedAtMs ?? 0) + (intervalMs ?? Number.POSITIVE_INFINITY);
    this.#scrubDueMs = Math.max(dueMs, system.now() + spreadMs);
    this.#arm();
  }

  #scheduleLook(): void {
    this.#lookDueMs = Math.max(system.now() + this.looks.delayMs, this.#nextLookMs);
    this.#arm();
  }

  #arm(): void {
    if (!this.#isStarted || this.#isRunning) return;
    this.#timer?.cancel();
    // A read during a look has scheduled the next one before it was known how long to pause.
    const lookDueMs = Math.max(this.#lookDueMs, this.#nextLookMs);
    const dueMs = Math.min(this.#scrubDueMs, lookDueMs);
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.max(0, dueMs - system.now()), MAX_TIMER_MS);
    this.#timer = system.setTimeout(() => this.#run(), delayMs).unref();
  }

  /** Looks at the store, and scrubs it if that is due, or if anything has changed. */
  async #run(): Promise<void> {
    const { source } = this.options;
    if (!source) return;
    const database = this.#database;
    const startedMs = system.now();
    this.#isRunning = true;
    this.#isReadNoted = false;
    this.#lookDueMs = Number.POSITIVE_INFINITY;
    const before = await this.#look(source);
    const lookMs = system.now() - startedMs;
    if (this.#database !== database) return;
    const isChanged = before !== undefined && before !== this.#fingerprint;
    if (startedMs >= this.#scrubDueMs || isChanged) {
      const isFinished = await this.#scrub(source);
      const after = await this.#look(source);
      if (this.#database !== database) return;
      // What changed meanwhile is scrubbed after the next look.
      this.#fingerprint = isFinished && after === before ? after : undefined;
      this.#scheduleNext(isFinished, startedMs);
    }
    this.#isRunning = false;
    this.#nextLookMs = system.now() + Math.max(this.looks.intervalMs, LOOK_PAUSE_FACTOR * lookMs);
    this.#arm();
  }

  /** Reads the fingerprint; of several looks in a row that fail, the first is logged. */
  async #look(source: ReaderSource): Promise<string | undefined> {
    const { getCatalogue, emit } = this.options;
    const database = this.#database;
    const causes: string[] = [];
    const fingerprint = await readFingerprint(source, getCatalogue().datasets, ({ message }) => {
      causes.push(message);
    });
    if (this.#database !== database) return undefined;
    const [cause] = causes;
    if (cause !== undefined && !this.#isLookFailing) emit({ event: 'scrub.failed', cause });
    this.#isLookFailing = cause !== undefined;
    return fingerprint;
  }

  #scheduleNext(isFinished: boolean, startedMs: number): void {
    const delayMs = this.options.intervalMs ?? Number.POSITIVE_INFINITY;
    this.#scrubDueMs = isFinished
      ? Math.max(system.now(), startedMs + delayMs)
      : system.now() + Math.min(delayMs, MAX_START_DELAY_MS);
  }

  /** Whether all of the store was checked. */
  #scrub(source: ReaderSource): Promise<boolean> {
    const { getCatalogue, emit } = this.options;
    const startedMs = system.now();
    const count = { records: 0, faults: 0, damaged: new Set<string>() };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#stopRunning = runScrub({ source, declared: getCatalogue().declared }, (message) => {
      if (message.kind === 'progress') return this.#addProgress(message, count);
      this.#stopRunning = undefined;
      if (message.kind === 'failed') emit({ event: 'scrub.failed', cause: message.cause });
      else {
        const seconds = Math.round((system.now() - startedMs) / 100) / 10;
        const { records, faults } = count;
        emit({ event: 'scrub.finished', records, faults, seconds });
        this.#setFindings({ finishedAtMs: system.now(), faults, damaged: [...count.damaged] });
      }
      resolve(message.kind === 'finished');
    });
    return promise;
  }

  #addProgress(
    { records, faults }: Extract<ScrubMessage, { kind: 'progress' }>,
    count: { records: number; faults: number; damaged: Set<string> },
  ): void {
    this.#checkedRecords += records;
    count.records += records;
    for (const { text, damaged } of faults) {
      if (count.faults++ < MAX_LOGGED_FAULTS)
        this.options.emit({ event: 'scrub.fault', fault: text });
      for (const name of damaged) count.damaged.add(name);
    }
    // Damage is known at once, and a repair when all of the store was checked.
    const most = Math.max(count.faults, this.#findings.faults);
    if (faults.length > 0) this.#addDamaged([...count.damaged], most);
  }

  #addDamaged(names: readonly string[], faults = this.#findings.faults): void {
    const damaged = new Set([...this.#findings.damaged, ...names]);
    this.#setFindings({ ...this.#findings, faults, damaged: [...damaged] });
  }

  #setFindings(findings: ScrubFindings): void {
    const { emit, onDamage, onNews } = this.options;
    const damaged = findings.damaged.toSorted();
    const { damaged: previous } = this.#findings;
    const added = damaged.filter((name) => !previous.includes(name));
    const isChanged = added.length > 0 || damaged.length < previous.length;
    this.#findings = { ...findings, damaged };
    if (isChanged) onDamage(damaged);
    if (!this.#isStarted) return;
    if (added.length > 0) emit({ event: 'store.damaged', datasets: added });
    if (isChanged && damaged.length === 0) emit({ event: 'store.repaired' });
    onNews?.(this.#findings);
  }
}
