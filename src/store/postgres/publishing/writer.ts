import type { StorageTable } from '../../../schema/storage-table.ts';
import type { RowChecksum } from '../../checksum.ts';
import type { EncodedRow, RecordKey } from '../../publisher.ts';
import type { RowWriter } from '../../sql/session.ts';
import type { SqlExecutor } from '../connection.ts';
import { getSqlState } from '../connection.ts';
import { streamRows } from '../session.ts';
import { createRowKeys } from './row-keys.ts';
import { createTableOperations } from './table-operations.ts';

/** Puts and retires the records of one table, many with one statement. */
export async function createPostgresWriter(
  connection: SqlExecutor,
  table: StorageTable,
  revision: number,
  sum: RowChecksum,
): Promise<RowWriter> {
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const keys = createRowKeys(table);
  const on = await createTableOperations(connection, table, revision);
  // The next rows are read and checked while the server works on those before them.
  let underWay: Promise<readonly EncodedRow[]> = Promise.resolve([]);

  const putNow = async (rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]> => {
    const wanted = new Map<string, EncodedRow>();
    const twice = rows.filter((row) => !addIfAbsent(wanted, keys.toText(keys.fromRow(row)), row));
    const repeated = new Set(twice);
    const added = await on.insertNew([...wanted.values()]);
    for (const key of added) {
      const text = keys.toText(key);
      sum.addStarted(wanted.get(text)?.json ?? '');
      wanted.delete(text);
    }
    counts.added += added.length;
    if (wanted.size > 0) for (const row of await replace(wanted)) repeated.add(row);
    // In the order in which they were given: who has to mend a file goes by its lines.
    return rows.filter((row) => repeated.has(row));
  };

  /** Rows whose keys are there already: some come again, some say the same, some correct. */
  const replace = async (wanted: ReadonlyMap<string, EncodedRow>): Promise<EncodedRow[]> => {
    const standing = await on.findCurrent([...wanted.values()].map(keys.fromRow));
    const seen = new Set((await on.filterSeen(standing.map(({ key }) => key))).map(keys.toText));
    const [repeated, same, changed]: [EncodedRow[], RecordKey[], EncodedRow[]] = [[], [], []];
    for (const { key, record, since } of standing) {
      const row = wanted.get(keys.toText(key)) as EncodedRow;
      if (since === revision || seen.has(keys.toText(key))) repeated.push(row);
      else if (record === row.json) same.push(key);
      else {
        changed.push(row);
        sum.addEnded(record, since);
        sum.addStarted(row.json);
      }
    }
    await on.markSeen(same);
    await on.replaceCurrent(changed);
    counts.unchanged += same.length;
    counts.corrected += changed.length;
    return repeated;
  };

  const retireNow = async (wanted: readonly RecordKey[]): Promise<readonly RecordKey[]> => {
    const first = new Map<string, RecordKey>();
    for (const key of wanted) addIfAbsent(first, keys.toText(key), key);
    const again = await on.filterSeen([...first.values()]);
    for (const key of again) first.delete(keys.toText(key));
    const standing = await on.findCurrent([...first.values()]);
    const fresh = standing.filter(({ since }) => since === revision).map(({ key }) => key);
    for (const key of fresh) first.delete(keys.toText(key));
    const ending = standing.filter(({ since }) => since < revision);
    for (const { record, since } of ending) sum.addEnded(record, since);
    await on.retireCurrent(ending.map(({ key }) => key));
    await on.markSeen([...first.values()]);
    counts.retired += ending.length;
    counts.unchanged += first.size - ending.length;
    const done = new Set(first.values());
    return wanted.filter((key) => !done.has(key));
  };

  return {
    counts,
    async write(rows) {
      const before = await underWay;
      underWay = putNow(rows);
      // Whoever asks next is told of its failure, and nobody may ask.
      underWay.catch(() => {});
      return before;
    },
    async retire(wanted) {
      await underWay;
      return (await retireNow(wanted.map(keys.fromRecordKey))).map((key) =>
        key.slice(0, table.key.length),
      );
    },
    async retireUnseen() {
      await underWay;
      await on.collectAbsentKeys();
      const absent = { sql: 'SELECT * FROM tenor_absent', values: [] };
      for await (const rows of streamRows(connection, absent)) {
        await retireNow(rows.map((row) => Object.values(row)));
      }
    },
    flush: async () => underWay,
    waitForPending: () =>
      underWay.then(
        () => undefined,
        // What could not go on, because something before it had failed, tells nothing.
        (cause) => (getSqlState(cause) === TRANSACTION_ABORTED ? undefined : cause),
      ),
  };
}

/** The state of SQL of a transaction in which something has failed. */
const TRANSACTION_ABORTED = '25P02';

function addIfAbsent<T>(known: Map<string, T>, key: string, value: T): boolean {
  if (known.has(key)) return false;
  known.set(key, value);
  return true;
}
