import { toPricingTerms } from '../../bonds/index.ts';
import { type Holiday, holidays } from '../../catalogue/datasets/holidays.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { Fields } from '../../catalogue/model/field.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { foldAsciiCase } from '../../schema/storage-table.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { createCalendarCheck } from '../quality/unknown-calendar.ts';
import { findUnknownConvention } from '../quality/unknown-convention.ts';
import { NO_WARNINGS } from '../quality/warning-rules.ts';
import { createSecurityIdentifier } from './security-identifier.ts';

/** The published reference data, by upper-case identifier. */
export async function readReferenceRecords<Record extends AnyRecord>(
  transaction: PublishTransaction,
  dataset: Dataset,
): Promise<Map<string, Record>> {
  const records = new Map<string, Record>();
  const [last] = await transaction.revisions({ datasets: [dataset.name], limit: 1 });
  if (!last) return records;
  const getKey = createKeyReader(dataset);
  for await (const batch of transaction.records(dataset)) {
    for (const text of batch) {
      const record = JSON.parse(text) as Record;
      records.set(getKey(record), record);
    }
  }
  return records;
}

/** A record with all fields that may be unknown set to null. */
export function createEmptyRecord<F extends Fields>(dataset: Dataset<F>) {
  const names = Object.keys(dataset.fields);
  return Object.fromEntries(names.map((name) => [name, null])) as DatasetRecord<typeof dataset>;
}

export type ReferenceCompleter = Awaited<ReturnType<typeof createReferenceCompleter>>;

/** Completes draft records: fields that a file lacks keep their published value, else become null. */
export async function createReferenceCompleter(
  dataset: Dataset,
  transaction: PublishTransaction,
  replace: boolean,
) {
  const getKey = createKeyReader(dataset);
  const { identify, findStored, findWarnings } = await createIdentifier(dataset, transaction);
  const names = Object.keys(dataset.fields).filter((name) => dataset.fields[name]?.isNullable);
  return {
    identify,
    findWarnings,
    /** A problem if the record is not identified. */
    complete(record: Record<string, unknown>): FieldProblem | undefined {
      const problem = identify(record);
      const previous: AnyRecord | undefined = replace ? undefined : findStored(getKey(record));
      for (const name of names) {
        const isAbsent = !Object.hasOwn(record, name);
        record[name] = (isAbsent ? previous?.[name] : record[name]) ?? null;
      }
      return problem;
    },
  };
}

async function createIdentifier(dataset: Dataset, transaction: PublishTransaction) {
  if (dataset.name === securities.name) {
    const stored = await readReferenceRecords<SecurityRecord>(transaction, dataset);
    const { entries } = await transaction.securities(quotes);
    const types = new Map(entries.map(({ symbol, type }) => [foldAsciiCase(symbol), type]));
    const days = await readReferenceRecords<Holiday>(transaction, holidays);
    const findUnknownCalendar = createCalendarCheck(days.values());
    const findWarnings = (record: AnyRecord) => {
      const symbol = String(record.symbol);
      const type = types.get(foldAsciiCase(symbol));
      const convention = findUnknownConvention(symbol, type, toPricingTerms(record));
      return [convention, findUnknownCalendar(record)].filter((warning) => !!warning);
    };
    return { ...createSecurityIdentifier(stored, entries), findWarnings };
  }
  const stored = await readReferenceRecords(transaction, dataset);
  const findStored = (key: string) => stored.get(key);
  return { identify: () => undefined, findStored, findWarnings: () => NO_WARNINGS };
}

function createKeyReader(dataset: Dataset): (record: AnyRecord) => string {
  const fields = getKeyFields(dataset);
  return (record) => foldAsciiCase(fields.map((field) => record[field]).join('\0'));
}
