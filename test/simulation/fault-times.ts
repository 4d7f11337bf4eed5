export interface Fault {
  readonly kind: string;
  readonly fromMs: number;
  /** Infinite as long as its end is not known. */
  toMs: number;
}

/** When something was not as it should be. */
export class FaultTimes {
  readonly #faults: Fault[] = [];

  add(kind: string, fromMs: number, toMs = Number.POSITIVE_INFINITY): Fault {
    const fault = { kind, fromMs, toMs };
    this.#faults.push(fault);
    return fault;
  }

  /** No fault goes on after a time. */
  endBy(latestMs: number): void {
    for (const fault of this.#faults) fault.toMs = Math.min(fault.toMs, latestMs);
  }

  isCalm(fromMs: number, toMs: number, kinds?: readonly string[]): boolean {
    return this.#faults.every(
      (fault) =>
        fault.fromMs > toMs || fault.toMs < fromMs || (kinds && !kinds.includes(fault.kind)),
    );
  }

  isNoticed(changeMs: number, atMs: number, withinMs: number): boolean {
    const ends = this.#faults.map(({ toMs }) => toMs).filter((ms) => ms > changeMs && ms < atMs);
    return [changeMs, ...ends].some(
      (ms) => ms + withinMs <= atMs && this.isCalm(ms + 1e-9, ms + withinMs),
    );
  }
}
