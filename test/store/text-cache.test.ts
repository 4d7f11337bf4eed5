import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextCache } from '../../src/store/open-store.ts';
import { createTempFolder } from '../support/store.ts';

const createPath = () => join(createTempFolder(), 'tenor.db.fits');

describe('a disposable file', () => {
  test('keeps texts by key, for other processes too, and for its owner alone', () => {
    const path = createPath();
    const file = new TextCache(path);
    file.set('a', 'first');
    file.set('a', 'second');
    const other = new TextCache(path);
    expect([other.get('a'), other.get('b')]).toEqual(['second', undefined]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    file.close();
    other.close();
  });

  test('gives no text that was changed behind its back', () => {
    const path = createPath();
    const file = new TextCache(path);
    file.set('a', 'text');
    new Database(path).run("UPDATE texts SET text = 'texx'");
    expect(file.get('a')).toBeUndefined();
    file.close();
  });

  test('begins anew if it is damaged', () => {
    const path = createPath();
    writeFileSync(
      path,
      'no database at all, but some text that is long enough to look like a page',
    );
    const file = new TextCache(path);
    file.set('a', 'text');
    expect(file.get('a')).toBe('text');
    file.close();
  });

  test('is done without if there can be none', () => {
    const path = createPath();
    mkdirSync(path);
    const file = new TextCache(path);
    file.set('a', 'text');
    expect(file.get('a')).toBeUndefined();
    file.close();
  });
});
