import { expect, test } from 'bun:test';
import {
  findAllowedRoles,
  findInvalidSessionAttribute,
  formatPublicAddress,
  isUsablePostgresUrl,
  listServerUrls,
} from '../../src/shared/postgres-url.ts';

test('a URL with several hosts stands for one URL of each host', () => {
  expect(listServerUrls('postgres://u:a,b@one:5432,two,[::1]:5433/tenor?sslmode=require')).toEqual([
    'postgres://u:a,b@one:5432/tenor?sslmode=require',
    'postgres://u:a,b@two/tenor?sslmode=require',
    'postgres://u:a,b@[::1]:5433/tenor?sslmode=require',
  ]);
  expect(listServerUrls('postgresql://one/tenor')).toEqual(['postgresql://one/tenor']);
});

test.each([
  ['postgres://u:p@one:5432,two:5433/tenor', true],
  ['postgres://u@%2Frun%2Fpostgresql/tenor', true],
  ['postgres:///tenor?host=/run/postgresql', true],
  ['postgres:///tenor', false],
  ['postgres://one,/tenor', false],
  ['postgres://one:5432,two:port/tenor', false],
  ['postgres://one,two', false],
])('%s is usable: %p', (url, isUsable) => {
  expect(isUsablePostgresUrl(url)).toBe(isUsable);
});

test.each([
  ['postgres://u:p@one:5433/tenor', 'one:5433/tenor'],
  ['postgres://u:p@%2Frun%2Fpostgresql/tenor', '/run/postgresql/tenor'],
  ['postgres://u:p@localhost/tenor?host=/run/postgresql', '/run/postgresql/tenor'],
])('%s is shown as %s', (url, address) => {
  expect(formatPublicAddress(url)).toBe(address);
});

test('target_session_attrs says which roles a server may have', () => {
  const findRoles = (attribute: string) =>
    findAllowedRoles(`postgres://one/tenor?target_session_attrs=${attribute}`);
  expect(findRoles('any')).toEqual(['primary', 'standby']);
  expect(findRoles('prefer-standby')).toEqual(['primary', 'standby']);
  expect(findRoles('read-write')).toEqual(['primary']);
  expect(findRoles('primary')).toEqual(['primary']);
  expect(findRoles('read-only')).toEqual(['standby']);
  expect(findRoles('standby')).toEqual(['standby']);
  expect(findRoles('constructor')).toEqual([]);
  expect(findAllowedRoles('postgres://one/tenor')).toEqual(['primary', 'standby']);
  expect(findInvalidSessionAttribute('postgres://one/tenor')).toBeUndefined();
  expect(findInvalidSessionAttribute('postgres://one/x?target_session_attrs=master')).toBe(
    'master',
  );
});
