import { afterEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublishingWorkspace, ONLINE } from '../../cli/publishing-workspace.ts';
import { retryUntil } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { COMMAND, ROOT } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';

const { workspace, run, readJson, writeYears, publish } = createPublishingWorkspace();
const children: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await child.exited;
  }
});

const testFull = test.skipIf(!existsSync('/dev/full'));
const EXIT_AS_FIRST = `exit "\${PIPESTATUS[0]}"`;
const QUOTED = COMMAND.map((word) => `'${word}'`).join(' ');

/** Runs a line of bash in which `tenor` is the command. */
function spawnShell(line: string, settings: Record<string, string> = {}) {
  const script = `tenor() { ${QUOTED} "$@"; }; ${line}`;
  const env = { ...process.env, ...workspace.env, ...settings };
  return spawnChild(['bash', '-c', script], { cwd: ROOT, env, stdout: 'pipe', stderr: 'pipe' });
}

async function runShell(line: string) {
  const child = spawnShell(line);
  const err = await new Response(child.stderr).text();
  return { status: await child.exited, err };
}

testFull(
  'a load that published says so by status 0 and on standard error, with standard output full',
  async () => {
    const file = writeYears('a.csv', { 2023: 5 });
    for (const [index, json] of ['', '--json'].entries()) {
      const { status, err } = await runShell(
        `tenor load ${ONLINE} ${writeYears(`${index}.csv`, { 2023: index })} ${json} > /dev/full`,
      );
      expect(err).toBe(
        `tenor: revision ${index + 1} was published, but standard output cannot be written: ENOSPC: no space left on device, write\n`,
      );
      expect(status).toBe(0);
    }
    const reverted = await runShell('tenor revert 2 > /dev/full');
    expect(reverted).toMatchObject({ status: 0 });
    expect(reverted.err).toStartWith('tenor: revision 3 was published, but');
    const dryRun = await runShell(`tenor load ${ONLINE} ${file} --dry-run > /dev/full`);
    expect(dryRun).toMatchObject({ status: 1 });
    expect(dryRun.err).toStartWith('tenor: cannot write to standard output');
    mkdirSync(join(workspace.folder, 'backups'));
    const copy = join(workspace.folder, 'backups', 'x.db');
    const backup = await runShell(`tenor backup ${copy} > /dev/full`);
    expect(backup).toMatchObject({ status: 0 });
    expect(backup.err).toStartWith(`tenor: ${copy} was written, but standard output`);
    const target = `sqlite:${join(workspace.folder, 'moved.db')}`;
    expect(await runShell(`tenor move --to ${target} > /dev/full`)).toMatchObject({
      status: 0,
      err: expect.stringContaining(`tenor: everything was moved to ${target}, but`),
    });
    const both = writeYears('both.csv', { 2024: 6 });
    const lost = await runShell(`tenor load ${ONLINE} ${both} > /dev/full 2>&1`);
    expect(lost).toEqual({ status: 0, err: '' });
    const again = await runShell(`tenor load ${ONLINE} ${both} > /dev/full`);
    expect(again).toMatchObject({ status: 0 });
    expect(again.err).toStartWith('tenor: nothing changed, but standard output');
  },
);

test('a load that was rejected has status 1, though its output is not read', async () => {
  const file = writeYears('a.csv', { 2023: 'x' });
  const line = `tenor load ${ONLINE} ${file} --json | true; ${EXIT_AS_FIRST}`;
  expect(await runShell(line)).toMatchObject({ status: 1 });
});

test('a token that is written to /dev/null stays valid, as does one that is piped', async () => {
  for (const output of ['> /dev/null', '1<>/dev/null', '| cat > /dev/null'])
    expect(await runShell(`tenor token create --name n ${output}`)).toEqual({ status: 0, err: '' });
  const states = (await readJson('token', 'list')).map(({ state }: { state: string }) => state);
  expect(states).toEqual(['live', 'live', 'live']);
});

testFull('a token or link whose secret cannot be printed is revoked', async () => {
  const lines = [
    'token create --name full > /dev/full',
    'token create --name full --json > /dev/full',
    "link create '/2.0/bnb/quote?format=csv' --name full > /dev/full",
    'token create --name closed >&-',
    'token create --name closed --json <&- >&-',
    "link create '/2.0/bnb/quote?format=csv' --name closed >&-",
    `token create --name full | true; ${EXIT_AS_FIRST}`,
  ];
  for (const line of lines) {
    const { status, err } = await runShell(`tenor ${line}`);
    expect(status).toBe(1);
    expect(err).toMatch(
      /^tenor: (token|link) (tk|lk)_\w+ was created and revoked again; nothing else has changed, but standard output cannot be written: E(NOSPC|PIPE|BADF).*\n$/,
    );
  }
  const issued = [...(await readJson('token', 'list')), ...(await readJson('link', 'list'))];
  expect(issued.map(({ state }) => state)).toEqual(lines.map(() => 'revoked'));
});

testFull.each(['> /dev/full', '>&-'])(
  'a token stays valid if the one that it is rotated to cannot be printed: %s',
  async (output) => {
    const { id } = await readJson('token', 'create', '--name', 'ann');
    const { status, err } = await runShell(`tenor token rotate ${id} ${output}`);
    expect(status).toBe(1);
    expect(err).toContain('revoked again; nothing else has changed');
    const states = (await readJson('token', 'list')).map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(['live', 'revoked']);
    const revoked = await runShell(`tenor token revoke ${id} ${output}`);
    expect(revoked).toMatchObject({ status: 0 });
    expect(revoked.err).toStartWith(`tenor: ${id} is revoked, but standard output`);
  },
);

testFull.each(['> /dev/full', '| true', '>&-'])(
  'serves with standard output %s',
  async (output) => {
    await publish(writeYears('a.csv', { 2023: 5 }));
    const port = String(findFreePort());
    const pidFile = join(workspace.folder, 'pid');
    const child = spawnShell(`(echo $BASHPID > ${pidFile}; exec ${QUOTED} serve) ${output}`, {
      PORT: port,
    });
    children.push(child);
    await retryUntil(10_000, async () => {
      expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    });
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
    const err = await new Response(child.stderr).text();
    expect(err).toContain('tenor: the server runs, but standard output cannot');
    expect(err).toContain('"service.stopped"');
    expect((await run('check')).status).toBe(0);
  },
);
