import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { issueLink, issueToken } from '../../src/tokens/issue-token.ts';
import { retryUntil } from '../support/eventually.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const QUOTE = '/2.0/bnb/quote';
const terms = { name: 'n', scopes: ['quotes'], rate: null, expiresAt: null };

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

for (const { name: engine, createStore } of ENGINES) {
  describe(engine, () => {
    let service: TestServer;
    beforeEach(async () => {
      service = await startTestServer(await createStore());
    });
    afterEach(() => service.stop());

    describe('a running server', () => {
      test('responds without records at revision 0 over an empty store', async () => {
        const response = await service.request(QUOTE);
        expect(response.headers.get('tenor-revision')).toBe('0');
        expect(await response.text()).toBe('{"status":"ok","data":[]}');
      });

      test('serves a new revision within a second, also if it has cached responses', async () => {
        await service.request(QUOTE);
        await service.store.publish(quotes, [quote({ lastPrice: 1 })]);
        await retryUntil(1_000, async () => {
          const response = await service.request(QUOTE);
          expect(response.headers.get('tenor-revision')).toBe('1');
          expect(await response.json()).toMatchObject({ data: [{ lastPrice: 1 }] });
        });
        await service.store.publish(quotes, [quote({ lastPrice: 2 })]);
        await retryUntil(1_000, async () => {
          expect(await service.getJson(QUOTE)).toMatchObject({ data: [{ lastPrice: 2 }] });
        });
      });

      test('never serves an older revision than before', async () => {
        await service.store.publish(quotes, [quote({ lastPrice: 1 })]);
        await service.request(QUOTE);
        await service.store.publish(quotes, [quote({ lastPrice: 2 })]);
        // Never asked before, so it is read at once, from the new revision.
        const fresh = await service.request(`${QUOTE}?limit=7`);
        expect(fresh.headers.get('tenor-revision')).toBe('2');
        expect((await service.request(QUOTE)).headers.get('tenor-revision')).toBe('2');
      });

      test('accepts tokens and links with the first request after they were issued', async () => {
        const tokens = service.store.tokens();
        // More than one poll can have found by chance.
        for (let round = 0; round < 5; round++) {
          const { secret } = await issueToken(tokens, terms);
          const authorization = `Bearer ${secret}`;
          expect((await service.request(QUOTE, { authorization })).status).toBe(200);
          const link = await issueLink(tokens, { ...terms, target: QUOTE });
          const path = `/links/${link.secret}`;
          expect((await service.request(path, { authorization: '' })).status).toBe(200);
        }
        const funds = await issueToken(tokens, { ...terms, scopes: ['funds'], rate: '2/hour' });
        const authorization = `Bearer ${funds.secret}`;
        const statuses: number[] = [];
        for (let count = 0; count < 3; count++)
          statuses.push((await service.request(QUOTE, { authorization })).status);
        expect(statuses).toEqual([403, 403, 429]);
        tokens.close();
      });

      test('rejects a revoked token within five seconds', async () => {
        const tokens = service.store.tokens();
        const { token, secret } = await issueToken(tokens, terms);
        const authorization = `Bearer ${secret}`;
        expect((await service.request(QUOTE, { authorization })).status).toBe(200);
        await tokens.update(token.id, { revokedAt: new Date().toISOString() });
        await retryUntil(30_000, async () => {
          expect((await service.request(QUOTE, { authorization })).status).toBe(401);
        });
        tokens.close();
      });

      test('rejects a token from its expiry on', async () => {
        const tokens = service.store.tokens();
        const expiresAt = new Date(Date.now() + 1_800).toISOString();
        const { secret } = await issueToken(tokens, { ...terms, expiresAt });
        tokens.close();
        const authorization = `Bearer ${secret}`;
        expect((await service.request(QUOTE, { authorization })).status).toBe(200);
        await retryUntil(3_000, async () => {
          expect((await service.request(QUOTE, { authorization })).status).toBe(401);
        });
      });

      test('writes the last use of a token soon after it, and when it stops', async () => {
        const other = await startTestServer(await createStore());
        const tokens = other.store.tokens();
        const { token, secret } = await issueToken(tokens, terms);
        const authorization = `Bearer ${secret}`;
        expect((await other.request(QUOTE, { authorization })).status).toBe(200);
        // Long before the ten seconds after which that of a token in constant use is written.
        await retryUntil(5_000, async () => {
          expect((await tokens.all())[0]?.lastUsedAt).not.toBeNull();
        });
        tokens.close();
        const instantMs = Date.now();
        await other.request(QUOTE, { authorization });
        const remove = other.store.remove;
        other.store.remove = async () => {};
        await other.stop();
        const after = other.store.tokens();
        const [stored] = await after.all();
        after.close();
        await remove();
        expect(stored?.id).toBe(token.id);
        expect(Date.parse(stored?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(instantMs);
      });

      test('responds while a publisher holds the write lock', async () => {
        await service.store.publish(quotes, [quote({})]);
        const publisher = service.store.publisher();
        await publisher.transaction(async () => {
          for (const limit of [1, 2, 3]) {
            expect((await service.request(`${QUOTE}?limit=${limit}`)).status).toBe(200);
          }
        });
        publisher.close();
      });
    });
  });
}
