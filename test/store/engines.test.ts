import { describe, expect, test } from 'bun:test';
import { SETTINGS } from '../../src/settings.ts';
import { ENGINES, type Engine, findEngine } from '../../src/store/engines.ts';
import { assertReplicasAllowed, isDatabaseFile } from '../../src/store/open-store.ts';
import type { EngineName } from '../../src/store/sql/dialect.ts';

const NAMES = Object.keys(ENGINES) as EngineName[];
const URLS: Readonly<Record<EngineName, string>> = {
  sqlite: 'sqlite:data/tenor.db',
  postgres: 'postgres://user:secret@one,two:5433/tenor',
};
const TOKEN_FILES: Readonly<Record<EngineName, string>> = {
  sqlite: 'data/tenor.db.private/local-token',
  postgres: 'data/one-tenor.private/local-token',
};

describe('the table of engines', () => {
  test.each(NAMES)('a URL of %s leads to that engine alone, and DATABASE_URL may be it', (name) => {
    const url = URLS[name];
    expect(NAMES.filter((other) => ENGINES[other].isUrl(url))).toEqual([name]);
    expect(findEngine(url)).toBe(ENGINES[name]);
    expect(SETTINGS.databaseUrl.parse(url)).toBe(url);
  });

  test('a URL of no engine is rejected, with those that there are', () => {
    expect(() => findEngine('mysql://one/tenor')).toThrow('must begin with sqlite: or postgres://');
  });

  test.each(NAMES)('what is said of a URL of %s has its servers without credentials', (name) => {
    const { isFile, listServers, formatAddress } = ENGINES[name];
    const url = URLS[name];
    expect(formatAddress(url)).not.toContain('secret');
    expect(listServers(url).map(formatAddress).join(', ')).toBe(formatAddress(url));
    expect(listServers(url).map((each) => findEngine(each))).toEqual(
      (isFile ? [url] : ['one', 'two']).map(() => ENGINES[name]),
    );
    expect(isDatabaseFile(TOKEN_FILES[name], url)).toBe(true);
    expect(isDatabaseFile('data/other.token', url)).toBe(false);
    const allow = () => assertReplicasAllowed(url, ['postgres://three/tenor']);
    if (isFile) expect(allow).toThrow('DATABASE_URL is a file');
    else expect(allow).not.toThrow();
  });

  test('an engine that lacks a function, and a table that lacks an engine, do not compile', () => {
    const { createTables, ...others } = ENGINES.sqlite;
    // @ts-expect-error nothing can be moved to it
    const engine: Engine = others;
    // @ts-expect-error PostgreSQL is missing
    const table: typeof ENGINES = { sqlite: ENGINES.sqlite };
    expect({ ...engine, createTables }).toEqual(ENGINES.sqlite);
    expect(Object.keys(table)).not.toEqual(NAMES);
  });
});
