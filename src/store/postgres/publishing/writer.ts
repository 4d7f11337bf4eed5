import type { StorageTable } from '../../../schema/storage-table.ts';
import { type EncodedRow, formatKey, type RecordKey } from '../../rows.ts';
import type { OnRowChange, RowWriter } from '../../sql/session.ts';
import { createStagedOperations } from '../citus/staged-operations.ts';
import { getSqlState } from '../errors.ts';
import type { SqlExecutor } from '../query.ts';
import { streamRows } from '../session.ts';
import { KeyMarks } from './key-marks.ts';
import { createRecordOperations, type RecordOperations } from './record-operations.ts';
import { RowBatches } from './row-batches.ts';

interface WriterTarget {
  readonly connection: SqlExecutor;
  readonly isDistributed: boolean;
}

/** Writes and retires the records of one table, many with one statement. */
export async function createPostgresWriter(
  { connection, isDistributed }: WriterTarget,
  table: StorageTable,
  revision: number,
  onRowChange: OnRowChange,
): Promise<RowWriter> {
  const batches = new RowBatches(connection, table, revision);
  const marks = await KeyMarks.create(batches);
  const isStaged = isDistributed && table.distributionColumn !== undefined;
  const operations = (isStaged ? createStagedOperations : createRecordOperations)(batches);
  const minBatchRows = isDistributed ? DISTRIBUTED_BATCH_ROWS : 0;
  return new PostgresWriter(minBatchRows, batches, marks, operations, onRowChange);
}

/** In a cluster, a statement costs the same for a thousand rows as for one. */
const DISTRIBUTED_BATCH_ROWS = 10_000;

class PostgresWriter implements RowWriter {
  readonly counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  // The next rows are read and validated while the server works on these.
  #pending: Promise<readonly EncodedRow[]> = Promise.resolve([]);

  constructor(
    readonly minBatchRows: number,
    private readonly batches: RowBatches,
    private readonly marks: KeyMarks,
    private readonly operations: RecordOperations,
    private readonly onRowChange: OnRowChange,
  ) {}

  async write(rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]> {
    const duplicates = await this.#pending;
    this.#pending = this.#writeRows(rows);
    // The next call throws the error; there may be none.
    this.#pending.catch(() => {});
    return duplicates;
  }

  async retire(recordKeys: readonly RecordKey[]): Promise<readonly RecordKey[]> {
    await this.#pending;
    const duplicates = await this.#retireKeys(recordKeys.map(this.batches.completeKey));
    return duplicates.map((key) => key.slice(0, this.batches.table.key.length));
  }

  async retireAbsent(): Promise<void> {
    await this.#pending;
    await this.marks.collectAbsentKeys();
    const select = { sql: 'SELECT * FROM tenor_absent' };
    for await (const rows of streamRows(this.batches.connection, select, RETIRED_ROWS))
      await this.#retireKeys(rows.map((row) => Object.values(row)));
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

  /** Inserts or replaces records; returns the rows whose key came earlier, in their order. */
  async #writeRows(rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]> {
    const remaining = new Map<string, EncodedRow>();
    const duplicates = new Set<EncodedRow>();
    for (const row of rows) {
      const key = formatKey(this.batches.getKey(row));
      if (remaining.has(key)) duplicates.add(row);
      else remaining.set(key, row);
    }
    const added = await this.operations.insertNew([...remaining.values()]);
    for (const key of added.map(formatKey)) {
      this.onRowChange(undefined, remaining.get(key));
      remaining.delete(key);
    }
    this.counts.added += added.length;
    if (remaining.size > 0) {
      for (const row of await this.#replaceRows(remaining)) duplicates.add(row);
    }
    return rows.filter((row) => duplicates.has(row));
  }

  /** Replaces records whose keys exist; returns the rows whose key came earlier. */
  async #replaceRows(rows: ReadonlyMap<string, EncodedRow>): Promise<EncodedRow[]> {
    const { operations, marks, onRowChange, counts } = this;
    const currentRows = await operations.findReplaced([...rows.values()]);
    const unmarkedKeys = await marks.filter(currentRows.map(({ key }) => key));
    const unmarked = new Set(unmarkedKeys.map(formatKey));
    const duplicates: EncodedRow[] = [];
    const unchanged: RecordKey[] = [];
    const corrected: EncodedRow[] = [];
    for (const current of currentRows) {
      const { key, since } = current;
      const row = rows.get(formatKey(key)) as EncodedRow;
      if (since === this.batches.revision || unmarked.has(formatKey(key))) duplicates.push(row);
      else if (this.batches.isSameRow(current, row)) unchanged.push(key);
      else {
        corrected.push(row);
        onRowChange(current, row);
      }
    }
    await marks.add(unchanged);
    await operations.replaceCurrent(corrected);
    counts.unchanged += unchanged.length;
    counts.corrected += corrected.length;
    return duplicates;
  }

  /** Retires records; returns the keys that came earlier. */
  async #retireKeys(retiredKeys: readonly RecordKey[]): Promise<readonly RecordKey[]> {
    const { operations, marks, counts } = this;
    const remaining = new Map<string, RecordKey>();
    for (const key of retiredKeys) {
      const text = formatKey(key);
      if (!remaining.has(text)) remaining.set(text, key);
    }
    for (const key of await marks.filter([...remaining.values()])) remaining.delete(formatKey(key));
    const currentRows = await operations.findCurrent([...remaining.values()]);
    for (const { key, since } of currentRows) {
      if (since === this.batches.revision) remaining.delete(formatKey(key));
    }
    const superseded = currentRows.filter(({ since }) => since < this.batches.revision);
    for (const row of superseded) this.onRowChange(row, undefined);
    await operations.retireCurrent(superseded.map(({ key }) => key));
    await marks.add([...remaining.values()]);
    counts.retired += superseded.length;
    counts.unchanged += remaining.size - superseded.length;
    const retired = new Set(remaining.values());
    return retiredKeys.filter((key) => !retired.has(key));
  }
}

/** How many absent records are retired at once. */
const RETIRED_ROWS = 10_000;

const TRANSACTION_ABORTED = '25P02';
