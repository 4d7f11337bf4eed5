// `npm test`: all tests, those of the paths that are named, or (`npm test -- unit`) the fast ones.
import { spawnSync } from 'node:child_process';
import { installChromium } from './support/chromium.ts';

/** Tests that start no server, browser or process. */
const UNIT_TESTS = [
  ...['bench', 'bonds', 'catalogue', 'explorer', 'formats', 'publish', 'sample', 'shared'],
  ...['tabular', 'tokens'],
  ...['architecture', 'settings'].map((name) => `${name}.test.ts`),
].map((name) => `test/${name}`);

const args = process.argv.slice(2);
const isUnit = args.includes('unit');
if (!isUnit) installChromium();
// Five processes keep two cores busy while tests wait. Without isolation, the files of a process
// share one PostgreSQL server and one browser.
const options = ['--parallel=5', '--no-isolate', '--timeout', '60000'];
const paths = args.flatMap((arg) => (arg === 'unit' ? UNIT_TESTS : [arg]));
const { status } = spawnSync(process.execPath, ['test', ...options, ...paths], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
