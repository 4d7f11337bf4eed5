import type { Tab } from '../../../src/explorer/api/tab.ts';
import { createProcess, type Process } from '../scheduler.ts';
import type { Network } from './network.ts';

export const BASE_URL = new URL('https://tenor.example/');

/** A tab of a browser, which the visitor shows, hides, leaves and closes. */
export class SimulatedTab implements Tab {
  readonly baseUrl = BASE_URL;
  readonly process: Process;
  /** Until then its timers do not fire, as those of tabs that are hidden for long. */
  timersHeldUntilMs = 0;
  /** Called when it is shown again. */
  onShown: () => void = () => {};
  #isHidden = false;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly network: Network,
    readonly name: string,
  ) {
    this.process = createProcess(name);
    tabs.set(this.process, this);
  }

  get isOpen(): boolean {
    return !this.process.isDead;
  }

  readonly fetch = (url: string, init: RequestInit) => this.network.fetch(this.process, url, init);

  isHidden(): boolean {
    return this.#isHidden;
  }

  onVisibilityChange(listener: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener));
  }

  setHidden(isHidden: boolean, onChanged?: () => void): void {
    const dispatch = () => {
      if (this.#isHidden !== isHidden) {
        this.#isHidden = isHidden;
        if (!isHidden) this.onShown();
        for (const listener of [...this.#listeners]) listener();
      }
      onChanged?.();
    };
    this.network.scheduler.after(0, 'visibilitychange', dispatch, this.process);
  }

  /** The visitor looks at another tab a few times, each time for a while. */
  glanceAway(times: number, forMs: number): void {
    const { scheduler } = this.network;
    for (let count = 0; count < times; count++) {
      scheduler.after(2 * count * forMs, 'hidden', () => this.setHidden(true));
      scheduler.after((2 * count + 1) * forMs, 'shown', () => this.setHidden(false));
    }
  }

  /** The visitor follows a link elsewhere, and comes back after a time: the page is kept meanwhile. */
  leaveFor(timeMs: number): void {
    const { scheduler } = this.network;
    const keep = () => {
      this.process.stalledUntilMs = scheduler.nowMs + timeMs;
      scheduler.after(timeMs, 'page shown', show, this.process);
    };
    const show = () => this.setHidden(false);
    this.setHidden(true, () => scheduler.after(1, 'page kept', keep));
  }

  /** A tab that is closed is hidden first; one that crashes is not. */
  close(isCrash: boolean): void {
    if (!isCrash) {
      const { scheduler } = this.network;
      this.setHidden(true, () => scheduler.after(1, 'tab closed', () => this.close(true)));
      return;
    }
    this.process.isDead = true;
    this.network.hangUp(this.process);
  }
}

/** The tab of each process that is one. */
export const tabs = new WeakMap<object, SimulatedTab>();
