import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/settings.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createEmptyDatabase, createTempFolder } from '../support/store.ts';

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = createTempFolder();
  await createEmptyDatabase(join(folder, 'x.db'));
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}` };
});
afterAll(() => rmSync(folder, { recursive: true }));

const readJson = async (...args: string[]) =>
  JSON.parse((await runTenor([...args, '--json'], env)).out);

describe('tenor token', () => {
  test('creates, lists, rotates and revokes tokens', async () => {
    const options = ['--name', 'ann', '--scopes', 'quotes,funds', '--rate', '5/min'];
    const created = await readJson('token', 'create', ...options);
    expect(created).toMatchObject({ name: 'ann', scopes: ['quotes', 'funds'], rate: '5/min' });
    expect(created.token).toMatch(/^tenor_[\w-]{43}$/);
    expect(created.digest).toBeUndefined();

    const rotated = await readJson('token', 'rotate', created.id);
    expect(rotated).toMatchObject({ name: 'ann', scopes: ['quotes', 'funds'], rate: '5/min' });
    expect(rotated.token).not.toBe(created.token);
    const replacement = await readJson('token', 'rotate', rotated.id, '--grace', '1h');
    await runTenor(['token', 'revoke', replacement.id], env);
    expect(await runTenor(['token', 'revoke', replacement.id], env)).toMatchObject({
      status: 1,
      err: `tenor: token ${replacement.id} is revoked already\n`,
    });

    const listed = await readJson('token', 'list');
    const states = Object.fromEntries(
      listed.map(({ id, state }: { id: string; state: string }) => [id, state]),
    );
    expect(states).toEqual({
      [created.id]: 'revoked',
      [rotated.id]: 'live',
      [replacement.id]: 'revoked',
    });
    const expiring = listed.find(({ id }: { id: string }) => id === rotated.id);
    expect(Date.parse(expiring.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(JSON.stringify(listed)).not.toContain('digest');
  });

  test('creates tokens that expire after a time or on a day', async () => {
    const soon = await readJson('token', 'create', '--name', 'a', '--expires', '90d');
    const days = (Date.parse(soon.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const later = await readJson('token', 'create', '--name', 'a', '--expires', '2099-01-31');
    expect(later.expiresAt).toBe('2099-01-31T00:00:00.000Z');
  });

  test('rotates a token with a new expiry, and by default with the lifetime of the old one', async () => {
    const old = await readJson('token', 'create', '--name', 'a', '--expires', '90d');
    const kept = await readJson('token', 'rotate', old.id);
    expect(Date.parse(kept.expiresAt)).toBeGreaterThanOrEqual(Date.parse(old.expiresAt));
    const later = await readJson('token', 'rotate', kept.id, '--expires', '2099-01-31');
    expect(later.expiresAt).toBe('2099-01-31T00:00:00.000Z');
  });

  test('prints tokens for people', async () => {
    const created = await runTenor(['token', 'create', '--name', 'bob'], env);
    expect(created.out).toMatch(/^tenor_[\w-]{43}\n\ntk_\w+ \(bob\) may read everything\.\n/);
    const { out } = await runTenor(['token', 'list'], env);
    expect(out).toMatch(/ bob +live +everything /);
    expect(out.split('\n')[0]).toMatch(/^id +name +state +scopes +rate +expires +last use$/);
    expect(out).toContain('bob');
  });

  test('gives a token scopes of later declarations, with a note if no dataset has one yet', async () => {
    const create = ['token', 'create', '--name', 'a', '--scopes', 'funds,rates-2', '--json'];
    const { status, out, err } = await runTenor(create, env);
    expect([status, JSON.parse(out).scopes]).toEqual([0, ['funds', 'rates-2']]);
    expect(err).toBe('tenor: no dataset currently has the scope "rates-2"\n');
  });

  test.concurrent.each([
    [['token', 'create'], 2, '--name'],
    [['token', 'create', '--name', ' '], 2, '--name'],
    [['token', 'create', '--name', 'a', '--scopes', 'quotes,*'], 2, 'not "*"'],
    [['token', 'create', '--name', 'a', '--scopes', ''], 2, 'quotes,funds,alternate'],
    [['token', 'create', '--name', 'a', '--expires', 'soon'], 2, '90d'],
    [['token', 'create', '--name', 'a', '--expires', '2001-01-01'], 2, 'future day'],
    [['token', 'create', '--name', 'a', '--rate', '5'], 2, '5/s'],
    [['token', 'create', 'ann'], 2, 'ann'],
    [['token', 'create', '--nmae', 'a'], 2, '--nmae'],
    [['token', 'revoke'], 2, 'ID'],
    [['token', 'revoke', 'tk_none'], 1, 'tk_none'],
    [['token', 'rotate', 'tk_none'], 1, 'tk_none'],
    [['token', 'rotate', 'a', '--grace', 'long'], 2, '12h'],
    [['token', 'rotate', 'a', '--expires', 'soon'], 2, '90d'],
    [['link', 'create', '--name', 'a'], 2, 'TARGET'],
    [['link', 'create', '/3.0/funds'], 2, '--name'],
    [['link', 'create', '/3.0/funds?x=1', '--name', 'a'], 2, 'unknown parameter "x"'],
    [['link', 'create', '/3.0/funds', '--name', 'a', '--expires', '0d'], 2, '90d'],
    [['link', 'revoke', 'lk_none'], 1, 'lk_none'],
    [['token', 'fly'], 2, 'token fly'],
    [['fly'], 2, 'fly'],
    [['serve', 'now'], 2, 'now'],
    [['settings', 'now'], 2, 'now'],
    [['token', 'create', '--name', 'a\nb'], 2, 'control'],
    [['token', 'create', '--name', 'a', '--rate', '5/constructor'], 2, '5/s'],
    [['token', 'rotate', 'a', '--grace', '5constructor'], 2, '12h'],
  ])('tenor %j fails with status %d and one line with %s', async (args, status, text) => {
    const result = await runTenor(args, env);
    expect(result.status).toBe(status);
    expect(result.out).toBe('');
    expect(result.err).toStartWith('tenor: ');
    expect(result.err).toContain(text);
    expect(result.err.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('tenor link', () => {
  test('creates, lists and revokes links, which are no tokens', async () => {
    const target = '/3.0/funds?format=csv';
    const created = await readJson('link', 'create', target, '--name', 'desk', '--rate', '5/min');
    expect(created).toMatchObject({ name: 'desk', target, scopes: ['funds'], rate: '5/min' });
    expect(created.link).toMatch(/^\/links\/tenor_link_[\w-]{43}$/);
    const days = (Date.parse(created.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.ceil(days)).toBe(90);
    const [listed, tokens, rejected, printed] = await Promise.all([
      runTenor(['link', 'list'], env),
      runTenor(['token', 'list', '--json'], env),
      runTenor(['token', 'revoke', created.id], env),
      runTenor(['link', 'create', '/2.0/bnb/quote', '--name', 'a', '--expires', '1d'], env),
    ]);
    expect(listed.out).toContain(target);
    expect(listed.out).not.toContain(created.link.slice(-43));
    expect(tokens.out).not.toContain(created.id);
    expect(rejected.err).toContain(`there is no token ${created.id}`);
    expect(printed.out).toMatch(/^\/links\/tenor_link_[\w-]{43}\n\nlk_\w+ \(a\) serves \/2.0/);
    expect(printed.err).toMatch(/^tenor: the target has no limit, .*\n$/);
    expect((await runTenor(['link', 'revoke', created.id], env)).status).toBe(0);
    const entries = await readJson('link', 'list');
    expect(entries.find(({ id }: { id: string }) => id === created.id).state).toBe('revoked');
    expect(JSON.stringify(entries)).not.toContain('digest');
  });
});

describe('tenor settings', () => {
  test('marks an invalid value', async () => {
    const { status, out } = await runTenor(['settings'], { ...env, PORT: 'http' });
    expect(status).toBe(0);
    expect(out).toContain('http (not allowed)');
  });

  test('checks them: what is not allowed, what is in no file, and names that are nearly right', async () => {
    const right = await runTenor(['settings', '--check'], env);
    expect(right).toMatchObject({ status: 0, out: 'Every setting is allowed.\n' });
    const wrong = { ...env, PORT: 'http', API_TOKEN_FILE: '/none', FOLOW: 'https://a.example' };
    const problems = [
      'PORT must be a whole number from 0 to 65535, not "http"',
      'API_TOKEN_FILE: /none cannot be read (ENOENT)',
      'FOLOW is not a setting; did you mean FOLLOW?',
    ];
    const checked = await runTenor(['settings', '--check', '--json'], wrong);
    expect(checked.status).toBe(1);
    expect(JSON.parse(checked.out)).toEqual({ problems });
  });

  test('checks whether a server starts with them, each of which is allowed', async () => {
    const alone = {
      ...env,
      HOST: '0.0.0.0',
      API_TOKEN: 'short',
      ADMIN_PORT: '8080',
      OIDC_ISSUER: 'https://id.example.org',
      TLS_CERT: '/none',
    };
    const checked = await runTenor(['settings', '--check', '--json'], alone);
    expect(checked.status).toBe(1);
    expect(JSON.parse(checked.out)).toEqual({
      problems: [
        'ADMIN_PORT must differ from PORT, which is also 8080',
        'OIDC_ISSUER needs OIDC_AUDIENCE',
        'API_TOKEN is shorter than 16 characters and can be guessed; use a longer one, such as the output of: openssl rand -hex 32',
        'TLS_KEY must be set too: TLS_CERT and TLS_KEY belong together',
      ],
    });
    const files = { ...env, TLS_CERT: '/none', TLS_KEY: '/none' };
    expect(await runTenor(['settings', '--check'], files)).toMatchObject({
      status: 1,
      out: 'TLS_CERT /none does not exist\n',
    });
    const replicas = 'postgres://replica.example/tenor';
    const stores = { ...env, DATABASE_REPLICAS: replicas, AUDIT_LOG: '/none/audit.log' };
    expect(await runTenor(['settings', '--check'], stores)).toMatchObject({
      status: 1,
      out: 'DATABASE_REPLICAS are for PostgreSQL, and DATABASE_URL is a file\nAUDIT_LOG: /none/audit.log cannot be written (ENOENT)\n',
    });
    const audit = join(folder, 'audit.log');
    const writable = await runTenor(['settings', '--check'], { ...env, AUDIT_LOG: audit });
    expect([writable.status, existsSync(audit)]).toEqual([0, false]);
    const ofFolder = await runTenor(['settings', '--check'], { ...env, AUDIT_LOG: folder });
    expect(ofFolder.out).toBe(`AUDIT_LOG: ${folder} cannot be written (EISDIR)\n`);
  });

  test('are read with a note of a name that is nearly right, which STRICT_SETTINGS rejects', async () => {
    const mistyped = { ...env, FOLOW: 'https://a.example' };
    const noted = await runTenor(['token', 'list'], mistyped);
    expect(noted.status).toBe(0);
    expect(noted.err).toBe('tenor: FOLOW is not a setting; did you mean FOLLOW?\n');
    const strict = await runTenor(['token', 'list'], { ...mistyped, STRICT_SETTINGS: 'on' });
    expect(strict.status).toBe(1);
    expect(strict.err).toContain('did you mean FOLLOW?');
  });

  test('prints every setting with its description, and hides secrets', async () => {
    const { out } = await runTenor(['settings'], { ...env, API_TOKEN: 'very-secret' });
    for (const { variable, description } of Object.values(SETTINGS)) {
      expect(out).toContain(variable);
      expect(out).toContain(description);
    }
    expect(out).toContain('(hidden)');
    expect(out).not.toContain('very-secret');
    const listed = await readJson('settings');
    expect(listed.map(({ variable }: { variable: string }) => variable)).toEqual(
      Object.values(SETTINGS).map(({ variable }) => variable),
    );
  });
});
