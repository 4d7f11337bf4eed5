import { quotes } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { isSameLabelKind } from '../catalogue/model/period.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { foldAsciiCase, getKeyValues, getStorageTable } from '../schema/storage-table.ts';
import { isDay } from '../shared/calendar.ts';
import {
  formatKey,
  type Publisher,
  type PublishTransaction,
  type RecordKey,
  type Revision,
} from '../store/open-store.ts';
import { PublishError } from './errors.ts';
import { readCurrentLabels } from './load/published-labels.ts';
import type { PublishingOptions } from './publish-records.ts';
import { findManyRetired } from './quality/refusal-rules.ts';

interface RetireOptions extends PublishingOptions {
  readonly dataset: Dataset;
  /** Keys as people write them: a period, a fund's id, `DATE/SYMBOL`, or `PERIOD/VALUE`. */
  readonly keys: readonly string[];
}

/** Removes all of the records from the current data, or none. */
export function retireRecords(
  publisher: Pick<Publisher, 'transaction'>,
  { dataset, keys, author, isDryRun }: RetireOptions,
): Promise<Revision> {
  const requested = keys.map((text) => {
    const candidates = parseRecordKeys(dataset, text);
    if (candidates.length > 0) return { text, candidates };
    throw new PublishError(
      `"${text}" is no key of ${dataset.name}: it must be ${describeKeyFormat(dataset)}`,
    );
  });
  return publisher.transaction(
    async (transaction) => {
      const missing: string[] = [];
      const found: RecordKey[] = [];
      const labels = await readCurrentLabels(transaction, dataset);
      for (const { text, candidates } of requested) {
        const label = labels.get(Number(candidates[0]?.[0])) ?? text;
        const current = await transaction.currentRecords(dataset, candidates);
        const keys = candidates.filter((key) => current.has(formatKey(key)));
        if (keys.length > 1)
          throw new PublishError(
            `"${text}" is the key of ${keys.length} records; nothing was retired`,
          );
        if (!isSameLabelKind(label, text)) missing.push(`${text}, but ${label}`);
        else if (keys.length === 0) missing.push(text);
        found.push(...keys);
      }
      if (missing.length > 0)
        throw new PublishError(
          `${dataset.name} has no record ${missing.join(', ')}; nothing was retired`,
        );
      // A record may be named twice: as FY24 and FY2024, or a fund in two spellings.
      const retiredKeys = new Map(found.map((key) => [key.join('\0'), key])).values();
      const change = { dataset, retiredKeys, source: 'retired by key', author };
      // Every key has a current record, so there is a revision.
      return (await transaction.publish(change)) as Revision;
    },
    { isDryRun },
  );
}

/** Several keys if values contain slashes; none if the text is not a key. */
function parseRecordKeys(dataset: Dataset, text: string): RecordKey[] {
  if (dataset.shape === 'fund' || dataset.shape === 'reference') {
    const others = getKeyFields(dataset).length - 1;
    return splitAtSlashes(text, others).map(([id = '', ...rest]) => [foldAsciiCase(id), ...rest]);
  }
  if (dataset.period) {
    const { kind } = dataset.period;
    const { dimensions = [] } = dataset.declaration ?? {};
    return splitAtSlashes(text, dimensions.length).flatMap(([label = '', ...values]) => {
      const ordinal = kind.toOrdinal(label);
      return ordinal === undefined ? [] : [[ordinal, ...values]];
    });
  }
  const slash = text.indexOf('/');
  const [date, symbol] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !isDay(date) || symbol === '') return [];
  const values: Readonly<Record<string, string>> = { date, symbol };
  return [getStorageTable(dataset).key.map(({ column }) => values[column] ?? '')];
}

