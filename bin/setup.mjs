// Makes a clone ready to run: installs what is missing, once, and says what it does.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const bun = join(modules, '.bin', 'bun');

// npm writes its own copy of the lockfile last, so an install that was cut off has none.
if (changedAt(join(modules, '.package-lock.json')) < changedAt(join(root, 'package-lock.json'))) {
  say('installing what is missing (npm ci), once');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

// Where npm was told not to run install scripts, Bun is only half installed.
if (spawnSync(bun, ['--version']).status !== 0) {
  say("finishing Bun's own install");
  run(process.execPath, [join(modules, 'bun', 'install.js')]);
  run(bun, ['--version']);
}

function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command, args) {
  // Standard output belongs to the command that needed this set-up.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  say(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
  process.exit(1);
}

function say(what) {
  process.stderr.write(`set-up: ${what}\n`);
}
