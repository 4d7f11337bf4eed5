import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../rows.ts';
import type { ChangeRecorder, RowWriter } from '../../sql/session.ts';
import { getSqlState } from '../errors.ts';
import type { SqlExecutor } from '../query.ts';
import { streamRows } from '../session.ts';
import { createRowKeys } from './batch-executors.ts';
import { createTableOperations } from './table-operations.ts';

interface WriterTarget {
  readonly connection: SqlExecutor;
  readonly isDistributed: boolean;
}

/** Writes and retires the records of one table, many with one statement. */
export async function createPostgresWriter(
  { connection, isDistributed }: WriterTarget,
  table: StorageTable,
  revision: number,
  recorder: ChangeRecorder,
): Promise<RowWriter> {
  return new PostgresWriter(connection, table, {
    operations: await createTableOperations(connection, table, revision, isDistributed),
    keys: createRowKeys(table),
    revision,
    recorder,
    counts: { added: 0, corrected: 0, retired: 0, unchanged: 0 },
  });
}

class PostgresWriter implements RowWriter {
  readonly counts: WriteContext['counts'];
  // The next rows are read and validated while the server works on these.
  #pending: Promise<readonly EncodedRow[]> = Promise.resolve([]);

  constructor(
    private readonly connection: SqlExecutor,
    private readonly table: StorageTable,
    private readonly context: WriteContext,
  ) {
    this.counts = context.counts;
  }

  async write(rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]> {
    const duplicates = await this.#pending;
    this.#pending = writeRows(this.context, rows);
    // The next call throws the error; there may be none.
    this.#pending.catch(() => {});
    return duplicates;
  }

  async retire(recordKeys: readonly RecordKey[]): Promise<readonly RecordKey[]> {
    await this.#pending;
    const keys = recordKeys.map(this.context.keys.fromRecordKey);
    const duplicates = await retireKeys(this.context, keys);
    return duplicates.map((key) => key.slice(0, this.table.key.length));
  }

  async retireAbsent(): Promise<void> {
    await this.#pending;
    await this.context.operations.collectAbsentKeys();
    const absent = streamRows(this.connection, { sql: 'SELECT * FROM tenor_absent' }, RETIRED_ROWS);
    for await (const rows of absent) {
      const keys = rows.map((row) => Object.values(row));
      await retireKeys(this.context, keys);
    }
  }

  async flush(): Promise<readonly EncodedRow[]> {
    return this.#pending;
  }

  async waitForPending(): Promise<unknown> {
    try {
      await this.#pending;
      return undefined;
    } catch (cause) {
      // A statement that only failed because of an earlier error is not the cause.
      return getSqlState(cause) === TRANSACTION_ABORTED ? undefined : cause;
    }
  }
}

/** How many absent records are retired at once. */
const RETIRED_ROWS = 10_000;

const TRANSACTION_ABORTED = '25P02';

interface WriteContext {
  readonly operations: Awaited<ReturnType<typeof createTableOperations>>;
  readonly keys: ReturnType<typeof createRowKeys>;
  readonly revision: number;
  readonly recorder: ChangeRecorder;
  readonly counts: { added: number; corrected: number; retired: number; unchanged: number };
}

/** Inserts or replaces records; returns the rows whose key came earlier, in their order. */
async function writeRows(
  context: WriteContext,
  rows: readonly EncodedRow[],
): Promise<readonly EncodedRow[]> {
  const { operations, keys, recorder, counts } = context;
  const remaining = new Map<string, EncodedRow>();
  const duplicates = new Set<EncodedRow>();
  for (const row of rows) {
    const key = keys.toText(keys.fromRow(row));
    if (remaining.has(key)) duplicates.add(row);
    else remaining.set(key, row);
  }
  const added = await operations.insertNew([...remaining.values()]);
  for (const key of added.map(keys.toText)) {
    recorder.addPublished(remaining.get(key) as EncodedRow);
    remaining.delete(key);
  }
  counts.added += added.length;
  if (remaining.size > 0) {
    for (const row of await replaceRows(context, remaining)) duplicates.add(row);
  }
  return rows.filter((row) => duplicates.has(row));
}