/** Every way to split a text at this many of its slashes. */
function splitAtSlashes(text: string, count: number): string[][] {
  if (count === 0) return [[text]];
  return [...text.matchAll(/\//g)].flatMap(({ index }) =>
    splitAtSlashes(text.slice(index + 1), count - 1).map((rest) => [text.slice(0, index), ...rest]),
  );
}

function describeKeyFormat(dataset: Dataset): string {
  const { shape, period, declaration } = dataset;
  const keyFields = getKeyFields(dataset);
  if ((period && declaration?.dimensions?.length) || dataset.keyFields) {
    const example = keyFields.map((field) => dataset.example[field]);
    return `${keyFields.join('/')}, such as ${example.join('/')}`;
  }
  if (shape === 'quotes') return 'DATE/SYMBOL, such as 2026-06-30/ZZ12TB031226';
  if (shape === 'reference') return `a ${keyFields.join()}`;
  return shape === 'fund' ? "a fund's fund_id" : (period?.kind.requirement ?? 'a period');
}

/** Which records of a series, as plain data. */
export interface RecordFilter {
  /** Values of each dimension, in the order of the declaration; null for all. */
  readonly dimensions: readonly (readonly string[] | null)[];
  /** Ordinals of the first and last period, inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly canRetireMany: boolean;
  /** For the ledger: the filter as it was given. */
  readonly filter: string;
}

interface RetireSelectedOptions extends PublishingOptions, RecordFilter {
  readonly dataset: Dataset;
}

/** Removes the records of a series that match a filter from the current data. */
export function retireSelected(
  publisher: Pick<Publisher, 'transaction'>,
  {
    dataset,
    from,
    to,
    filter,
    canRetireMany,
    author,
    isDryRun,
    ...selected
  }: RetireSelectedOptions,
): Promise<Revision> {
  return publisher.transaction(
    async (transaction) => {
      const table = getStorageTable(dataset);
      const dimensions = selected.dimensions.map((values) => values ?? undefined);
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const retiredKeys: RecordKey[] = [];
      let after: RecordKey | undefined;
      do {
        const page = { dimensions, ...range, limit: PAGE_SIZE, ...(after && { after }) };
        const found = await transaction.read({ kind: 'observations', dataset, ...page });
        for (const record of JSON.parse(`[${found.records}]`))
          retiredKeys.push(getKeyValues(table, record));
        after = found.lastKey;
      } while (after);
      if (retiredKeys.length === 0)
        throw new PublishError(`${dataset.name} has no record with ${filter}; nothing was retired`);
      const { entries } = await transaction.coverage([dataset]);
      const all = entries[0]?.count ?? 0;
      const counts = { added: 0, corrected: 0, retired: retiredKeys.length };
      const unchanged = all - retiredKeys.length;
      const many = findManyRetired(dataset, { ...counts, unchanged }, 'the filter');
      if (many && !canRetireMany) throw many;
      const change = { dataset, retiredKeys, source: `retired by filter: ${filter}`, author };
      return (await transaction.publish(change)) as Revision;
    },
    { isDryRun },
  );
}

interface RetireQuotesOptions extends PublishingOptions {
  /** As spelled; not an ISIN, which several symbols may share. */
  readonly symbol: string;
  /** First and last day, inclusive; open-ended if absent. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Removes the quotes of one symbol from the current data, on all days or some. */
export function retireQuotes(
  publisher: Pick<Publisher, 'transaction'>,
  { symbol, from, to, author, isDryRun }: RetireQuotesOptions,
): Promise<Revision> {
  return publisher.transaction(
    async (transaction) => {
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
    },
    { isDryRun },
  );
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
  let after: RecordKey | undefined;
  do {
    const page = { security: symbol, dateRange, limit: PAGE_SIZE, ...(after && { after }) };
    const selection = { kind: 'quotes', dataset: quotes, ...page } as const;
    const { records, lastKey } = await transaction.read(selection);
    const found = JSON.parse(`[${records}]`) as { readonly symbol: string }[];
    // An ISIN or another spelling would also find the quotes of other symbols.
    const own = found.filter((quote) => quote.symbol === symbol);
    keys.push(...own.map((quote) => getKeyValues(table, quote)));
    after = lastKey;
  } while (after);
  return keys;
}
