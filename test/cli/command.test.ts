import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/settings.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
let env: Record<string, string>;
beforeAll(() => {
  folder = createTempFolder();
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}` };
});
afterAll(() => rmSync(folder, { recursive: true }));

const json = async (...args: string[]) =>
  JSON.parse((await runTenor([...args, '--json'], env)).out);

describe('tokens', () => {
  test('are made, listed, rotated and revoked', async () => {
    const made = await json(
      'token',
      'create',
      '--name',
      'ann',
      '--scopes',
      'quotes,funds',
      '--rate',
      '5/min',
    );
    expect(made).toMatchObject({ name: 'ann', scopes: ['quotes', 'funds'], rate: '5/min' });
    expect(made.token).toMatch(/^tenor_[\w-]{43}$/);
    expect(made.digest).toBeUndefined();

    const rotated = await json('token', 'rotate', made.id);
    expect(rotated).toMatchObject({ name: 'ann', scopes: ['quotes', 'funds'], rate: '5/min' });
    expect(rotated.token).not.toBe(made.token);
    const graced = await json('token', 'rotate', rotated.id, '--grace', '1h');
    await runTenor(['token', 'revoke', graced.id], env);

    const listed = await json('token', 'list');
    const states = Object.fromEntries(
      listed.map(({ id, state }: { id: string; state: string }) => [id, state]),
    );
    expect(states).toEqual({ [made.id]: 'revoked', [rotated.id]: 'live', [graced.id]: 'revoked' });
    const ending = listed.find(({ id }: { id: string }) => id === rotated.id);
    expect(Date.parse(ending.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(JSON.stringify(listed)).not.toContain('digest');
  });

  test('expire after a time or on a day', async () => {
    const soon = await json('token', 'create', '--name', 'a', '--expires', '90d');
    const days = (Date.parse(soon.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const later = await json('token', 'create', '--name', 'a', '--expires', '2099-01-31');
    expect(later.expiresAt).toBe('2099-01-31T00:00:00.000Z');
  });

  test('are shown for people too', async () => {
    const made = await runTenor(['token', 'create', '--name', 'bob'], env);
    expect(made.out).toMatch(
      /^tenor_[\w-]{43}\n\ntk_\w+ \(bob\) may read quotes, funds, alternate/,
    );
    const { out } = await runTenor(['token', 'list'], env);
    expect(out.split('\n')[0]).toMatch(/^id +name +state +scopes +rate +expires +last use$/);
    expect(out).toContain('bob');
  });

  test.each([
    [['token', 'create'], 2, '--name'],
    [['token', 'create', '--name', ' '], 2, '--name'],
    [['token', 'create', '--name', 'a', '--scopes', 'gold'], 2, 'quotes, funds, alternate'],
    [['token', 'create', '--name', 'a', '--expires', 'soon'], 2, '90d'],
    [['token', 'create', '--name', 'a', '--expires', '2001-01-01'], 2, 'future day'],
    [['token', 'create', '--name', 'a', '--rate', '5'], 2, '5/s'],
    [['token', 'create', 'ann'], 2, 'ann'],
    [['token', 'create', '--nmae', 'a'], 2, '--nmae'],
    [['token', 'revoke'], 2, 'ID'],
    [['token', 'revoke', 'tk_none'], 1, 'tk_none'],
    [['token', 'rotate', 'tk_none'], 1, 'tk_none'],
    [['token', 'rotate', 'a', '--grace', 'long'], 2, '12h'],
    [['token', 'fly'], 2, 'token fly'],
    [['fly'], 2, 'fly'],
    [['serve', 'now'], 2, 'now'],
    [['settings', 'now'], 2, 'now'],
    [['token', 'create', '--name', 'a\nb'], 2, 'control'],
    [['token', 'create', '--name', 'a', '--rate', '5/constructor'], 2, '5/s'],
    [['token', 'rotate', 'a', '--grace', '5constructor'], 2, '12h'],
  ])('%j ends with %d and a line that names %s', async (args, status, named) => {
    const finished = await runTenor(args, env);
    expect(finished.status).toBe(status);
    expect(finished.out).toBe('');
    expect(finished.err).toStartWith('tenor: ');
    expect(finished.err).toContain(named);
    expect(finished.err.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('help', () => {
  test('lists the commands, and each command has its own', async () => {
    const { status, out } = await runTenor(['--help']);
    expect(status).toBe(0);
    for (const name of [
      'serve',
      'token create',
      'token list',
      'token revoke',
      'token rotate',
      'settings',
    ]) {
      expect(out).toContain(name);
      const own = await runTenor([...name.split(' '), '--help']);
      expect(own.status).toBe(0);
      expect(own.out).toStartWith(`tenor ${name}`);
    }
    expect((await runTenor(['token', '--help'])).out).toContain('token rotate');
    expect((await runTenor(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('settings', () => {
  test('shows a wrong one as such', async () => {
    const { status, out } = await runTenor(['settings'], { ...env, PORT: 'http' });
    expect(status).toBe(0);
    expect(out).toContain('http (not allowed)');
  });

  test('shows every one with its default and what it is for, secrets hidden', async () => {
    const { out } = await runTenor(['settings'], { ...env, API_TOKEN: 'very-secret' });
    for (const { variable, description } of Object.values(SETTINGS)) {
      expect(out).toContain(variable);
      expect(out).toContain(description);
    }
    expect(out).toContain('(hidden)');
    expect(out).not.toContain('very-secret');
    const listed = await json('settings');
    expect(listed.map(({ variable }: { variable: string }) => variable)).toEqual(
      Object.values(SETTINGS).map(({ variable }) => variable),
    );
  });
});
