import { expect, test } from 'bun:test';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { readFixture } from '../support/fixtures.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { catchError, createClient, ok, startScriptedServer } from './typescript-support.ts';

const service = useTestServer(async () => {
  const store = await createFilledStore();
  await store.publish(datasets, readFixture(datasets));
  return store;
});

/** Each dataset's fixture is a revision. */
const REVISIONS = catalogue.map(({ name }, index) => [name, index + 1] as const);

test.each(REVISIONS)(
  'every change of a revision of %s is read, for any page size',
  async (_, n) => {
    const tenor = createClient(service);
    const { data: revision, meta } = await tenor.revision(n, { limit: 10_000 });
    expect(meta).toMatchObject({ hasMore: false, next: undefined });
    expect(revision.changes.length).toBe(revision.added);
    expect(await tenor.revision.all(n).toArray()).toEqual([...revision.changes]);
    for (const limit of [1, revision.added]) {
      expect(await tenor.revision.all(n, { limit }).toArray()).toEqual([...revision.changes]);
      const pages = await Array.fromAsync(tenor.revision.pages(n, { limit }));
      expect(pages).toHaveLength(Math.ceil(revision.added / limit));
      expect(pages.map(({ meta: { hasMore } }) => hasMore)).toEqual(
        pages.map((_, index) => index < pages.length - 1),
      );
      expect(pages.flatMap(({ data }) => data.changes)).toEqual([...revision.changes]);
      expect(pages.at(-1)?.data).toMatchObject({ revision: n, added: revision.added });
    }
  },
);

test('a page of a revision tells that it has more changes, and its cursor reads them', async () => {
  const tenor = createClient(service);
  const parameters = { limit: 1 };
  const { data, meta } = await tenor.revision(1, parameters);
  expect(data.changes).toHaveLength(1);
  expect(meta.hasMore).toBe(true);
  const remaining = await tenor.revision.all(1, { ...parameters, cursor: meta.cursor }).toArray();
  expect(remaining).toHaveLength(data.added - 1);
});

const counts = { added: 3, corrected: 0, retired: 0 };
const change = { change: 'added', old: null, new: {} };

test('changes that are cut without a link to the next page are an error', async () => {
  await using server = startScriptedServer(
    ok({ ...counts, changes: [change] }, { Link: '<?cursor=b>; rel="next"' }),
    ok({ ...counts, changes: [change] }),
  );
  expect(await catchError(server.client().revision.all(7).toArray())).toMatchObject({
    kind: 'malformed',
    message: 'only 2 of 3 changes were sent',
  });
  expect(server.requests.map(({ target }) => target)).toEqual([
    '/revisions/7?limit=1000',
    '/revisions/7?cursor=b',
  ]);
});

test('pages of a revision are requested only when they are needed', async () => {
  await using server = startScriptedServer(
    ok({ ...counts, changes: [change] }, { Link: '<?cursor=b>; rel="next"' }),
  );
  for await (const { new: current } of server.client().revision.all(7)) {
    expect(current).toEqual({} as never);
    break;
  }
  expect(server.requests).toHaveLength(1);
});

test('a response that is not a revision is an error', async () => {
  await using server = startScriptedServer(ok([]), ok({ changes: 1 }));
  for (let index = 0; index < 2; index++) {
    expect(await catchError(server.client().revision(7))).toMatchObject({
      kind: 'malformed',
      message: 'the response is not a revision',
    });
  }
});
