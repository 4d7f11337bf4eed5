import { describe, expect, test } from 'bun:test';
import { parseSettings, redactCredentials } from '../src/settings.ts';

describe('a value as it is shown', () => {
  test.each(['secret', 'se/cret', 'se?cret', 'se#cret', 'se@cret', 'se,cret', 'se:cret'])(
    'has no password, such as %s',
    (password) => {
      const url = `postgres://tenor:${password}@db.example:5432/tenor`;
      expect(redactCredentials(url)).toBe('postgres://***@db.example:5432/tenor');
      const two = `${url},postgresql://x:${password}@other/tenor`;
      expect(redactCredentials(two)).toBe(
        'postgres://***@db.example:5432/tenor,postgresql://***@other/tenor',
      );
    },
  );

  test('has none that is a parameter of an address either', () => {
    expect(redactCredentials('postgres://db/tenor?password=secret&sslmode=require')).toBe(
      'postgres://db/tenor?password=***&sslmode=require',
    );
  });
});

describe('addresses of databases', () => {
  const replicas = (text: string) => parseSettings({ DATABASE_REPLICAS: text }).databaseReplicas;

  test('of replicas are a list, which may be empty', () => {
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
  ])('of replicas are not %s', (text) => {
    expect(() => replicas(text)).toThrow('DATABASE_REPLICAS must be addresses of PostgreSQL');
  });

  test.each(['0', '501', '-1', '1.5', 'many'])('%s is no size of a pool', (text) => {
    expect(() => parseSettings({ DATABASE_POOL: text })).toThrow('from 1 to 500');
  });
});