/** Replaces records whose keys exist; returns the rows whose key came earlier. */
async function replaceRows(
  { operations, keys, revision, recorder, counts }: WriteContext,
  rows: ReadonlyMap<string, EncodedRow>,
): Promise<EncodedRow[]> {
  const currentRows = await operations.findReplaced([...rows.values()]);
  const unmarkedKeys = await operations.filterUnmarked(currentRows.map(({ key }) => key));
  const unmarked = new Set(unmarkedKeys.map(keys.toText));
  const duplicates: EncodedRow[] = [];
  const unchanged: RecordKey[] = [];
  const corrected: EncodedRow[] = [];
  for (const current of currentRows) {
    const { key, json, since } = current;
    const row = rows.get(keys.toText(key)) as EncodedRow;
    if (since === revision || unmarked.has(keys.toText(key))) duplicates.push(row);
    else if (json === row.json) unchanged.push(key);
    else {
      corrected.push(row);
      recorder.addSuperseded(current, since);
      recorder.addPublished(row);
    }
  }
  await operations.addUnmarked(unchanged);
  await operations.replaceCurrent(corrected);
  counts.unchanged += unchanged.length;
  counts.corrected += corrected.length;
  return duplicates;
}

/** Retires records; returns the keys that came earlier. */
async function retireKeys(
  { operations, keys, revision, recorder, counts }: WriteContext,
  retiredKeys: readonly RecordKey[],
): Promise<readonly RecordKey[]> {
  const remaining = new Map<string, RecordKey>();
  for (const key of retiredKeys) {
    const text = keys.toText(key);
    if (!remaining.has(text)) remaining.set(text, key);
  }
  const unmarked = await operations.filterUnmarked([...remaining.values()]);
  for (const key of unmarked) remaining.delete(keys.toText(key));
  const currentRows = await operations.findCurrent([...remaining.values()]);
  for (const { key, since } of currentRows) {
    if (since === revision) remaining.delete(keys.toText(key));
  }
  const superseded = currentRows.filter(({ since }) => since < revision);
  for (const row of superseded) recorder.addSuperseded(row, row.since);
  await operations.retireCurrent(superseded.map(({ key }) => key));
  await operations.addUnmarked([...remaining.values()]);
  counts.retired += superseded.length;
  counts.unchanged += remaining.size - superseded.length;
  const retired = new Set(remaining.values());
  return retiredKeys.filter((key) => !retired.has(key));
}

/** In a cluster, a statement costs the same for a thousand rows as for one. */
const BUFFERED_ROWS = 10_000;

/** Collects rows, so that the other writer gets many at a time. */
export function createBufferedWriter(writer: RowWriter): RowWriter {
  let rows: EncodedRow[] = [];
  let duplicates: EncodedRow[] = [];
  const flush = async () => {
    const buffered = rows;
    rows = [];
    if (buffered.length > 0) duplicates.push(...(await writer.write(buffered)));
  };
  const takeDuplicates = () => {
    const taken = duplicates;
    duplicates = [];
    return taken;
  };
  return {
    counts: writer.counts,
    async write(newRows) {
      // Copied, because the same object may come again, and both would count as duplicates.
      for (const row of newRows) rows.push({ ...row });
      if (rows.length >= BUFFERED_ROWS) await flush();
      return takeDuplicates();
    },
    async retire(keys) {
      await flush();
      return writer.retire(keys);
    },
    async retireAbsent() {
      await flush();
      await writer.retireAbsent();
    },
    async flush() {
      await flush();
      const last = await writer.flush();
      return [...takeDuplicates(), ...last];
    },
    waitForPending: () => writer.waitForPending(),
  };
}
