import { describe, expect, test } from 'bun:test';
import { ApiClient } from '../../../src/explorer/api/api-client.ts';
import type { Tab } from '../../../src/explorer/api/tab.ts';

/** A client of a service that responds from these revisions, one after the other, then from the last. */
function createClient(asOf: string | undefined, ...revisions: (number | string)[]) {
  const sent: Headers[] = [];
  const fetch = async (_: string | URL | Request, init?: RequestInit) => {
    sent.push(new Headers(init?.headers));
    const revision = (revisions.length > 1 ? revisions.shift() : revisions[0]) ?? 0;
    const [number = '', publishedAt] = String(revision).split(' ');
    const headers = new Headers({ 'Content-Type': 'application/json', 'Tenor-Revision': number });
    if (publishedAt) headers.set('Tenor-Published-At', publishedAt);
    return new Response(JSON.stringify({ status: 'ok', data: [revision] }), { headers });
  };
  const tab = { baseUrl: new URL('http://localhost/'), fetch } as unknown as Tab;
  return { client: new ApiClient(tab, 'token', asOf), sent };
}

const REQUEST = { path: '/3.0/funds' };

describe('a response of the explorer', () => {
  test('that arrives before the first poll is requested once', async () => {
    const { client, sent } = createClient(undefined, 7);
    await client.read(REQUEST);
    client.setRevision('7 ', 'A');
    expect((await client.read(REQUEST)).data).toEqual([7]);
    expect(sent).toHaveLength(1);
  });

  test('of another revision than the catalogue is requested again, once for all that wait', async () => {
    const { client, sent } = createClient(undefined, 6, 7);
    client.setRevision('7 ', 'A');
    const responses = await Promise.all([client.read(REQUEST), client.read(REQUEST)]);
    expect(responses.map(({ data }) => data)).toEqual([[7], [7]]);
    expect(sent).toHaveLength(2);
  });

  test('of another database with as many revisions is requested again, then all are by a poll', async () => {
    const { client, sent } = createClient(undefined, '7 B', '7 B', '7 A');
    let polls = 0;
    client.onOtherRevision = () => polls++;
    client.setRevision('7 A', 'A');
    await client.read(REQUEST);
    expect([sent.length, polls]).toEqual([2, 1]);
    expect(client.setRevision('7 A', 'A')).toBe(true);
    expect((await client.read(REQUEST)).data).toEqual(['7 A']);
    expect([sent.length, polls]).toEqual([3, 1]);
  });

  test('that is older than the one before is accepted, because the database was replaced', async () => {
    const { client, sent } = createClient(undefined, '7 A', '3 B');
    await client.read(REQUEST);
    client.setRevision('7 A', 'A');
    client.setRevision('3 B', 'B');
    await client.read(REQUEST);
    expect(sent.map((each) => each.get('tenor-revision'))).toEqual([null, null]);
  });

  test('that is never as of an instant is requested once', async () => {
    const { client, sent } = createClient('2026-01-01T00:00:00Z', 9);
    client.setRevision('7 ', 'A');
    await client.read(REQUEST);
    await client.read(REQUEST);
    expect(sent).toHaveLength(1);
  });

  test('is kept for as long as the revision is the same, by its number and its version', async () => {
    const { client, sent } = createClient(undefined, 1);
    const readAt = async (publishedAt: string) => {
      const isNew = client.setRevision('1 ', publishedAt);
      await client.read(REQUEST);
      return isNew;
    };
    expect(await readAt('2026-09-01T00:00:00Z')).toBe(true);
    expect(await readAt('2026-09-01T00:00:00Z')).toBe(false);
    expect(sent).toHaveLength(1);
    // Another database, which has as many revisions.
    expect(await readAt('2026-09-02T00:00:00Z')).toBe(true);
    expect(sent).toHaveLength(2);
  });
});
