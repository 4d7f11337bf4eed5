import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  createSharedNumberFile,
  openSharedRevision,
  type SharedNumberFile,
} from '../../src/http/freshness/shared-revision.ts';
import { isLinux } from '../support/workers.ts';

describe.if(isLinux)('a revision that processes share', () => {
  let file: SharedNumberFile;
  beforeEach(() => {
    file = createSharedNumberFile();
  });
  afterEach(() => file.close());

  test('is the newest that any of them raised it to', () => {
    const [first, second] = [openSharedRevision(file.path), openSharedRevision(file.path)];
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
      openSharedRevision('${file.path}').raise(42);`;
    const child = Bun.spawn([process.execPath, '-e', script]);
    expect(await child.exited).toBe(0);
    expect(openSharedRevision(file.path).get()).toBe(42);
  });

  test('starts again with another database, for each process once it has noticed that', () => {
    const [first, second] = [openSharedRevision(file.path), openSharedRevision(file.path)];
    first.raise(9);
    first.restart();
    first.raise(3);
    // The second still serves from the database before.
    second.raise(10);
    expect([first.get(), second.get()]).toEqual([3, 0]);
    second.restart();
    expect([first.get(), second.get()]).toEqual([3, 3]);
    expect(openSharedRevision(file.path).get()).toBe(3);
  });
});
