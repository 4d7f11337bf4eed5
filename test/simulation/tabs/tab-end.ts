import type { Exchange } from './network.ts';
import type { Tabs } from './tabs.ts';

/** A request is given up after 20 s, and a page then polls again. */
const RECOVERY_MS = 75_000;
/** A revision is shown after the next poll. */
const POLL_BOUND_MS = 7_000;
/** A revision that the service has not got is asked for four times. */
const LOST_REVISION_MS = 12_000;
/** How many tabs open while a revision is published. */
const OPENED_TABS = 3;
/** The network of the last checks is slower, within what the bounds allow. */
const SLOW_MS = 300;

/** After all faults: every tab catches up, shows what is published, and then reads nothing. */
export function checkTabsAtEnd(tabs: Tabs): void {
  const { failures } = tabs.world;
  for (const check of [checkRecovery, checkPublication, checkIdle]) {
    check(tabs);
    if (failures.length > 0) return;
  }
}

/** Every visible tab shows the newest revision, whether one is published now or not. */
function checkRecovery(tabs: Tabs): void {
  const { scheduler, clockChangeMs } = tabs.world;
  // A machine may still sleep, and a page be kept.
  const getAwakeMs = () =>
    Math.max(0, ...tabs.openPages.map(({ tab }) => tab.process.stalledUntilMs));
  while (getAwakeMs() > scheduler.nowMs) scheduler.runUntil(getAwakeMs() + 2);
  const healedMs = scheduler.nowMs;
  if (scheduler.random.isLikely(0.5)) publish(tabs, 3);
  waitUntilShown(tabs, 'tabs recover', RECOVERY_MS + clockChangeMs);
  // Requests that were sent into an outage are given up in their time.
  const isPending = ({ startMs }: Exchange) => startMs < healedMs;
  while ([...tabs.network.exchanges].some(isPending) && tabs.world.failures.length === 0) {
    scheduler.runUntil(scheduler.nowMs + 1_000);
    tabs.checks.checkPending();
  }
}

/** A revision is shown by the next poll, by tabs too that open meanwhile. */
function checkPublication(tabs: Tabs): void {
  const { world, network } = tabs;
  const { scheduler } = world;
  tabs.open(false);
  waitUntilShown(tabs, 'tabs recover', POLL_BOUND_MS);
  network.faults.maxDelayMs = SLOW_MS;
  publish(tabs, 4);
  for (let count = 0; count < OPENED_TABS; count++)
    scheduler.after(scheduler.random.between(0, 600), 'opened', () => tabs.open(false));
  scheduler.runUntil(scheduler.nowMs + 600);
  // A tab that opened while the database was replaced may have seen a revision that is gone.
  const lostMs = world.database.isReplacedSince(0) ? LOST_REVISION_MS : 0;
  waitUntilShown(tabs, 'revisions are shown', lostMs + POLL_BOUND_MS);
  network.faults.maxDelayMs = 0;
}

/** While nothing is published, tabs ask for nothing that draws on the rate of the token. */
function checkIdle({ world, checks }: Tabs): void {
  const { scheduler } = world;
  const deadlineMs = scheduler.nowMs + 3 * POLL_BOUND_MS;
  for (;;) {
    const { chargedCount } = checks;
    scheduler.runUntil(scheduler.nowMs + POLL_BOUND_MS);
    if (chargedCount === checks.chargedCount) return;
    if (scheduler.nowMs > deadlineMs) break;
  }
  world.fail('idle tabs read nothing', `${checks.chargedCount} requests`);
}

function publish({ world }: Tabs, slot: number): void {
  world.database.publish({ dataset: 'series', put: [{ slot }], retired: [] });
}

function waitUntilShown({ world, checks, ...tabs }: Tabs, property: string, boundMs: number): void {
  const { scheduler, failures } = world;
  const deadlineMs = scheduler.nowMs + boundMs;
  const findDelay = () => tabs.pages.map((page) => checks.findDelay(page)).find(Boolean);
  scheduler.runUntil(scheduler.nowMs + 400);
  while (findDelay() && scheduler.nowMs < deadlineMs && failures.length === 0)
    scheduler.runUntil(Math.min(deadlineMs, scheduler.nowMs + 250));
  const delay = findDelay();
  if (delay) world.fail(property, `${boundMs} ms are over: ${delay}`);
}
