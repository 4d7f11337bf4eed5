import { quotes } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { isSameLabelKind } from '../catalogue/model/period.ts';
import { foldAsciiCase } from '../schema/fold-ascii-case.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { getKeyValues, getStorageTable } from '../schema/storage-table.ts';
import { isDay } from '../shared/calendar.ts';
import type {
  CursorPosition,
  Publisher,
  PublishTransaction,
  RecordKey,
  Revision,
} from '../store/open-store.ts';
import { PublishError } from './errors.ts';
import { readCurrentLabels } from './load/period-labels.ts';
import type { PublishingOptions } from './publish-records.ts';

interface RetireOptions extends PublishingOptions {
  readonly dataset: Dataset;
  /** As people write them: a period, a fund's id, a symbol, or both as `DATE/SYMBOL`. */
  readonly keys: readonly string[];
}

/** Removes records from the current data, all of them or none. */
export function retireRecords(
  publisher: Publisher,
  { dataset, keys, author, isDryRun = false }: RetireOptions,
): Promise<Revision> {
  const requested = keys.map((text) => {
    const key = parseRecordKey(dataset, text);
    if (key) return { text, key };
    throw new PublishError(
      `"${text}" is no key of ${dataset.name}: it must be ${describeKeyFormat(dataset)}`,
    );
  });
  return publisher.transaction(async (transaction) => {
    if (isDryRun) transaction.abandon();
    const missing: string[] = [];
    const labels = await readCurrentLabels(transaction, dataset);
    for (const { text, key } of requested) {
      const label = labels.get(Number(key[0])) ?? text;
      if (!isSameLabelKind(label, text)) missing.push(`${text}, but ${label}`);
      else if (!(await transaction.hasCurrentRecord(dataset, key))) missing.push(text);
    }
    if (missing.length > 0)
      throw new PublishError(
        `${dataset.name} has no record ${missing.join(', ')}; nothing was retired`,
      );
    // One record may be named twice: FY24 and FY2024, or a fund in two spellings.
    const retiredKeys = new Map(requested.map(({ key }) => [key.join('\0'), key])).values();
    const change = { dataset, retiredKeys, source: 'retired by key', author };
    // Every key has a current record, so there is a revision.
    return (await transaction.publish(change)) as Revision;
  });
}

function parseRecordKey(dataset: Dataset, text: string): RecordKey | undefined {
  if (dataset.shape === 'fund' || dataset.shape === 'reference') return [foldAsciiCase(text)];
  if (dataset.period) {
    const ordinal = dataset.period.kind.toOrdinal(text);
    return ordinal === undefined ? undefined : [ordinal];
  }
  const slash = text.indexOf('/');
  const [date, symbol] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !isDay(date) || symbol === '') return undefined;
  const values: Readonly<Record<string, string>> = { date, symbol };
  return getStorageTable(dataset).key.map(({ column }) => values[column] ?? '');
}

function describeKeyFormat(dataset: Dataset): string {
  const { shape, period } = dataset;
  if (shape === 'quotes') return 'DATE/SYMBOL, such as 2026-06-30/ZZ12TB031226';
  if (shape === 'reference') return `a ${getKeyFields(dataset).join()}`;
  return shape === 'fund' ? "a fund's fund_id" : (period?.kind.requirement ?? 'a period');
}

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
