import type { Part, World } from '../world.ts';
import { Network } from './network.ts';
import { SimulatedPage } from './page.ts';
import { SimulatedTab } from './tab.ts';
import { TabChecks } from './tab-checks.ts';
import { checkTabsAtEnd } from './tab-end.ts';
import { replaceTimers } from './tab-timers.ts';

/** Later than any publication: shows what is current, by another client. */
const FUTURE = '2150-01-01T00:00:00Z';

/** The tabs of one browser, which show the explorer. */
export class Tabs implements Part {
  readonly network: Network;
  readonly checks: TabChecks;
  readonly pages: SimulatedPage[] = [];
  /** How many requests there were before a page began to poll, by its process. */
  readonly #started = new Map<object, number>();
  readonly #token: string;
  #count = 0;

  constructor(readonly world: World) {
    const { scheduler, servers, options, tokens } = world;
    if (options.hasTabs) replaceTimers(scheduler);
    this.network = new Network(scheduler, (request) => {
      // Otherwise servers log ids of their own, which differ from process to process.
      request.headers.set('X-Request-Id', `request-${world.nextRequestId++}`);
      return scheduler.random.pick(servers).fetch(request);
    });
    this.checks = new TabChecks(world, this.network);
    this.#token = tokens.create({ scopes: ['quotes', 'alternate'] }).secret;
    this.network.onRequest = (exchange) =>
      this.checks.checkRequest(exchange, this.#started.get(exchange.page) ?? 0);
  }

  get openPages(): readonly SimulatedPage[] {
    return this.pages.filter(({ tab }) => tab.isOpen);
  }

  /** By its place among the open tabs, so that a plan makes sense with fewer steps. */
  find(index: number): SimulatedPage | undefined {
    const { openPages } = this;
    return openPages[index % openPages.length];
  }

  open(isAsOf: boolean): void {
    const { scheduler } = this.world;
    const tab = new SimulatedTab(this.network, `tab${++this.#count}`);
    this.#started.set(tab.process, this.network.count);
    const onShown = (page: SimulatedPage) => this.checks.checkShown(page);
    const asOf = isAsOf ? FUTURE : undefined;
    const onRejected = (page: SimulatedPage) => this.checks.checkRejected(page);
    const createPage = () => new SimulatedPage(tab, this.#token, asOf, onShown, onRejected);
    const page = scheduler.runAs(tab.process, createPage);
    tab.onShown = () => this.checks.expectPoll(page);
    this.pages.push(page);
  }

  changeInstant(page: SimulatedPage): void {
    const { scheduler } = this.world;
    const { process } = page.tab;
    this.#started.set(process, this.network.count);
    scheduler.runAs(process, () => page.setAsOf(page.api.asOf ? undefined : FUTURE));
  }

  /** The machine of the browser sleeps; its connections break. */
  suspend(forMs: number): void {
    const untilMs = this.world.scheduler.nowMs + forMs;
    for (const { tab } of this.openPages) {
      tab.process.stalledUntilMs = Math.max(tab.process.stalledUntilMs, untilMs);
      this.network.hangUp(tab.process);
    }
  }

  heal(): void {
    this.network.endFaults();
    for (const { tab } of this.openPages) tab.timersHeldUntilMs = 0;
  }

  check(): void {
    if (this.world.options.hasTabs) checkTabsAtEnd(this);
    this.checks.checkPending();
  }
}
