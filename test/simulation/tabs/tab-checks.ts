import type { LoadedState } from '../../../src/explorer/api/read-state.ts';
import type { Model } from '../model.ts';
import type { World } from '../world.ts';
import type { Exchange, Network } from './network.ts';
import type { SimulatedPage } from './page.ts';

/** The client gives a request up after 20 seconds. */
const MAX_REQUEST_MS = 20_500;
/** A tab that is to poll at once does so within this time, also where its timers were held back. */
const AT_ONCE_MS = 1_500;
const CHECKPOINT_PATH = '/ledger/checkpoint';

interface LastShown {
  readonly api: SimulatedPage['api'];
  readonly revision: number;
  readonly polledMs: number;
}

/** What must hold for whatever tabs show and request. */
export class TabChecks {
  /** Requests since the start that draw on the rate of the token. */
  chargedCount = 0;
  readonly #lastShown = new WeakMap<SimulatedPage, LastShown>();
  /** When each tab was last shown after it was hidden. */
  readonly #shownMs = new WeakMap<SimulatedPage, number>();

  constructor(
    private readonly world: World,
    private readonly network: Network,
  ) {}

  /** Called when a page shows something. */
  checkShown(page: SimulatedPage): void {
    const { loaded, tab, polledMs } = page;
    if (!loaded) return;
    const { revision, revisions, api } = loaded;
    const { scheduler } = this.world;
    scheduler.note(() => `shows ${revision}, records of ${page.shown?.revision}`);
    this.#checkOrder(page, loaded);
    this.#lastShown.set(page, { api, revision, polledMs });
    const isReplaced = this.world.database.isReplacedSince(polledMs);
    if ((revisions[0]?.revision ?? 0) < revision && !isReplaced)
      this.#fail('the ledger is that of the revision', `${tab.name} lacks revision ${revision}`);
    this.#checkRecords(page, revision);
  }

  /** Called when a tab is shown: it polls at once, or when the poll that is under way has ended. */
  expectPoll(page: SimulatedPage): void {
    const { scheduler } = this.world;
    const { tab } = page;
    const shownMs = scheduler.nowMs;
    this.#shownMs.set(page, shownMs);
    let wasPolling = true;
    const check = () => {
      // It may have been hidden meanwhile.
      if (tab.isHidden() || this.#shownMs.get(page) !== shownMs) return;
      if ((this.network.polledMs.get(tab.process) ?? 0) >= shownMs) return;
      const isBusy = page.isPolling || tab.timersHeldUntilMs > scheduler.nowMs;
      if (isBusy || wasPolling) scheduler.after(AT_ONCE_MS, 'shown', check, tab.process);
      else this.#fail('a tab that is shown polls at once', `${tab.name} did not since ${shownMs}`);
      wasPolling = isBusy;
    };
    scheduler.after(AT_ONCE_MS, 'shown', check, tab.process);
  }

  /** Called when a page sends a request. */
  checkRequest(request: Exchange, pageStart: number): void {
    const { path, page } = request;
    this.world.scheduler.note(() => `requests ${path}`);
    if (path !== CHECKPOINT_PATH) this.chargedCount++;
    if (path !== CHECKPOINT_PATH && path !== '/catalogue') return;
    for (const other of this.network.exchanges)
      if (
        other !== request &&
        other.path === path &&
        other.page === page &&
        other.number >= pageStart
      )
        this.#fail('polls never overlap', page.name);
  }

  /** A valid token is rejected only where the service cannot read it; the visitor closes the tab. */
  checkRejected({ tab }: SimulatedPage): void {
    const { scheduler } = this.world;
    if (this.world.isCalm(scheduler.nowMs - MAX_REQUEST_MS, scheduler.nowMs))
      this.#fail('valid tokens are accepted', `that of ${tab.name} was not`);
    tab.close(true);
  }

  /** Requests that never end. */
  checkPending(): void {
    const { exchanges, scheduler } = this.network;
    for (const { path, page, startMs } of exchanges)
      if (scheduler.nowMs - startMs > MAX_REQUEST_MS)
        this.#fail('nothing waits for ever', `${path} of ${page.name} since ${startMs}`);
  }

  /** Why a visible tab does not show the newest revision, if so. */
  findDelay(page: SimulatedPage): string | undefined {
    const { loaded, shown, isLoading, failure, tab, isCurrent } = page;
    if (tab.isHidden() || !tab.isOpen) return undefined;
    const { newest } = this.world.database;
    const { revision } = newest;
    const state = `${tab.name} shows revision ${loaded?.revision}, records of ${shown?.revision}, not ${revision}`;
    if (failure) return `${state}: ${failure.message}`;
    if (!isCurrent || isLoading) return `${state}, and still loads`;
    if (loaded?.revision !== revision || shown?.revision !== revision) return state;
    return hasRecords(newest, shown.records) ? undefined : `${state}: those of another database`;
  }

  /** No page goes back, but to another database. */
  #checkOrder(page: SimulatedPage, { api, revision }: LoadedState): void {
    const last = this.#lastShown.get(page);
    if (!last || last.api !== api || revision >= last.revision) return;
    if (this.world.database.isReplacedSince(last.polledMs)) return;
    this.#fail('tabs never go back', `${page.tab.name} from ${last.revision} to ${revision}`);
  }

  /** Records that do not load any more are of the revision that is shown, or of a later one. */
  #checkRecords(page: SimulatedPage, revision: number): void {
    const { tab, shown, isLoading, polledMs } = page;
    if (!shown || isLoading) return;
    const { database, scheduler } = this.world;
    const { records, requestedMs } = shown;
    if (shown.revision < revision && !database.isReplacedSince(requestedMs))
      this.#fail(
        'records are of the revision',
        `${tab.name} shows those of ${shown.revision} as of ${revision}`,
      );
    // The last poll has not found another database since.
    const startedMs = Math.max(requestedMs, polledMs);
    const models = database.findModels(shown.revision, startedMs, scheduler.nowMs);
    if (!models.some((model) => hasRecords(model, records)))
      this.#fail(
        'records are of the revision',
        `${tab.name} shows what ${shown.revision} does not have`,
      );
  }

  #fail(property: string, message: string): void {
    this.world.fail(property, message);
  }
}

function hasRecords(model: Model, records: readonly unknown[]): boolean {
  const expected = model.list('series').map((text) => JSON.parse(text));
  return Bun.deepEquals(expected, records);
}
