import { expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { closeAfterEach } from '../../support/close-after-each.ts';
import { encodeRow } from '../../support/publish-at.ts';
import { quote } from '../../support/quote-fixture.ts';
import { ENGINES } from '../../support/store.ts';

const { closing, removing } = closeAfterEach();

let price = 0;
/** A change that differs from every earlier one. */
const nextChange = () => {
  const rows = [[encodeRow(quotes, quote({ lastPrice: ++price }))]];
  return { dataset: quotes, rows, source: 'test', author: 'test' };
};

for (const { name: engine, createStore } of ENGINES) {
  test(`${engine}: the revision at an instant is the same for ever, for every reader, whatever is published meanwhile`, async () => {
    const store = removing(await createStore());
    const publisher = closing(store.publisher());
    const [reader, otherReader] = [closing(store.reader()), closing(store.reader())];
    const answers: { instant: string; revision: number | undefined }[] = [];
    let isPublishing = true;
    const ask = async (random: () => number) => {
      while (isPublishing) {
        const isWholeSecond = random() < 0.02;
        const ms = Date.now() - Math.floor(random() * 10);
        const instant = new Date(isWholeSecond ? ms - (ms % 1_000) + 999 : ms).toISOString();
        const asked = random() < 0.5 ? reader : otherReader;
        const { revision, isFinal } = await asked.revisionAt(instant);
        expect(isFinal).toBe(true);
        answers.push({ instant, revision: revision?.revision });
        await Bun.sleep(1);
      }
    };
    const asking = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => ask(createRandom(seed))));
    const random = createRandom(9);
    for (let count = 0; count < 40; count++) {
      // The commit comes some time after the instant is taken.
      await publisher.transaction(async (transaction) => {
        await transaction.publish(nextChange());
        await Bun.sleep(Math.floor(random() * 30));
      });
      await Bun.sleep(Math.floor(random() * 10));
    }
    isPublishing = false;
    await asking;
    expect(new Set(answers.map(({ revision }) => revision)).size).toBeGreaterThan(20);
    for (const { instant, revision } of answers) {
      const found = await reader.revisionAt(instant);
      expect([instant, found.revision?.revision]).toEqual([instant, revision]);
    }
  });
}

/** Numbers from 0 to 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed * 16_777_213;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
