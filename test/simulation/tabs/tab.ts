import type { Tab, TabEvent } from '../../../src/explorer/api/tab.ts';
import { createProcess } from '../scheduler.ts';
import type { PageProcess, SimulatedBrowser } from './browser.ts';

export const BASE_URL = new URL('https://tenor.example/');

/** A tab of a browser, which the visitor shows, hides, leaves and closes. */
export class SimulatedTab implements Tab {
  readonly baseUrl = BASE_URL;
  readonly process: PageProcess;
  readonly locks: Tab['locks'];
  /** Until then its timers do not fire, as those of tabs that are hidden for long. */
  timersHeldUntilMs = 0;
  /** Called when it is shown again. */
  onShown: () => void = () => {};
  #isHidden = false;
  #hasFocus = false;
  readonly #listeners = new Map<TabEvent, Set<() => void>>();

  constructor(
    readonly browser: SimulatedBrowser,
    readonly name: string,
  ) {
    this.process = { ...createProcess(name), isCached: false };
    if (browser.hasLocks)
      this.locks = {
        request: (lock, { signal }, hold) => browser.requestLock(this.process, lock, signal, hold),
      };
    tabs.set(this.process, this);
  }

  get isOpen(): boolean {
    return !this.process.isDead;
  }

  readonly fetch = (url: string, init: RequestInit) =>
    this.browser.network.fetch(this.process, url, init);

  isHidden(): boolean {
    return this.#isHidden;
  }

  hasFocus(): boolean {
    return this.#hasFocus;
  }

  addEventListener(
    type: TabEvent,
    listener: () => void,
    { signal }: { signal: AbortSignal },
  ): void {
    if (signal.aborted) return;
    const listeners = this.#listeners.getOrInsertComputed(type, () => new Set());
    listeners.add(listener);
    signal.addEventListener('abort', () => listeners.delete(listener));
  }

  openChannel(name: string) {
    return this.browser.openChannel(this.process, name);
  }

  setHidden(isHidden: boolean, onChanged?: () => void): void {
    const change = () => {
      if (this.#isHidden === isHidden) return false;
      this.#isHidden = isHidden;
      if (!isHidden) this.onShown();
      return true;
    };
    this.#tell('visibilitychange', change, onChanged);
  }

  setFocus(hasFocus: boolean): void {
    this.#tell(hasFocus ? 'focus' : 'blur', () => {
      if (this.#hasFocus === hasFocus) return false;
      this.#hasFocus = hasFocus;
      return true;
    });
  }

  /** The visitor looks at another tab a few times, each time for a while. */
  glanceAway(times: number, forMs: number): void {
    const { scheduler } = this.browser;
    for (let count = 0; count < times; count++) {
      scheduler.after(2 * count * forMs, 'hidden', () => this.setHidden(true));
      scheduler.after((2 * count + 1) * forMs, 'shown', () => this.setHidden(false));
    }
  }

  /** The visitor follows a link elsewhere, and comes back after a time: the page is kept meanwhile. */
  leaveFor(timeMs: number): void {
    const { scheduler } = this.browser;
    const keep = () => {
      this.process.isCached = true;
      this.process.stalledUntilMs = scheduler.nowMs + timeMs;
      scheduler.after(timeMs, 'page shown', show, this.process);
    };
    const show = () => {
      this.process.isCached = false;
      this.setHidden(false);
    };
    this.setHidden(true, () => scheduler.after(1, 'page kept', keep));
  }

  /** A tab that is closed is hidden first; one that crashes is not. */
  close(isCrash: boolean): void {
    if (!isCrash && !this.process.isCached) {
      const { scheduler } = this.browser;
      this.setHidden(true, () => scheduler.after(1, 'tab closed', () => this.close(true)));
      return;
    }
    this.process.isDead = true;
    this.browser.removePage(this.process);
  }

  #tell(type: TabEvent, change: () => boolean, onChanged?: () => void): void {
    const dispatch = () => {
      const listeners = change() ? (this.#listeners.get(type) ?? []) : [];
      for (const listener of [...listeners]) listener();
      onChanged?.();
    };
    this.browser.scheduler.after(0, type, dispatch, this.process);
  }
}

/** The tab of each process that is one. */
export const tabs = new WeakMap<object, SimulatedTab>();
