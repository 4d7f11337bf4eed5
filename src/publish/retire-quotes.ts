import { quotes } from '../catalogue/datasets/quotes.ts';
import { getKeyValues, getStorageTable } from '../schema/storage-table.ts';
import type {
  CursorPosition,
  Publisher,
  PublishTransaction,
  RecordKey,
  Revision,
} from '../store/open-store.ts';
import { PublishError } from './errors.ts';
import type { PublishingOptions } from './publish-records.ts';

interface RetireQuotesOptions extends PublishingOptions {
  /** As it is spelled; no ISIN, which several symbols may have. */
  readonly symbol: string;
  /** First and last day, inclusive; open-ended where absent. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Removes the quotes of one symbol from the current data, on all days or some. */
export function retireQuotes(
  publisher: Publisher,
  { symbol, from, to, author, isDryRun = false }: RetireQuotesOptions,
): Promise<Revision> {
  return publisher.transaction(async (transaction) => {
    if (isDryRun) transaction.abandon();
    const retiredKeys = await findKeys(transaction, symbol, [from ?? FIRST_DAY, to ?? LAST_DAY]);
    const range = `${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`;
    if (retiredKeys.length === 0)
      throw new PublishError(
        `quotes has none of the symbol ${symbol}${range}; nothing was retired`,
      );
    const source = `retired by symbol: ${symbol}${range}`;
    const change = { dataset: quotes, retiredKeys, source, author };
    // Every key has a current record, so there is a revision.
    return (await transaction.publish(change)) as Revision;
  });
}

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';
const PAGE_SIZE = 10_000;

async function findKeys(
  transaction: PublishTransaction,
  symbol: string,
  dateRange: readonly [from: string, to: string],
): Promise<RecordKey[]> {
  const table = getStorageTable(quotes);
  const keys: RecordKey[] = [];
  let after: CursorPosition | undefined;
  do {
    const page = { security: symbol, dateRange, limit: PAGE_SIZE, ...(after && { after }) };
    const selection = { kind: 'quotes', dataset: quotes, ...page } as const;
    const { records, lastPosition } = await transaction.read(selection);
    const found = JSON.parse(`[${records}]`) as { readonly symbol: string }[];
    // An ISIN, or another spelling, finds the quotes of other symbols as well.
    const own = found.filter((quote) => quote.symbol === symbol);
    keys.push(...own.map((quote) => getKeyValues(table, quote)));
    after = lastPosition;
  } while (after);
  return keys;
}
