import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  createSharedNumberFile,
  openSharedRevision,
  type SharedNumberFile,
} from '../../src/http/freshness/shared-revision.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { isLinux } from '../support/workers.ts';

describe.if(isLinux)('a revision that processes share', () => {
  let file: SharedNumberFile;
  beforeEach(() => {
    file = createSharedNumberFile();
  });
  afterEach(() => file.close());

  const SECRET = Buffer.from('the secret of a database');
  const open = (secret: Uint8Array = SECRET) => openSharedRevision(file.path).select(secret);

  test('is the newest that any of them raised it to', () => {
    const [first, second] = [open(), open()];
    expect(second.get()).toBe(0);
    first.raise(7);
    second.raise(5);
    expect([first.get(), second.get()]).toEqual([7, 7]);
    second.raise(2_147_483_646);
    expect(first.get()).toBe(2_147_483_646);
  });

  test('is raised by another process', async () => {
    const module = import.meta.resolve('../../src/http/freshness/shared-revision.ts');
    const script = `import { openSharedRevision } from '${module}';
      openSharedRevision('${file.path}').select(Buffer.from('${SECRET}')).raise(42);`;
    const child = spawnChild([process.execPath, '-e', script]);
    expect(await child.exited).toBe(0);
    expect(open().get()).toBe(42);
  });

  test('is that of one database: those who serve another one neither follow nor raise it', () => {
    const other = open(Buffer.from('the secret of another database'));
    expect(other.isOfOther()).toBe(false);
    open().raise(9);
    expect(other.get()).toBe(0);
    other.raise(3);
    expect([other.get(), open().get()]).toEqual([3, 0]);
    expect([other.isOfOther(), open().isOfOther()]).toEqual([false, true]);
    open().raise(10);
    expect([other.get(), open().get()]).toEqual([0, 10]);
  });

  test('is taken back if it is still the one that the database has not got', () => {
    open().raise(9);
    open().takeBack(8, 5);
    expect(open().get()).toBe(9);
    open().takeBack(9, 7);
    expect(open().get()).toBe(7);
    open().raise(8);
    expect(open().get()).toBe(8);
  });
});
