import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { DAY_MS } from '../../src/shared/calendar.ts';
import {
  ClockSkewError,
  type PublisherOptions,
  type Store,
  type TokenStore,
} from '../../src/store/open-store.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { encodeRow, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const MINUTE_MS = 60_000;
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

let price = 0;
/** A change that differs from every earlier one. */
const nextChange = () => {
  const rows = [[encodeRow(quotes, quote({ lastPrice: ++price }))]];
  return { dataset: quotes, rows, source: 'test', author: 'test' };
};

afterEach(() => {
  setSystemTime();
});

for (const { name: engine, createStore } of ENGINES) {
  const publish = (store: Store, options: PublisherOptions = {}) =>
    closing(store.publisher({ allowsClockSkew: false, ...options })).publish(nextChange());
  const publishEarlier = (store: Store, at: string) =>
    publishAt(store, at, quotes, { records: [quote({ lastPrice: ++price })] });

  describe(`${engine}: the instant of a revision`, () => {
    test('is after that of the revision before it, within one millisecond and one transaction too', async () => {
      const store = removing(await createStore());
      const publisher = closing(store.publisher());
      await publisher.transaction(async (transaction) => {
        for (let count = 0; count < 10; count++) await transaction.publish(nextChange());
      });
      for (let count = 0; count < 10; count++) await publisher.publish(nextChange());
      const instants = (await publisher.revisions()).map(({ publishedAt }) => publishedAt);
      expect(instants).toEqual([...new Set(instants)].toSorted().toReversed());
      expect(instants).toHaveLength(20);
    });

    test('is soon after that of the last revision, and hardly twice the same, if the clock is less than a minute behind it', async () => {
      const delaysMs = new Set<number>();
      for (let restored = 0; restored < 4; restored++) {
        const store = removing(await createStore());
        const last = fromNow(MINUTE_MS / 2);
        await publishEarlier(store, last);
        const revision = await publish(store);
        expect(revision).toMatchObject({ revision: 2 });
        delaysMs.add(Date.parse(revision?.publishedAt ?? '') - Date.parse(last));
      }
      expect(delaysMs.size).toBeGreaterThan(1);
      expect(Math.min(...delaysMs)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...delaysMs)).toBeLessThanOrEqual(250);
    });

    test('is not taken from a clock that is more than a minute behind it, unless that is allowed', async () => {
      const store = removing(await createStore());
      const last = fromNow(5 * MINUTE_MS);
      await publishEarlier(store, last);
      const rejected = publish(store);
      await expect(rejected).rejects.toBeInstanceOf(ClockSkewError);
      await expect(rejected).rejects.toThrow(/ is 5 min behind revision 1 .*--clock-skew allow/);
      expect(await closing(store.reader()).revision()).toBe(1);
      const revision = await publish(store, { allowsClockSkew: true });
      const delayMs = Date.parse(revision?.publishedAt ?? '') - Date.parse(last);
      expect(delayMs).toBeGreaterThanOrEqual(1);
      expect(delayMs).toBeLessThanOrEqual(250);
    });

    test.skipIf(engine === 'sqlite')(
      'is warned of if it is more than a year after that of the last revision',
      async () => {
        const store = removing(await createStore());
        const warnings: string[] = [];
        const onClockJump = (message: string) => warnings.push(message);
        await publishEarlier(store, '2020-01-01T00:00:00Z');
        expect(await publish(store, { onClockJump })).toMatchObject({ revision: 2 });
        expect(await publish(store, { onClockJump })).toMatchObject({ revision: 3 });
        expect(warnings).toEqual([
          expect.stringMatching(/ is \d+ days ahead of revision 1 .*is it right\?$/),
        ]);
      },
    );

    test.if(engine === 'sqlite')(
      'is not taken from a clock that is more than 90 days after all that the database knows of, unless that is allowed',
      async () => {
        const store = removing(await createStore());
        const last = fromNow(-91 * DAY_MS);
        await publishEarlier(store, last);
        const rejected = publish(store);
        await expect(rejected).rejects.toBeInstanceOf(ClockSkewError);
        await expect(rejected).rejects.toThrow(
          new RegExp(` is 91 days ahead of revision 1 \\(${last}\\).*--clock-skew allow`),
        );
        expect(await closing(store.reader()).revision()).toBe(1);
        const allowed = await publish(store, { allowsClockSkew: true });
        expect(allowed).toMatchObject({ revision: 2 });
        expect(await publish(store)).toMatchObject({ revision: 3 });
      },
    );

    test.if(engine === 'sqlite')(
      'is taken from a clock that a use of a token or a start of a server in the last 90 days confirms',
      async () => {
        const useToken = async (tokens: TokenStore, instant: string) => {
          const terms = { name: 'ann', scopes: ['quotes'], rate: null, expiresAt: null };
          const { token } = await issueToken(tokens, terms);
          await tokens.recordLastUsed(new Map([[token.id, instant]]));
        };
        for (const confirm of [
          (tokens: TokenStore) => useToken(tokens, fromNow(-89 * DAY_MS)),
          (tokens: TokenStore) => tokens.recordServerStart?.(),
        ]) {
          const store = removing(await createStore());
          await publishEarlier(store, fromNow(-91 * DAY_MS));
          const tokens = closing(store.tokens());
          await useToken(tokens, fromNow(-90.1 * DAY_MS));
          await expect(publish(store)).rejects.toThrow(/ is 90 days ahead of the last use of a /);
          await confirm(tokens);
          expect(await publish(store)).toMatchObject({ revision: 2 });
        }
      },
    );

    test('does not depend on when sample data was published, which is made up', async () => {
      const store = removing(await createStore());
      const sample = { records: [quote({ lastPrice: ++price })], sample: true };
      await publishAt(store, fromNow(-300 * DAY_MS), quotes, sample);
      expect(await publish(store)).toMatchObject({ revision: 2 });
    });

    test.skipIf(engine === 'sqlite').each([
      ['behind', -5],
      ['ahead of', 5],
    ])(
      'is that of the database server: a publisher whose clock is five minutes %s it is rejected, unless that is allowed',
      async (direction, minutes) => {
        const store = removing(await createStore());
        const before = Date.now();
        setSystemTime(before + minutes * MINUTE_MS);
        await expect(publish(store)).rejects.toThrow(
          new RegExp(` is 5 min ${direction} that of the database server .*--clock-skew allow`),
        );
        const revision = await publish(store, { allowsClockSkew: true });
        const skewMs = Date.parse(revision?.publishedAt ?? '') - before;
        expect(Math.abs(skewMs)).toBeLessThan(MINUTE_MS);
      },
    );
  });

  describe(`${engine}: the revision at an instant`, () => {
    test('is the last of those that share it, none of which is before the one before it', async () => {
      const store = removing(await createStore());
      const [monday, tuesday] = ['2026-01-05T00:00:00.000Z', '2026-01-06T00:00:00.000Z'];
      for (const instant of [monday, tuesday, tuesday, monday])
        await publishEarlier(store, instant);
      const reader = closing(store.reader());
      const instants = (await reader.revisions()).map(({ publishedAt }) => publishedAt);
      expect(instants).toEqual([tuesday, tuesday, tuesday, monday]);
      expect(await reader.revisionAt(tuesday)).toMatchObject({ revision: { revision: 4 } });
      expect(await reader.revisionAt(monday)).toMatchObject({
        revision: { revision: 1 },
        isFinal: true,
      });
    });

    test('is the newest one, and not final, in the future', async () => {
      const store = removing(await createStore());
      await publish(store);
      const found = await closing(store.reader()).revisionAt('2099-01-01T00:00:00.000Z');
      expect(found).toMatchObject({ revision: { revision: 1 }, isFinal: false });
    });
  });
}
