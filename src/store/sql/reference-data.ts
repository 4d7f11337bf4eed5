import { type CouponRate, couponRates } from '../../catalogue/datasets/coupon-rates.ts';
import { type Holiday, holidays } from '../../catalogue/datasets/holidays.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase, getStorageTable } from '../../schema/storage-table.ts';
import type { SecurityTerms } from '../reader.ts';
import { type DatasetStates, readDatasetStates } from './dataset-states.ts';
import type { Dialect } from './dialect.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import { allRecordsStatement } from './select-records.ts';

/** Every record of a dataset, by its key. */
export function* readRecords<T extends AnyRecord>(
  dataset: Dataset,
  states: DatasetStates,
): QuerySteps<T[]> {
  const state = states.get(dataset.name);
  if (!state?.count) return [];
  const rows = yield* queryRows<{ record: string }>(
    allRecordsStatement(getStorageTable(dataset), state.asOf),
  );
  return rows.map(({ record }) => JSON.parse(record) as T);
}

/** How entries of a list and records of reference data belong together. */
interface Join<Entry, Reference, Joined> {
  readonly entries: readonly Entry[];
  readonly references: readonly Reference[];
  readonly getId: (item: Entry | Reference) => string;
  /** Whose reference data an entry has if there is none of its own identifier. */
  readonly getAlternateId?: (entry: Entry) => string | undefined;
  /** The key that the list is sorted by, as bytes. */
  readonly getSortKey: (id: string) => string;
  /** Its names, in this order, are joined: of the entry, else of the reference data, else null. */
  readonly example: Joined;
}

/** The entries with their reference data, and the reference data of those that have no entry. */
export function joinReferenceData<
  Entry extends object,
  Reference extends object,
  Joined extends object,
>({
  entries,
  references,
  getId,
  getAlternateId = () => undefined,
  getSortKey,
  example,
}: Join<Entry, Reference, Joined>): Joined[] {
  const names = Object.keys(example);
  const join = (known: object) => {
    const values = new Map<string, unknown>(Object.entries(known));
    return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null])) as Joined;
  };
  const toKey = (item: Entry | Reference) => foldAsciiCase(getId(item));
  const byKey = new Map(references.map((reference) => [toKey(reference), reference]));
  const toAlternateKey = (entry: Entry) => foldAsciiCase(getAlternateId(entry) ?? '');
  const findReference = (entry: Entry) =>
    byKey.get(toKey(entry)) ?? byKey.get(toAlternateKey(entry));
  const listed = new Set(entries.flatMap((entry) => [toKey(entry), toAlternateKey(entry)]));
  const unlisted = references.filter((reference) => !listed.has(toKey(reference)));
  const joined = [
    ...entries.map((entry) => [getId(entry), join({ ...findReference(entry), ...entry })] as const),
    ...unlisted.map((reference) => [getId(reference), join(reference)] as const),
  ];
  const toBytes = (id: string) => Buffer.from(getSortKey(id));
  // As engines sort, which the entries come from.
  if (unlisted.length > 0) joined.sort(([a], [b]) => Buffer.compare(toBytes(a), toBytes(b)));
  return joined.map(([, item]) => item);
}

/** The terms of all securities as of a revision, by symbol, with holidays and coupon rates if they need any. */
export function* findSecurityTerms(
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<SecurityTerms> {
  const { revision, states } = yield* readDatasetStates(asOf, dialect);
  const records = yield* readRecords<SecurityRecord>(securities, states);
  const entries = records.map(({ symbol, issuer: _issuer, ...terms }) => ({
    symbol: foldAsciiCase(symbol),
    ...terms,
  }));
  const hasCalendar = records.some(({ calendar }) => (calendar ?? null) !== null);
  const known = hasCalendar ? yield* readRecords<Holiday>(holidays, states) : [];
  const hasFloater = records.some(({ floating }) => floating === true);
  const rates = hasFloater ? yield* readRecords<CouponRate>(couponRates, states) : [];
  return { revision, entries, holidays: known, couponRates: rates };
}
