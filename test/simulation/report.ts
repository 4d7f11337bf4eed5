import type { SeedResult } from './run-seed.ts';
import { STEP_KINDS } from './world.ts';

type Counts = Record<string, number>;

interface ReportJson {
  readonly runs: number;
  readonly failed: number;
  readonly events: number;
  readonly orders: number;
  readonly steps: Counts;
  readonly messages: Counts;
}

/** What many runs did, in numbers: a simulator that does nothing finds nothing. */
export class Report {
  #runs = 0;
  #failed = 0;
  #events = 0;
  #otherOrders = 0;
  readonly #orders = new Set<string>();
  readonly #steps: Counts = {};
  readonly #messages: Counts = {};

  add({ plan, failure, hash, events, labels }: SeedResult): void {
    this.#runs++;
    if (failure) this.#failed++;
    this.#events += events;
    this.#orders.add(hash);
    for (const { kind } of plan.steps) increase(this.#steps, kind);
    for (const [label, count] of labels)
      if (!(label in STEP_KINDS)) increase(this.#messages, label, count);
  }

  addJson({ runs, failed, events, orders, steps, messages }: ReportJson): void {
    this.#runs += runs;
    this.#failed += failed;
    this.#events += events;
    this.#otherOrders += orders;
    for (const [kind, count] of Object.entries(steps)) increase(this.#steps, kind, count);
    for (const [label, count] of Object.entries(messages)) increase(this.#messages, label, count);
  }

  toJson(): ReportJson {
    const [runs, failed, events, orders] = [
      this.#runs,
      this.#failed,
      this.#events,
      this.#countOrders(),
    ];
    return { runs, failed, events, orders, steps: this.#steps, messages: this.#messages };
  }

  format(ms: number): string {
    const steps = Object.entries(this.#steps);
    const faults = steps.filter(([kind]) => STEP_KINDS[kind]?.isFault);
    const others = steps.filter(([kind]) => !STEP_KINDS[kind]?.isFault);
    const sum = (counts: [string, number][]) =>
      counts.reduce((total, [, count]) => total + count, 0);
    return [
      `${this.#runs} runs in ${(ms / 1_000).toFixed(1)} s (${(ms / this.#runs).toFixed(1)} ms each), ${this.#failed} failed`,
      `${this.#countOrders()} different orders of ${this.#events} events: ${formatCounts(this.#messages)}`,
      `${sum(faults)} faults: ${formatCounts(Object.fromEntries(faults))}`,
      `${sum(others)} other steps: ${formatCounts(Object.fromEntries(others))}`,
    ].join('\n');
  }

  #countOrders(): number {
    return this.#orders.size + this.#otherOrders;
  }
}

function increase(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

function formatCounts(counts: Counts): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
