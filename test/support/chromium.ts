import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The Chromium to test with: that of `CHROMIUM_PATH`, or the first that is installed. */
export function findChromium(): string | undefined {
  const path = process.env.CHROMIUM_PATH;
  if (path) return existsSync(path) ? path : undefined;
  const command = [HEADLESS_SHELL, ...BROWSERS].find((name) => Bun.which(name));
  return command ? (Bun.which(command) ?? undefined) : MAC_APPS.find((app) => existsSync(app));
}

/** Why there is no Chromium to test with. */
export function explainMissingChromium(): string {
  const path = process.env.CHROMIUM_PATH;
  if (path) return `CHROMIUM_PATH names ${path}, which does not exist`;
  return existsSync(FAILURE_FILE) ? readFileSync(FAILURE_FILE, 'utf8') : 'none is installed';
}

/** Installs headless Chromium where that is simple; tries only once. */
export function installChromium(): void {
  if (process.env.CHROMIUM_PATH || Bun.which(HEADLESS_SHELL) || existsSync(FAILURE_FILE)) return;
  const failure = installWithAptGet();
  if (!failure) return;
  mkdirSync(dirname(FAILURE_FILE), { recursive: true });
  writeFileSync(FAILURE_FILE, failure);
}

/** Opens pages in about half the CPU time of a browser with windows. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Why the one attempt to install it failed. `npm ci` removes the file with the packages. */
const FAILURE_FILE = join(import.meta.dirname, '../../node_modules/.cache/tenor/no-chromium');

const DOWNLOAD_TIMEOUT_MS = 180_000;
const INSTALL_TIMEOUT_MS = 300_000;

/** Returns why that does not work. */
function installWithAptGet(): string | undefined {
  if (!Bun.which('apt-get')) return 'none is installed';
  if (process.getuid?.() !== 0) return 'none is installed, and only root could install it';
  process.stderr.write('set-up: installing Chromium for the browser tests (apt-get), once\n');
  // It fails when any package source fails, even one that is not needed.
  runAptGet(['update', '-qq'], DOWNLOAD_TIMEOUT_MS);
  // Distributions without the headless shell may have the browser.
  const packages = findChromium() ? [HEADLESS_SHELL] : [HEADLESS_SHELL, 'chromium'];
  return packages.some(installPackage)
    ? undefined
    : 'none is installed, and apt-get could not install it';
}

function installPackage(name: string): boolean {
  const args = ['install', '-y', '-qq', '--no-install-recommends', name];
  // A download can be cut off without harm; unpacking gets more time.
  return (
    runAptGet([...args, '--download-only'], DOWNLOAD_TIMEOUT_MS) &&
    runAptGet(args, INSTALL_TIMEOUT_MS) &&
    Bun.which(name) !== null
  );
}

function runAptGet(args: readonly string[], timeout: number): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { timeout, env, stdio: 'ignore' }).status === 0;
}
