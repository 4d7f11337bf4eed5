import type { Exchange } from './network.ts';
import type { Tabs } from './tabs.ts';

/** A stream that breaks off silently is given up after 45 s, and a request after 20 s. */
const RECOVERY_MS = 75_000;
/** A service that refused its events is asked again after 60 s. */
const STREAM_MS = 130_000;
/** With a stream, a revision is shown in about a second; without, after the next poll. */
const [EVENT_BOUND_MS, POLL_BOUND_MS] = [2_500, 7_000];
/** A revision that the service has not got is asked for four times. */
const LOST_REVISION_MS = 12_000;
/** A tab polls until it hears that another one listens, by the next comment of the stream at last. */
const COMMENT_MS = 16_000;
/** A tab that may listen is told so in no time. */
const TURN_MS = 1_000;
/** A stream that is silent for 45 s counts as lost: then all tabs poll. */
const SILENCE_MS = 45_000;
/** How many tabs open while a revision is published. */
const OPENED_TABS = 3;
/** The network of the last checks is slower, within what the bounds allow. */
const SLOW_MS = 300;

/** After all faults: every tab catches up, hears of what is published, and then asks for nothing. */
export function checkTabsAtEnd(tabs: Tabs): void {
  const { failures } = tabs.world;
  for (const check of [checkRecovery, checkEvents, checkIdle, checkLoss, checkTurn, checkCrash]) {
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
  const isPending = ({ isStream, startMs }: Exchange) => !isStream && startMs < healedMs;
  while ([...tabs.network.exchanges].some(isPending) && tabs.world.failures.length === 0) {
    scheduler.runUntil(scheduler.nowMs + 1_000);
    tabs.checks.checkPending();
  }
}

/** With a stream, a revision is shown at once, by tabs too that open meanwhile. */
function checkEvents(tabs: Tabs): void {
  const { world, network, browser } = tabs;
  const { scheduler } = world;
  tabs.open(false);
  const deadlineMs = scheduler.nowMs + STREAM_MS;
  while (!findStream(tabs) && scheduler.nowMs < deadlineMs)
    scheduler.runUntil(scheduler.nowMs + 500);
  if (!findStream(tabs)) world.fail('a tab listens', `none does after ${STREAM_MS} ms`);
  waitUntilShown(tabs, 'tabs recover', POLL_BOUND_MS);
  network.faults.maxDelayMs = SLOW_MS;
  publish(tabs, 4);
  for (let count = 0; count < OPENED_TABS; count++)
    scheduler.after(scheduler.random.between(0, 600), 'opened', () => tabs.open(false));
  scheduler.runUntil(scheduler.nowMs + 600);
  // Where the focus decides, the stream moves to the tab that was opened. A server of its own, or of
  // a database, may be late.
  const isAtOnce =
    browser.hasLocks && world.servers.length === 1 && world.options.engine === 'file';
  // A tab that opened while the database was replaced may have seen a revision that is gone.
  const lostMs = world.database.isReplacedSince(0) ? LOST_REVISION_MS : 0;
  const boundMs = lostMs + (isAtOnce ? EVENT_BOUND_MS : POLL_BOUND_MS);
  waitUntilShown(tabs, 'revisions are shown at once', boundMs);
  network.faults.maxDelayMs = 0;
}

/** Where a tab listens, none asks for anything, once each has heard of it. */
function checkIdle({ world, checks }: Tabs): void {
  const { scheduler } = world;
  const deadlineMs = scheduler.nowMs + COMMENT_MS + POLL_BOUND_MS;
  for (;;) {
    const { requestCount } = checks;
    scheduler.runUntil(scheduler.nowMs + POLL_BOUND_MS);
    if (requestCount === checks.requestCount) return;
    if (scheduler.nowMs > deadlineMs) break;
  }
  world.fail('idle tabs ask for nothing', `${checks.requestCount} requests`);
}

/** Without a stream, all tabs poll from the next moment on. */
function checkLoss(tabs: Tabs): void {
  const { network, browser, world } = tabs;
  if (browser.hasLocks) {
    network.faults.hasEvents = false;
    network.breakStreams(true);
  } else tabs.focus(undefined);
  world.scheduler.runUntil(world.scheduler.nowMs + TURN_MS);
  publish(tabs, 5);
  waitUntilShown(tabs, 'tabs without events poll', POLL_BOUND_MS);
}

/** A tab that listens, or waits to do so again, lets the next one when it is hidden. */
function checkTurn(tabs: Tabs): void {
  const { network, browser, world } = tabs;
  const { scheduler } = world;
  const listener = tabs.openPages.find(({ tab }) => tab.process === network.lastStream?.page);
  if (!browser.hasLocks || !listener) return;
  listener.tab.setHidden(true);
  const { nowMs } = scheduler;
  scheduler.runUntil(nowMs + TURN_MS);
  const isTaken = (network.lastStream?.startMs ?? 0) > nowMs;
  const isWaiting = tabs.openPages.some(({ tab }) => tab.isOpen && !tab.isHidden());
  if (isWaiting && !isTaken) world.fail('the next tab listens', `${listener.tab.name} was hidden`);
}

/** Without locks, a tab that listened and crashed is missed when nothing is heard of it any more. */
function checkCrash(tabs: Tabs): void {
  const { network, browser, world } = tabs;
  if (browser.hasLocks) return;
  network.endFaults();
  tabs.open(false);
  world.scheduler.runUntil(world.scheduler.nowMs + POLL_BOUND_MS);
  tabs.pages.at(-1)?.tab.close(true);
  publish(tabs, 6);
  waitUntilShown(tabs, 'a crash is noticed', SILENCE_MS + POLL_BOUND_MS);
}

function findStream({ network }: Tabs): Exchange | undefined {
  return [...network.exchanges].find(({ isAlive }) => isAlive);
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
