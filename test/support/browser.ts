import { afterAll, afterEach, describe } from 'bun:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { explainMissingChromium, findChromium } from './chromium.ts';

/** A page that was opened, and what happened in it that should not have. */
export interface OpenedPage {
  readonly page: Page;
  /** What the console was told as an error, what its security policy forbade included. */
  readonly consoleErrors: readonly string[];
  /** Errors that nobody caught. */
  readonly pageErrors: readonly string[];
  /** Addresses outside the service that something was asked of. */
  readonly foreignRequests: readonly string[];
  /** Every address that something was asked of. */
  readonly requests: readonly string[];
}

const executablePath = findChromium();
if (!executablePath) {
  console.warn(`The browser tests are skipped, for want of Chromium: ${explainMissingChromium()}.`);
}

/** Tests that need a browser: skipped where there is none. What a test opens closes with it. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (!executablePath) {
    describe.skip(title, tests);
    return;
  }
  describe(title, () => {
    afterEach(async () => {
      for (const context of (await browser)?.contexts() ?? []) await context.close();
    });
    afterAll(closeBrowser);
    tests();
  });
}

let browser: Promise<Browser> | undefined;

/** One Chromium for the tests of a file. */
export function getBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    ...(executablePath && { executablePath }),
    args: [`--disable-features=${[...ADDRESS_BAR_FEATURES, ...PLAYWRIGHT_FEATURES].join()}`],
  });
  return browser;
}

/** Pages of its own that Chromium loads for every visitor, which takes longer than ours do. */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright turns off and tests could notice: of two such lists only the last one counts. */
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

/** Opens an address as a visitor who comes for the first time. */
export async function openPage(
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await (await getBrowser()).newContext(options);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const visited = recordActivity(page, new URL(address).origin);
  await page.goto(address);
  return visited;
}

/** Goes from one thing to the next with the Tab key until the wanted one is reached. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let steps = 0; steps < 200; steps++) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${wanted}`);
}

function recordActivity(page: Page, origin: string): OpenedPage {
  const consoleErrors: string[] = [];
  const pageErrors: string[] = [];
  const requests: string[] = [];
  const foreignRequests: string[] = [];
  const asked = (address: string) => {
    requests.push(address);
    const { protocol, origin: to } = new URL(address);
    if (!/^(data|blob):$/.test(protocol) && to !== origin) foreignRequests.push(address);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('request', (request) => asked(request.url()));
  page.on('websocket', (socket) => asked(socket.url()));
  return { page, consoleErrors, pageErrors, foreignRequests, requests };
}

async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
