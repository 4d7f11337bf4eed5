import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { Store } from '../../src/store/open-store.ts';
import { quote } from './quote-fixture.ts';

const SYMBOLS = 20;

/** A security of the market. */
export function getSymbol(index: number): string {
  return `P${String(index % SYMBOLS).padStart(2, '0')}`;
}

/** The price of all securities at a revision, by which a response can be told from others. */
export function getPrice(revision: number): number {
  return 100 + revision;
}

/** Publishes the next revision, with its price for every security; returns its number. */
export async function reprice(store: Pick<Store, 'publisher'>, author = 'test'): Promise<number> {
  const publisher = store.publisher();
  try {
    return await publisher.transaction(async (transaction) => {
      const revision = (await transaction.revision()) + 1;
      const records = Array.from({ length: SYMBOLS }, (_, index) =>
        quote({ symbol: getSymbol(index), lastPrice: getPrice(revision) }),
      );
      await publishRecords(transaction, { dataset: quotes, records, source: 'prices', author });
      return revision;
    });
  } finally {
    publisher.close();
  }
}
