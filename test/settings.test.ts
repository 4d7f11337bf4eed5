import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkApiToken,
  findMistypedSettings,
  getFileVariable,
  InvalidSettingError,
  parseSettings,
  redactCredentials,
  SETTINGS,
  type Setting,
} from '../src/settings.ts';

describe('a redacted value', () => {
  test.each(['secret', 'se/cret', 'se?cret', 'se#cret', 'se@cret', 'se,cret', 'se:cret'])(
    'does not contain the password %s',
    (password) => {
      const url = `postgres://tenor:${password}@db.example:5432/tenor`;
      expect(redactCredentials(url)).toBe('postgres://***@db.example:5432/tenor');
      const urls = `${url},postgresql://x:${password}@other/tenor`;
      expect(redactCredentials(urls)).toBe(
        'postgres://***@db.example:5432/tenor,postgresql://***@other/tenor',
      );
    },
  );

  test('does not contain a password in the query of a URL', () => {
    expect(redactCredentials('postgres://db/tenor?password=secret&sslmode=require')).toBe(
      'postgres://db/tenor?password=***&sslmode=require',
    );
  });
});

describe('a short API_TOKEN', () => {
  const check = (HOST: string, API_TOKEN: string) =>
    checkApiToken(parseSettings({ HOST, API_TOKEN }));

  test.each(['127.0.0.1', '127.8.0.200', '::1', 'localhost', 'LocalHost'])(
    'is warned of on %s',
    (host) => {
      expect(check(host, 'x'.repeat(15))).toContain('shorter than 16 characters');
      expect(check(host, 'x'.repeat(16))).toBeUndefined();
    },
  );

  test.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.example', 'localhost.example'])(
    'is rejected on %s',
    (host) => {
      expect(() => check(host, 'x'.repeat(15))).toThrow(InvalidSettingError);
      expect(check(host, 'x'.repeat(16))).toBeUndefined();
    },
  );
});

describe('database settings', () => {
  const replicas = (text: string) => parseSettings({ DATABASE_REPLICAS: text }).databaseReplicas;

  test('parse DATABASE_REPLICAS as a list, which may be empty', () => {
    expect(replicas('')).toEqual([]);
    expect(replicas('postgres://a/x, postgresql://b:5433/x')).toEqual([
      'postgres://a/x',
      'postgresql://b:5433/x',
    ]);
  });

  test.each([
    'sqlite:x.db',
    'postgres://a',
    'postgres:///x',
    'postgres://a/x,',
    'mysql://a/x',
    'postgres://u:12/secret@db',
  ])('reject %s as DATABASE_REPLICAS', (text) => {
    expect(() => replicas(text)).toThrow(
      'DATABASE_REPLICAS must be comma-separated PostgreSQL addresses',
    );
  });

  test.each(['0', '501', '-1', '1.5', 'many'])('reject %s as DATABASE_POOL', (text) => {
    expect(() => parseSettings({ DATABASE_POOL: text })).toThrow('from 1 to 500');
  });
});

describe('settings of the log and of proxies', () => {
  test('have defaults that need no proxy, no terminal and no setting', () => {
    expect(parseSettings({})).toMatchObject({
      tlsCert: '',
      tlsKey: '',
      trustedProxies: null,
      logFormat: 'auto',
      logSlowMs: 1_000,
      logAddresses: 'all',
    });
    expect(parseSettings({ LOG_SLOW_MS: 'off' }).logSlowMs).toBe(Number.POSITIVE_INFINITY);
    const { trustedProxies } = parseSettings({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' });
    expect(trustedProxies?.contains('10.1.2.3')).toBe(true);
  });

  test.each([
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'comma-separated addresses or ranges such as 10.0.0.0/8'],
    ['TRUSTED_PROXIES', 'proxy.example', 'comma-separated addresses or ranges'],
    ['LOG_SLOW_MS', '0', 'a whole number from 1'],
    ['LOG_SLOW_MS', '1s', 'a whole number from 1'],
    ['LOG_FORMAT', 'JSON', 'auto, json or text'],
    ['LOG_ADDRESSES', 'none', 'all or errors'],
    ['FOLLOW', 'https://user:password@tenor.example', 'an address such as https://tenor.example'],
    ['FOLLOW', 'ftp://tenor.example', 'an address such as https://tenor.example'],
  ])('reject %s=%s', (variable, text, requirement) => {
    expect(() => parseSettings({ [variable]: text })).toThrow(`${variable} must be ${requirement}`);
  });
});

describe('a setting that may be, or contain, a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  const values = new Map(
    Object.entries({
      DATABASE_URL: 'postgres://tenor:secret@db/tenor',
      DATABASE_REPLICAS: 'postgres://tenor:secret@replica/tenor',
      FOLLOW_TOKEN: 'tenor_followed',
      API_TOKEN: 'a-token-of-the-operator',
    }),
  );
  const secret = Object.entries<Setting>(SETTINGS).filter(
    ([, setting]) => setting.secret || setting.mayBeInFile,
  );

  test.each(secret)(
    'is taken from the file that its variable with _FILE names: %s',
    (name, setting) => {
      const { variable } = setting;
      const text = values.get(variable) ?? '';
      writeFileSync(file, `${text}\r\n`);
      const read = parseSettings({ [getFileVariable(variable)]: file }) as Record<string, unknown>;
      expect(read[name]).toEqual(setting.parse(text));
      expect(() => parseSettings({ [variable]: text, [getFileVariable(variable)]: file })).toThrow(
        `${variable} and ${variable}_FILE are both set; set one of them`,
      );
      writeFileSync(file, 'not allowed');
      expect(() => parseSettings({ [getFileVariable(variable)]: file })).toThrow(
        `${variable} must be`,
      );
      writeFileSync(file, '\n');
      expect(() => parseSettings({ [getFileVariable(variable)]: file })).toThrow(
        `${file} is empty`,
      );
      expect(() => parseSettings({ [getFileVariable(variable)]: join(folder, 'none') })).toThrow(
        `${variable}_FILE: ${join(folder, 'none')} cannot be read (ENOENT)`,
      );
    },
  );
});

describe('a variable that looks like a setting', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['FOLOW', 'FOLLOW'],
    ['API_TOKEN_FIL', 'API_TOKEN_FILE'],
    ['api_token', 'API_TOKEN'],
    ['WORKER', 'WORKERS'],
    ['PROT', 'PORT'],
    ['LOG_REQEUST', 'LOG_REQUESTS'],
    ['TLS_KEY_FILE', 'TLS_KEY'],
  ])('is named with the nearest one: %s, %s', (variable, nearest) => {
    expect(findMistypedSettings({ [variable]: '' })).toEqual([{ variable, nearest }]);
  });

  test.each([
    'HOME',
    'HOSTNAME',
    'PATH',
    'LOG_LEVEL',
    'PWD',
    'PGHOST',
    'TENOR_URL',
    'API_TOKEN_FILE',
  ])('is not seen in %s', (variable) =>
    expect(findMistypedSettings({ [variable]: '' })).toEqual([]),
  );
});
