// Makes a clone ready to run: installs what is missing, once, and says what it does.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'node_modules', '.tenor-ready');
const lockfile = readFileSync(join(root, 'package-lock.json'));
const wanted = createHash('sha256')
  .update(lockfile)
  .update(process.platform + process.arch);
const fingerprint = wanted.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint) {
  say('installing what is missing (npm ci), once');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  finishBun();
  writeFileSync(stamp, fingerprint);
}

/** Where npm was told not to run install scripts, Bun is only half installed. */
function finishBun() {
  const bun = join(root, 'node_modules', '.bin', 'bun');
  if (spawnSync(bun, ['--version']).status === 0) return;
  say("finishing Bun's own install");
  run(process.execPath, [join(root, 'node_modules', 'bun', 'install.js')]);
  run(bun, ['--version']);
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
