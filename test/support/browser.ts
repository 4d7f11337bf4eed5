import { afterEach, describe, expect } from 'bun:test';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { chromium } from 'playwright-core';
import { explainMissingChromium, findChromium } from './chromium.ts';

/** What happened in a page. */
export interface PageActivity {
  /** Includes violations of the content security policy. */
  readonly consoleErrors: string[];
  readonly uncaughtErrors: string[];
  readonly requests: string[];
  /** Requests to other servers. */
  readonly foreignRequests: string[];
  readonly pendingRequests: Set<Request>;
  allowedErrors: RegExp | undefined;
}

const executablePath = findChromium();
if (!executablePath) {
  console.warn(`The browser tests are skipped, without Chromium: ${explainMissingChromium()}.`);
}

/**
 * Tests in a browser, skipped where there is none. A test fails if one of its pages logs an error or
 * sends a request elsewhere; then its pages are closed.
 */
export function describeInBrowser(title: string, tests: () => void): void {
  if (!executablePath) {
    describe.skip(title, tests);
    return;
  }
  describe(title, () => {
    afterEach(async () => {
      const [pages, activities] = [[...activityByPage.keys()], [...activityByPage.values()]];
      activityByPage.clear();
      // A response that a test alters may still be on its way.
      for (const page of pages)
        if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const context of (await browser)?.contexts() ?? []) await context.close();
      for (const { consoleErrors, allowedErrors, ...activity } of activities) {
        expect(activity.uncaughtErrors).toEqual([]);
        expect(consoleErrors.filter((error) => !allowedErrors?.test(error))).toEqual([]);
        expect(activity.foreignRequests).toEqual([]);
      }
    });
    tests();
  });
}

const activityByPage = new Map<Page, PageActivity>();

/** What has happened in a page that `openPage` opened. */
export function getActivity(page: Page): PageActivity {
  const activity = activityByPage.get(page);
  if (!activity) throw new Error('the page was not opened by openPage');
  return activity;
}

/** Whether a page that `openPage` opened still waits for a response. */
export function isWaitingForResponse(page: Page): boolean {
  return (activityByPage.get(page)?.pendingRequests.size ?? 0) > 0;
}

/** Allows errors in the console: browsers log every request that fails. */
export function allowErrors(page: Page, pattern: RegExp): void {
  getActivity(page).allowedErrors = pattern;
}

let browser: Promise<Browser> | undefined;

/** One Chromium for all tests of a process, with which it ends. */
export function getBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    ...(executablePath && { executablePath }),
    args: [`--disable-features=${[...ADDRESS_BAR_FEATURES, ...PLAYWRIGHT_FEATURES].join()}`],
  });
  return browser;
}

/** Pages that Chromium itself loads in every context, which takes longer than ours. */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright disables and tests could notice: only the last `--disable-features` counts. */
const PLAYWRIGHT_FEATURES = [
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/** Opens a URL in a new browser context, without cookies or storage. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openBlankPage(url, options);
  await page.goto(url);
  return page;
}

/** An empty page in a new browser context, for what a server sends that is at this URL. */
export async function openBlankPage(
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await (await getBrowser()).newContext(options);
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  activityByPage.set(page, recordActivity(page, new URL(url).origin));
  return page;
}

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 200; presses++) {
    if (await target.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${target}`);
}

function recordActivity(page: Page, ownOrigin: string): PageActivity {
  const activity: PageActivity = {
    consoleErrors: [],
    uncaughtErrors: [],
    requests: [],
    foreignRequests: [],
    pendingRequests: new Set(),
    allowedErrors: undefined,
  };
  const recordRequest = (url: string) => {
    activity.requests.push(url);
    const { protocol, origin } = new URL(url);
    if (!/^(data|blob):$/.test(protocol) && origin !== ownOrigin) {
      activity.foreignRequests.push(url);
    }
  };
  page.on('console', (message) => {
    if (message.type() === 'error') activity.consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => activity.uncaughtErrors.push(error.message));
  page.on('request', (request) => {
    recordRequest(request.url());
    // The stream of events ends with the page.
    if (!request.url().endsWith('/events')) activity.pendingRequests.add(request);
  });
  page.on('requestfinished', (request) => activity.pendingRequests.delete(request));
  page.on('requestfailed', (request) => activity.pendingRequests.delete(request));
  page.on('websocket', (socket) => recordRequest(socket.url()));
  return activity;
}
