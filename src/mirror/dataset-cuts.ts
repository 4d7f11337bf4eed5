import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { formatDay, getLastDayOfMonth, getMonthNumber, parseDay } from '../shared/calendar.ts';
import type { ReadResult, Selection, StoreReader } from '../store/open-store.ts';
import { exportDatasetForClient } from '../tabular/export-dataset.ts';

type CutReader = Pick<StoreReader, 'read' | 'records'>;

/**
 * The cut of a dataset that contains a record: the month of the last day of its period, such as `2026-05`. A
 * dataset without dates has a single cut with an empty name.
 */
export function createCutFinder(dataset: Dataset): (record: AnyRecord) => string {
  const { kind, field } = dataset.period ?? { field: 'date' };
  if (!getKeyFields(dataset).includes(field)) return () => '';
  return ({ [field]: label }) => {
    const day = kind?.findLastDay(String(label));
    return (day === undefined ? String(label) : formatDay(day)).slice(0, 7);
  };
}

/** The Parquet file of a cut as of a revision; undefined if it has no records. */
export async function buildCutFile(reader: CutReader, dataset: Dataset, cut: string, asOf: number) {
  let count = 0;
  async function* records() {
    for await (const batch of readCut(reader, dataset, cut, asOf)) {
      count += batch.length;
      yield batch;
    }
  }
  const cutReader = { records, revision: async () => asOf };
  const hasher = new Bun.CryptoHasher('sha256');
  const chunks: Uint8Array[] = [];
  for await (const chunk of exportDatasetForClient(cutReader, dataset, 'parquet', asOf)) {
    hasher.update(chunk);
    chunks.push(chunk);
  }
  return count === 0 ? undefined : { path: `data/${hasher.digest('hex')}.parquet`, chunks };
}

async function* readCut(reader: CutReader, dataset: Dataset, cut: string, asOf: number) {
  const { shape, period } = dataset;
  if (shape === 'quotes') return yield* readPages(reader, dataset, cut, asOf);
  const batches = period ? readPages(reader, dataset, cut, asOf) : reader.records(dataset, asOf);
  const findCut = createCutFinder(dataset);
  // A period that begins in a month may end in another.
  for await (const batch of batches)
    yield batch.filter((text) => findCut(JSON.parse(text) as AnyRecord) === cut);
}

/** The number of records or changes read at once. */
export const PAGE_SIZE = 10_000;

/** The quotes of a month, or the records of periods that have days in it. */
async function* readPages(reader: CutReader, dataset: Dataset, month: string, asOf: number) {
  const first = parseDay(`${month}-01`);
  const last = getLastDayOfMonth(getMonthNumber(first));
  const { kind } = dataset.period ?? {};
  const range = kind
    ? { kind: 'observations', from: kind.findOrdinal(first), to: kind.findOrdinal(last) }
    : { kind: 'quotes', dateRange: [formatDay(first), formatDay(last)] };
  const selection = { ...range, dataset, asOf, asNdjson: true, limit: PAGE_SIZE };
  let after: ReadResult['lastKey'];
  do {
    const page = await reader.read({ ...selection, ...(after && { after }) } as Selection);
    if (page.count > 0) yield page.records.split('\n');
    after = page.lastKey;
  } while (after);
}
