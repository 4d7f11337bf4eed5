import { system } from '../shared/system.ts';
import type { PublishTransaction } from '../store/open-store.ts';

/** How long before an instant a publication must begin, as its check has shown. */
export interface LeadTime {
  /** By this machine's clock, with cores as busy as they were. */
  readonly leadMs: number;
  /** The time that it takes on idle cores; absent in candidates of earlier releases. */
  readonly workMs?: number;
}

/** The second run may take longer, and must open the database first. */
const [LEAD_FACTOR, MIN_LEAD_MS] = [1.5, 1_000];
const MAX_SLOWDOWN = 100;
/** A publication holds the write lock from its begin, and other publishers wait no longer than ten minutes. */
const MAX_ADDED_MS = 300_000;

/** Measures a check, which the returned function ends: by the clock of its store. */
export function startLeadTime(): (
  transaction: Pick<PublishTransaction, 'readClock'>,
) => Promise<Required<LeadTime>> {
  const startMs = system.monotonicNow();
  const usage = process.cpuUsage();
  return async (transaction) => {
    const skewMs = (await transaction.readClock()) - system.now();
    const elapsedMs = system.monotonicNow() - startMs;
    const usedMs = sumUsage(usage);
    // What waits for a database on the same machine uses time of cores that is not this process's.
    const workMs = Math.min(elapsedMs, Math.max(usedMs, elapsedMs / measureSlowdown()));
    return {
      leadMs: Math.ceil(elapsedMs * LEAD_FACTOR + MIN_LEAD_MS + skewMs),
      workMs: Math.ceil(workMs),
    };
  };
}

/** The time by which publications, one after another, must begin earlier on cores that slow them down. */
export function sumLeads(leads: readonly LeadTime[], slowdown: number): number {
  const leadMs = leads.reduce((sum, each) => sum + each.leadMs, 0);
  const workMs = leads.reduce((sum, each) => sum + (each.workMs ?? 0), 0);
  return leadMs + Math.min(workMs * LEAD_FACTOR * (slowdown - 1), MAX_ADDED_MS);
}

const RECENT_PROBES = 9;

/** How busy the cores of this machine are, while somebody waits for an instant. */
export class CorePace {
  readonly #recent: number[] = [];

  constructor(private readonly measure: () => number = measureSlowdown) {}

  /** When publications must begin that are to be committed after some time. */
  getLeadMs(leads: readonly LeadTime[], remainingMs: number): number {
    // A probe takes time of a core.
    if (remainingMs > sumLeads(leads, MAX_SLOWDOWN)) return sumLeads(leads, 1);
    this.#recent.push(this.measure());
    if (this.#recent.length > RECENT_PROBES) this.#recent.shift();
    const sorted = this.#recent.toSorted((a, b) => a - b);
    return sumLeads(leads, sorted[Math.floor(sorted.length / 2)] ?? 1);
  }
}

const [PROBE_MS, MAX_PROBE_MS] = [20, 2_000];

/** How many times longer work takes now than on idle cores, at least once. */
function measureSlowdown(): number {
  const startMs = system.monotonicNow();
  const usage = process.cpuUsage();
  let [usedMs, elapsedMs] = [0, 0];
  // A simulated clock stands still.
  while (usedMs < PROBE_MS && elapsedMs < MAX_PROBE_MS) {
    usedMs = sumUsage(usage);
    elapsedMs = system.monotonicNow() - startMs;
  }
  return Math.min(MAX_SLOWDOWN, Math.max(1, elapsedMs / Math.max(1, usedMs)));
}

function sumUsage(since: NodeJS.CpuUsage): number {
  const { user, system: kernel } = process.cpuUsage(since);
  return (user + kernel) / 1_000;
}
