/**
 * A stage that a request can take long with: waiting to be authenticated, for a revision, or for its
 * turn; reading from the store; encoding; compressing; and sending, which is known of streams only.
 */
export type Phase = 'admission' | 'revision' | 'queue' | 'read' | 'encode' | 'compress' | 'send';

export type PhaseDurations = { [P in Phase as `${P}Ms`]?: number };

/** Adds up how long a request is in each phase; it starts with reading. */
export class PhaseTimer {
  private phase: Phase = 'read';
  private readonly durations: Partial<Record<Phase, number>> = {};

  constructor(private enteredMs: number) {}

  enter(phase: Phase, nowMs: number): void {
    this.add(this.phase, nowMs - this.enteredMs);
    this.phase = phase;
    this.enteredMs = nowMs;
  }

  /** Time that was counted as one phase and belongs to another. */
  move(ms: number, from: Phase, to: Phase): void {
    this.add(from, -ms);
    this.add(to, ms);
  }

  /** How long each phase took so far, in whole milliseconds, without those that took none. */
  getDurations(nowMs: number): PhaseDurations {
    this.enter(this.phase, nowMs);
    const entries = Object.entries(this.durations)
      .map(([phase, ms]) => [`${phase}Ms`, Math.round(ms)] as const)
      .filter(([, ms]) => ms > 0);
    return Object.fromEntries(entries);
  }

  private add(phase: Phase, ms: number): void {
    this.durations[phase] = (this.durations[phase] ?? 0) + ms;
  }
}
