import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/cli/commands/index.ts';
import { parseSettings, SETTINGS } from '../../../src/settings.ts';
import { ROOT } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';

const FOLDER = join(ROOT, 'deploy');
const UNITS = readdirSync(FOLDER).filter((name) => /\.(service|timer)$/.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith('.service'));

/** In tenths, out of 100; every exception costs some. */
const MAX_EXPOSURE = 15;
const MIN_SYSTEMD_VERSION = 250;
const hasSystemd = readSystemdVersion() >= MIN_SYSTEMD_VERSION;
const title = (text: string) =>
  hasSystemd ? text : `${text} (skipped: systemd-analyze is not installed, or older than 250)`;

describe.each(SERVICES)('%s', (name) => {
  const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n');
  const getAll = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));

  test('runs a command of tenor with settings that exist and are valid', () => {
    const [, command = ''] = getAll('ExecStart')[0]?.split(' ') ?? [];
    expect(Object.keys(COMMANDS)).toContain(command);
    const environment = Object.fromEntries(getAll('Environment').map((text) => text.split('=', 2)));
    const variables: string[] = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const variable of Object.keys(environment)) expect(variables).toContain(variable);
    expect(parseSettings(environment).databaseUrl).toBe('sqlite:/var/lib/tenor/tenor.db');
  });

  test('leaves the JIT compiler its memory', () => {
    expect(getAll('MemoryDenyWriteExecute')).toEqual([]);
  });

  test.if(hasSystemd)(title('is exposed to little, as systemd-analyze counts'), () => {
    const args = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, '--no-pager'];
    const { exitCode, stdout } = runAnalyze([...args, join(FOLDER, name)]);
    expect(stdout).toContain('Overall exposure level');
    expect(exitCode).toBe(0);
  });
});

test.if(hasSystemd)(title('systemd-analyze finds nothing wrong with the units'), () => {
  const folder = createTempFolder();
  const files = UNITS.map((name) => {
    // The executable is not installed on this machine.
    const text = readFileSync(join(FOLDER, name), 'utf8').replace(
      '/usr/local/bin/tenor',
      '/bin/sh',
    );
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  });
  expect(files.length).toBeGreaterThan(2);
  const { exitCode, stderr } = runAnalyze(['verify', ...files]);
  rmSync(folder, { recursive: true });
  // What it has to say of other units of the machine is not ours.
  expect(stderr.split('\n').filter((line) => line.includes('tenor'))).toEqual([]);
  expect(exitCode).toBe(0);
});

function runAnalyze(args: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['systemd-analyze', ...args]);
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

function readSystemdVersion(): number {
  if (!Bun.which('systemd-analyze')) return 0;
  return Number(/systemd (\d+)/.exec(runAnalyze(['--version']).stdout)?.[1] ?? 0);
}
