import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { EmitEvent } from '../../event-log.ts';
import { system, type Timer } from '../../shared/system.ts';
import type { ReaderSource } from '../../store/open-store.ts';
import type { ReadObserver } from './known-damage.ts';
import { runScrub, type ScrubMessage } from './run-scrub.ts';
import type { ScrubFindings, ScrubNews, ScrubView } from './scrub-status.ts';

export interface ScrubPace {
  /** The share of a core that a scrub takes. */
  readonly coreShare: number;
  /** From start to start as long as something is damaged or cannot be read: it may be repaired. */
  readonly repairIntervalMs: number;
}

interface ScrubberOptions {
  readonly getCatalogue: () => Catalogue;
  /** Absent if no other thread can read the store. */
  readonly source: ReaderSource | undefined;
  /** From start to start; null for none but those that follow a failed read. */
  readonly intervalMs: number | null;
  readonly pace?: ScrubPace | undefined;
  readonly emit: EmitEvent;
  /** Given to one of several processes: called with what the others are to know. */
  readonly onNews?: ((news: ScrubNews) => void) | undefined;
  /** Called when the names of what is damaged have changed. */
  readonly onDamage: (damaged: readonly string[]) => void;
}

/** Starting the thread of a scrub takes a third of a second: 2 % of a core with this interval, too. */
const DEFAULT_PACE: ScrubPace = { coreShare: 0.02, repairIntervalMs: 15_000 };
/** A server that is started often is scrubbed, too, but not while it starts. */
const MAX_START_DELAY_MS = 5_000;
/** One page may damage thousands of records. */
const MAX_LOGGED_FAULTS = 20;

const NOTHING_FOUND: ScrubFindings = { finishedAtMs: null, faults: 0, damaged: [] };

/** Checks all that is stored, again and again, at a pace that leaves the machine to requests. */
export class Scrubber implements ScrubView, ReadObserver {
  #findings = NOTHING_FOUND;
  #checkedRecords = 0;
  #isStarted = false;
  /** When the last scrub was started, and when the next one is due. */
  #startedMs = Number.NEGATIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  #stopRunning: (() => void) | undefined;
  #isFailing = false;
  /** What reads have failed on since the last scrub was started, if any have. */
  #suspected: Set<string> | undefined;

  constructor(private readonly options: ScrubberOptions) {}

  status(): ReturnType<ScrubView['status']> {
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

  /** A read failed because of damage: what is named counts as damaged until a scrub finds otherwise. */
  suspect(datasets: readonly string[]): void {
    if (!this.#isStarted) this.options.onNews?.({ suspected: datasets });
    this.#suspected = new Set([...(this.#suspected ?? []), ...datasets]);
    this.#addDamaged(datasets);
    this.#dueMs = Math.min(this.#dueMs, this.#startedMs + this.#repairIntervalMs);
    this.#arm();
  }

  /** Takes over the news of another process. */
  observe(news: ScrubNews): void {
    if ('suspected' in news) {
      if (this.#isStarted) this.suspect(news.suspected);
      else this.#addDamaged(news.suspected);
    } else if (!this.#isStarted) this.#setFindings(news);
  }

  /** Another database has taken the place of the one that was scrubbed. */
  restart(): void {
    this.stop();
    this.#suspected = undefined;
    this.#setFindings(NOTHING_FOUND);
    if (this.#isStarted) this.#scheduleFirst();
  }

  stop(): void {
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#timer?.cancel();
    this.#stopRunning?.();
    this.#stopRunning = undefined;
  }

  get #repairIntervalMs(): number {
    const { intervalMs, pace = DEFAULT_PACE } = this.options;
    return Math.min(intervalMs ?? Number.POSITIVE_INFINITY, pace.repairIntervalMs);
  }

  #scheduleFirst(): void {
    const { intervalMs } = this.options;
    const delayMs = Math.min(intervalMs ?? Number.POSITIVE_INFINITY, MAX_START_DELAY_MS);
    const isDue = intervalMs !== null || this.#findings.damaged.length > 0;
    this.#dueMs = isDue ? system.now() + delayMs : Number.POSITIVE_INFINITY;
    this.#arm();
  }

  #arm(): void {
    if (!this.#isStarted || this.#stopRunning || this.#dueMs === Number.POSITIVE_INFINITY) return;
    this.#timer?.cancel();
    const delayMs = Math.max(0, this.#dueMs - system.now());
    this.#timer = system.setTimeout(() => this.#scrub(), delayMs).unref();
  }

  #scrub(): void {
    const { source, getCatalogue, pace = DEFAULT_PACE } = this.options;
    if (!source) return;
    this.#startedMs = system.now();
    this.#suspected = undefined;
    const count: ScrubCount = { records: 0, faults: 0, damaged: new Set() };
    const job = { source, declared: getCatalogue().declared, coreShare: pace.coreShare };
    this.#stopRunning = runScrub(job, (message) => {
      if (message.kind === 'progress') this.#addProgress(message, count);
      else this.#end(message, count);
    });
  }

  #end(message: Exclude<ScrubMessage, { kind: 'progress' }>, count: ScrubCount): void {
    const { emit, intervalMs } = this.options;
    const { records, faults, damaged } = count;
    const isFailed = message.kind === 'failed';
    this.#stopRunning = undefined;
    if (!isFailed) {
      const seconds = Math.round((system.now() - this.#startedMs) / 100) / 10;
      emit({ event: 'scrub.finished', records, faults, seconds });
      // What reads have failed on meanwhile may have been checked before.
      const all = [...damaged, ...(this.#suspected ?? [])];
      this.#setFindings({ finishedAtMs: system.now(), faults, damaged: [...new Set(all)] });
    } else if (!this.#isFailing) emit({ event: 'scrub.failed', cause: message.cause });
    this.#isFailing = isFailed;
    const isInDoubt = isFailed || this.#suspected || this.#findings.damaged.length > 0;
    const delayMs = isInDoubt ? this.#repairIntervalMs : (intervalMs ?? Number.POSITIVE_INFINITY);
    this.#dueMs = this.#startedMs + delayMs;
    this.#arm();
  }

  #addProgress(
    { records, faults }: Extract<ScrubMessage, { kind: 'progress' }>,
    count: ScrubCount,
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

interface ScrubCount {
  records: number;
  faults: number;
  readonly damaged: Set<string>;
}
