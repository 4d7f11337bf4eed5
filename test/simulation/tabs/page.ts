import { ApiClient } from '../../../src/explorer/api/api-client.ts';
import {
  isTransient,
  type QueryFailure,
  toQueryFailure,
} from '../../../src/explorer/api/query-failure.ts';
import type { LoadedState } from '../../../src/explorer/api/read-state.ts';
import { mergePolledState, StatePoller } from '../../../src/explorer/api/state-poller.ts';
import type { ApiRequest, JsonRecord } from '../../../src/explorer/api/types.ts';
import { series } from '../model.ts';
import type { SimulatedTab } from './tab.ts';

/** What the page of a tab shows besides the number of the revision. */
interface ShownRecords {
  readonly revision: number;
  readonly records: readonly JsonRecord[];
  readonly requestedMs: number;
}

const REQUEST: ApiRequest = { path: series.paths[0], allPages: true };

/** The explorer in a tab, with one query, as its hooks run them. */
export class SimulatedPage {
  loaded: LoadedState | undefined;
  failure: QueryFailure | undefined;
  /** Those of the last query; marked as loading until it is repeated. */
  shown: ShownRecords | undefined;
  isLoading = true;
  /** When the last poll began that has ended. */
  polledMs = 0;
  #pollEndMs = 0;
  api: ApiClient;
  #poller: StatePoller;
  #query = new AbortController();
  #preloadedMs = 0;
  #isReporting = false;

  constructor(
    readonly tab: SimulatedTab,
    private readonly token: string,
    asOf: string | undefined,
    private readonly onShown: (page: SimulatedPage) => void,
    private readonly onRejected: (page: SimulatedPage) => void,
  ) {
    this.api = new ApiClient(tab, token, asOf);
    this.#poller = this.#start();
  }

  /** The visitor chooses another instant. */
  setAsOf(asOf: string | undefined): void {
    this.#poller.stop();
    this.api = new ApiClient(this.tab, this.token, asOf);
    this.#poller = this.#start();
  }

  get isPolling(): boolean {
    return this.#findPollStart() > this.#pollEndMs;
  }

  #findPollStart(): number {
    return this.tab.network.polledMs.get(this.tab.process) ?? 0;
  }

  get isCurrent(): boolean {
    return this.loaded?.api === this.api;
  }

  #start(): StatePoller {
    const { api } = this;
    this.#preloadedMs = this.tab.network.scheduler.nowMs;
    // Requested together with the catalogue, for the first query.
    api.read(REQUEST).catch(() => {});
    return new StatePoller(api, {
      onPolled: (polled, shouldRefresh) => {
        const previous = this.loaded;
        this.polledMs = this.#findPollStart();
        this.loaded = mergePolledState(previous, polled, shouldRefresh);
        if (this.loaded !== previous) this.#read(this.loaded);
        this.onShown(this);
      },
      // The last thing of every poll.
      onFailure: (failure) => {
        this.failure = failure;
        if (!this.#isReporting) this.#pollEndMs = this.tab.network.scheduler.nowMs;
      },
      onTokenRejected: () => {
        this.#poller.stop();
        this.onRejected(this);
      },
    });
  }

  #read({ api }: LoadedState): void {
    this.#query.abort();
    this.#query = new AbortController();
    const { signal } = this.#query;
    this.isLoading = true;
    const requestedMs = this.#preloadedMs || this.tab.network.scheduler.nowMs;
    this.#preloadedMs = 0;
    api.read<readonly JsonRecord[]>(REQUEST).then(
      ({ data, meta }) => {
        if (signal.aborted) return;
        this.shown = { revision: meta.revision ?? 0, records: data, requestedMs };
        this.isLoading = false;
        this.onShown(this);
      },
      (cause) => {
        if (signal.aborted) return;
        const failure = toQueryFailure(cause);
        if (isTransient(failure)) return this.#report(failure);
        this.isLoading = false;
        this.shown = undefined;
      },
    );
  }

  #report(failure: QueryFailure): void {
    this.#isReporting = true;
    this.#poller.reportFailure(failure);
    this.#isReporting = false;
  }
}
