// Makes a clone ready to run: installs what is missing, once, and says what it does. With `--dev`,
// also what the tests need.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modules = findModules();
const lockfile = join(root, 'package-lock.json');
// npm writes its own copy of the lockfile last, so an install that was cut off has none.
const installedLockfile = join(modules, '.package-lock.json');
const bun = join(modules, '.bin', 'bun');
const needsDev = process.argv.includes('--dev');

if (!isInstalled() || !isBunWorking()) await withSetupLock(install);

/** Where a project installed it as a package, npm puts what it needs beside it. */
function findModules() {
  const own = join(root, 'node_modules');
  const isPackage = basename(dirname(root)) === 'node_modules';
  return isPackage && !existsSync(join(own, 'bun')) ? dirname(root) : own;
}

/** A package that was made by npm pack has no lockfile: npm has installed what it needs. */
function isInstalled() {
  if (!existsSync(lockfile)) return true;
  return changedAt(installedLockfile) >= changedAt(lockfile) && (!needsDev || hasDev());
}

function install() {
  // Another process may have done it meanwhile.
  if (!isInstalled()) {
    const omit = needsDev || hasDev() ? [] : ['--omit=dev'];
    // A complete install is only added to, since a server may be running from it.
    const command = existsSync(installedLockfile) ? ['install', '--no-save'] : ['ci'];
    say(`installing what is missing (npm ${[command[0], ...omit].join(' ')}), once`);
    // If this is interrupted, the next install is a clean one; if npm fails, it restores the old.
    const saved = `${installedLockfile}.saved`;
    if (command[0] === 'install') renameSync(installedLockfile, saved);
    run('npm', [...command, ...omit, '--no-audit', '--no-fund', '--loglevel=error'], () => {
      if (existsSync(saved)) renameSync(saved, installedLockfile);
    });
    rmSync(saved, { force: true });
  }
  // Where npm does not run install scripts, Bun is only half installed.
  if (!isBunWorking()) {
    say("finishing Bun's own install");
    run(process.execPath, [join(modules, 'bun', 'install.js')]);
    run(bun, ['--version']);
  }
}

/** Whether the development dependencies are installed; they are never removed. */
function hasDev() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(devDependencies).every((name) => existsSync(join(modules, name)));
}

function isBunWorking() {
  return spawnSync(bun, ['--version']).status === 0;
}

/** Two installs at once would damage each other: one of them waits for the other's lock file. */
async function withSetupLock(callback) {
  const lock = join(root, '.setup-lock');
  const owner = String(process.pid);
  for (let isReported = false; ; await sleep(200)) {
    if (createFile(lock, owner)) {
      await sleep(100);
      // Whoever found the same abandoned lock may have removed this one.
      if (readLock(lock) === owner) break;
    }
    const other = readLock(lock);
    // In a container, a process often gets the id of one that was killed before.
    const isAbandoned = other === owner || (other && !isRunning(Number(other)));
    if (isAbandoned) rmSync(lock, { force: true });
    else if (!isReported) {
      say(`waiting for the set-up of process ${other}; if there is none, remove ${lock}`);
      isReported = true;
    }
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  callback();
}

/** Creates a file that has its content from the start; false where there is one. */
function createFile(path, content) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (cause) {
    if (cause.code === 'EEXIST') return false;
    throw cause;
  } finally {
    rmSync(draft);
  }
}

function readLock(lock) {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // Of another user.
    return cause.code === 'EPERM';
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command, args, restore = () => {}) {
  // Standard output belongs to the command that needed this set-up.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  restore();
  say(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
  process.exit(1);
}

function say(what) {
  process.stderr.write(`set-up: ${what}\n`);
}
