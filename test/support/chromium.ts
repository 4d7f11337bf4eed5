// `npm test` runs this file first: it installs Chromium where that is simple, once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The Chromium to test with: the one that `CHROMIUM_PATH` names, or one under a usual name. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : undefined;
  const found = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  return found ?? MAC_APPS.find((path) => existsSync(path));
}

/** Why there is no Chromium to test with, in a few words. */
export function explainMissingChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named) return `CHROMIUM_PATH names ${named}, where there is none`;
  return existsSync(FAILURE_FILE) ? readFileSync(FAILURE_FILE, 'utf8') : 'none is installed';
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** What came of the one try to install it. It goes with the packages when they are put in anew. */
const FAILURE_FILE = join(import.meta.dirname, '../../node_modules/.cache/tenor/no-chromium');

const DOWNLOAD_TIMEOUT_MS = 180_000;
const INSTALL_TIMEOUT_MS = 300_000;

if (
  import.meta.main &&
  !findChromium() &&
  !process.env.CHROMIUM_PATH &&
  !existsSync(FAILURE_FILE)
) {
  const failure = install();
  if (failure) {
    mkdirSync(dirname(FAILURE_FILE), { recursive: true });
    writeFileSync(FAILURE_FILE, failure);
  }
}

/** Installs Debian's Chromium; tells why where that does not work. */
function install(): string | undefined {
  if (!Bun.which('apt-get')) return 'none is installed';
  if (process.getuid?.() !== 0) return 'none is installed, and only root could install it';
  process.stderr.write('set-up: installing Chromium for the browser tests (apt-get), once\n');
  const packages = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  // It fails where any source fails, be it one that is not needed.
  runAptGet(['update', '-qq'], DOWNLOAD_TIMEOUT_MS);
  // Fetching can be cut off without harm; unpacking is not cut off so lightly.
  const done =
    runAptGet([...packages, '--download-only'], DOWNLOAD_TIMEOUT_MS) &&
    runAptGet(packages, INSTALL_TIMEOUT_MS);
  return done && findChromium() ? undefined : 'none is installed, and apt-get could not install it';
}

function runAptGet(args: readonly string[], timeout: number): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { timeout, env, stdio: 'ignore' }).status === 0;
}
