import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import { findFaults } from '../clients/verify-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { createFollower } from '../support/create-follower.ts';
import { mirrorTo } from '../support/mirror-folder.ts';
import { publishBundle } from '../support/publish-bundle.ts';
import { publishHistory } from '../support/published-ledger.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, createTempFolder, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
let source: TestStore;
let folder: string;
beforeAll(async () => {
  source = await createStore();
  await publishHistory(source);
  folder = createTempFolder();
});
afterAll(async () => {
  await source.remove();
  rmSync(folder, { recursive: true });
});

/** A web server that knows nothing of mirrors. */
function serveFiles(path = 'all') {
  const server = Bun.serve({
    port: 0,
    fetch: async ({ url }) => {
      const file = Bun.file(`${folder}${new URL(url).pathname}`);
      return (await file.exists()) ? new Response(file) : new Response('no', { status: 404 });
    },
  });
  return {
    address: `http://127.0.0.1:${server.port}/${path}`,
    close: () => void server.stop(true),
  };
}

describe('a database that follows a mirror', () => {
  test('has all of it, from a folder and from a web server, and goes on with what is added', async () => {
    await mirrorTo(source, `${folder}/all`);
    const { address } = closing(serveFiles());
    const stores = [removing(await createStore()), removing(await createStore())];
    const followers = [`${folder}/all`, address].map((from, index) =>
      closing(createFollower(stores[index] as TestStore, from)),
    );
    for (const follower of followers)
      expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
    await source.publish(quotes, [quote({ symbol: 'NEXT' })]);
    await mirrorTo(source, `${folder}/all`);
    for (const follower of followers)
      expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    // Stores of objects charge for each request.
    expect(followers.map(({ intervalMs }) => intervalMs)).toEqual([1_000, 1_000]);
    const select = 'SELECT * FROM revision_digests ORDER BY revision';
    for (const store of stores) {
      expect(await store.query(select)).toEqual(await source.query(select));
      expect(await findFaults(store)).toEqual([]);
    }
  });

  test('takes over the revisions of a bundle together, and so does the mirror', async () => {
    const bundled = removing(await createStore());
    await publishHistory(bundled);
    await publishBundle(bundled, [
      [quotes, [quote({ symbol: 'NEXT' })]],
      [onlineBankingAnnualVolume, [onlineBankingAnnualVolume.example]],
    ]);
    const written: string[] = [];
    const watcher = watch(folder, { recursive: true }, (_, name) => {
      if (name?.endsWith('latest.json')) written.push(readFileSync(join(folder, name), 'utf8'));
    });
    await mirrorTo(bundled, `${folder}/bundled`);
    watcher.close();
    expect(written.join()).not.toContain('"revision":7');
    const store = removing(await createStore());
    const follower = closing(createFollower(store, `${folder}/bundled`));
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 8 });
    expect(follower.statuses.map(({ revision }) => revision)).not.toContain(7);
    expect(await findFaults(store)).toEqual([]);
  });

  test('has placeholders if the mirror leaves something out', async () => {
    await mirrorTo(source, `${folder}/few`, { scopes: ['datasets'] });
    const store = removing(await createStore());
    const follower = closing(createFollower(store, `${folder}/few`));
    expect(await follower.poll()).toMatchObject({ state: 'following' });
    const rows = await store.query('SELECT dataset FROM revisions ORDER BY revision');
    expect(rows.map(({ dataset }) => dataset)).toEqual(['', 'datasets', 'kibor', '', '', '', '']);
    expect(await findFaults(store)).toEqual([]);
  });

  test('does not begin in the middle, and waits for a mirror that is not there yet', async () => {
    await mirrorTo(source, `${folder}/late`, { since: 3 });
    const store = removing(await createStore());
    const late = closing(createFollower(store, `${folder}/late`));
    expect(await late.poll()).toMatchObject({ state: 'stopped', problem: 'missing-entry' });
    expect(late.statuses.at(-1)?.cause).toContain('The mirror begins with revision 3');
    const missing = closing(createFollower(store, `${folder}/missing`));
    expect(await missing.poll()).toMatchObject({ state: 'unreachable', problem: 'not_found' });
    const awaited = closing(createFollower(store, closing(serveFiles('awaited')).address));
    expect(await awaited.poll()).toMatchObject({ state: 'unreachable', problem: 'no-log' });
    await mirrorTo(source, `${folder}/awaited`);
    expect(await awaited.poll()).toMatchObject({ state: 'following' });
  });

  test('is no server, though it could not be read at first', async () => {
    await mirrorTo(source, `${folder}/busy`);
    const { address, close } = serveFiles('busy');
    const statuses = [503];
    const busy = Bun.serve({
      port: 0,
      fetch: async ({ url }) => {
        const status = statuses.shift();
        const path = new URL(url).pathname;
        return status ? new Response('', { status }) : fetch(address.replace('/busy', path));
      },
    });
    const follower = closing(
      createFollower(removing(await createStore()), `http://127.0.0.1:${busy.port}/busy`),
    );
    expect(await follower.poll()).toMatchObject({ state: 'unreachable' });
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    expect(follower.intervalMs).toBe(1_000);
    await busy.stop(true);
    close();
  });

  test.each([403, 404])(
    'says so at once if access to it ends with %d, and goes on when it is back',
    async (status) => {
      await mirrorTo(source, `${folder}/closed`);
      let isOpen = true;
      const server = Bun.serve({
        port: 0,
        fetch: ({ url }) =>
          isOpen
            ? new Response(Bun.file(`${folder}${new URL(url).pathname}`))
            : new Response('denied', { status }),
      });
      closing({ close: () => void server.stop(true) });
      const own = removing(await createStore());
      const address = `http://127.0.0.1:${server.port}/closed`;
      const follower = closing(createFollower(own, address));
      expect(await follower.poll()).toMatchObject({ state: 'following' });
      isOpen = false;
      expect(await follower.poll()).toMatchObject({ state: 'unreachable', problem: 'not_found' });
      expect(follower.statuses.at(-1)?.cause).toContain('latest.json');
      isOpen = true;
      expect(await follower.poll()).toMatchObject({ state: 'following' });
    },
  );

  test('is not behind if a cache still has an earlier latest.json, and waits if revisions are gone', async () => {
    await mirrorTo(source, `${folder}/cached`);
    const own = removing(await createStore());
    const poll = () => closing(createFollower(own, `${folder}/cached`)).poll();
    expect(await poll()).toMatchObject({ state: 'following' });
    await Bun.write(`${folder}/cached/latest.json`, '{"revision":4}');
    expect(await poll()).toMatchObject({ state: 'following' });
    const revision = Number((await own.query('SELECT max(revision) AS n FROM revisions'))[0]?.n);
    rmSync(`${folder}/cached/revisions/${revision}`, { recursive: true });
    expect(await poll()).toMatchObject({ state: 'unreachable', problem: 'behind' });
  });
});
