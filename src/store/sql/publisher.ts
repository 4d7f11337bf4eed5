import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import { system } from '../../shared/system.ts';
import { StoreBusyError, StoreUnavailableError } from '../errors.ts';
import type { Revision } from '../ledger.ts';
import type {
  DatasetChange,
  Publisher,
  PublisherOptions,
  PublishTransaction,
  StagedChange,
} from '../publisher.ts';
import type { StoreQueries } from '../reader.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { formatKey, type RecordKey } from '../rows.ts';
import { sealedTextSql } from '../sealed-text.ts';
import { applyRevision } from './apply-revision.ts';
import { LedgerLog } from './ledger-log.ts';
import { planRevert } from './plan-revert.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import type { WriteSession } from './session.ts';
import { hasKeySql, ownRows, selectWhere } from './sql-fragments.ts';
import { stageRevision } from './stage-revision.ts';
import { createStoreQueries, streamRecords } from './store-queries.ts';

/** A session that can acquire the write lock. */
export interface PublishingSession extends WriteSession {
  /**
   * Begins a transaction with the write lock; throws a StoreBusyError if another one has it. That of a
   * dry run needs none, and is rolled back.
   */
  begin(isDryRun: boolean): Promise<void>;
  /** Before the changes of a dataset by a dry run: they are written to temporary tables. */
  shadow(dataset: Dataset): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Whether the transaction is still open: some errors end it. */
  isOpen(): boolean;
  close(): void;
}

export function createPublisher(
  session: PublishingSession,
  options: PublisherOptions = {},
  /** The datasets that no declaration makes. */
  catalogue: readonly Dataset[] = [],
): Publisher {
  const queries = createStoreQueries(session);
  // One at a time, because they share a connection.
  let queue: Promise<unknown> = Promise.resolve();
  const runTransaction = <T>(
    callback: TransactionCallback<T>,
    isRepeatable: boolean,
    isDryRun = false,
  ) => {
    const attempt = () =>
      new Transaction(session, options, queries, catalogue, isDryRun).run(callback, isRepeatable);
    const result = queue.then(() => retryWhileBusy(options, attempt));
    queue = result.catch(() => {});
    return result;
  };
  return {
    // Its rows can be read only once, unless they are a list.
    publish: (change) => runTransaction(({ publish }) => publish(change), false),
    transaction: (callback, { isDryRun } = {}) => runTransaction(callback, true, isDryRun),
    revisions: queries.revisions,
    // Its lines can be read only once.
    applyRevision: (followed) =>
      runTransaction((transaction) => transaction.applyRevision(followed), false),
    replaceLedgerKey: (replacement) =>
      runTransaction(({ replaceLedgerKey }) => replaceLedgerKey(replacement), true),
    close: () => session.close(),
  };
}

type TransactionCallback<T> = (transaction: PublishTransaction) => Promise<T>;

/** One transaction, whose changes are written one after another. */
class Transaction {
  #isAbandoned: boolean;
  /** The changes that are staged and not empty, until they are recorded. */
  readonly #staged = new Set<StagedChange>();
  #log: Promise<LedgerLog> | undefined;
  // A savepoint for each change would copy every page that it changes.
  readonly #failures: unknown[] = [];

  constructor(
    private readonly session: PublishingSession,
    private readonly options: PublisherOptions,
    private readonly queries: Omit<StoreQueries, 'records'>,
    private readonly catalogue: readonly Dataset[],
    private readonly isDryRun: boolean,
  ) {
    this.#isAbandoned = isDryRun;
  }

  /** Begins, and then commits what the callback published, unless it fails or abandons it. */
  async run<T>(callback: TransactionCallback<T>, isRepeatable: boolean): Promise<T> {
    const { session } = this;
    await session.begin(this.isDryRun);
    try {
      const result = await callback({
        ...this.queries,
        records: (dataset, asOf) => streamRecords(session, dataset, asOf),
        publish: async (change) => (await this.#stage(change)).record(change.report),
        stage: (change) => this.#stage(change),
        abandon: () => {
          this.#isAbandoned = true;
        },
        readClock: () => session.readClock(),
        applyRevision: (followed) =>
          this.#noteFailure(applyRevision(session, followed, this.catalogue)),
        replaceLedgerKey: async (replacement) => (await this.#openLog()).replaceKey(replacement),
        currentRecords: async (dataset, keys) =>
          session.run(() => findCurrentRecords(getStorageTable(dataset), keys)),
        currentPeriods: async (dataset) =>
          session.run(() => findCurrentPeriods(getStorageTable(dataset))),
        planRevert: (dataset, revision, onlyUnchanged = false) =>
          planRevert(session, dataset, revision, onlyUnchanged),
      });
      // Even if the callback went on.
      if (this.#failures.length > 0) throw this.#failures[0];
      if (this.#isAbandoned) return result;
      this.#assertNothingStaged();
      await (await this.#log)?.saveSigner();
      await session.commit();
      return result;
    } catch (cause) {
      if (isRepeatable || !(cause instanceof StoreBusyError)) throw cause;
      throw new StoreUnavailableError(cause.message, { cause });
    } finally {
      if (session.isOpen()) await ignoreUnavailable(() => session.rollback());
    }
  }

  async #stage(change: DatasetChange): Promise<StagedChange> {
    const { size } = this.#staged;
    if (this.isDryRun) await this.session.shadow(change.dataset);
    const staged = await this.#noteFailure(
      stageRevision(this.session, change, this.options, () => this.#openLog(), size),
    );
    const { added, corrected, retired } = staged.counts;
    // Another change has its number.
    if (added + corrected + retired === 0) return staged;
    this.#staged.add(staged);
    return {
      ...staged,
      record: async (...entry) => {
        if (this.isDryRun) {
          await LedgerLog.noteRestored(this.session, this.options);
          return describeDryRun(change, staged);
        }
        const [next] = this.#staged;
        if (next !== staged) throw new Error(NOT_RECORDED);
        const revision = await this.#noteFailure(staged.record(...entry));
        this.#staged.delete(staged);
        return revision;
      },
    };
  }

  #openLog(): Promise<LedgerLog> {
    this.#log ??= LedgerLog.open(this.session, this.options);
    return this.#log;
  }

  #assertNothingStaged(): void {
    if (this.#staged.size > 0) throw new Error(NOT_RECORDED);
  }

  async #noteFailure<T>(operation: Promise<T>): Promise<T> {
    try {
      return await operation;
    } catch (cause) {
      this.#failures.push(cause);
      throw cause;
    }
  }
}

/** The revision that a change would be, if it were published now. */
function describeDryRun(change: DatasetChange, { revision, counts }: StagedChange): Revision {
  const { dataset, source, author, files = [], sample = false } = change;
  const publishedAt = new Date(system.now()).toISOString();
  return { revision, dataset: dataset.name, publishedAt, source, files, author, sample, ...counts };
}

const NOT_RECORDED = 'a staged change was neither recorded nor abandoned';

/** A store that cannot be reached has rolled back already: that must not hide the first error. */
async function ignoreUnavailable(rollback: () => Promise<void>): Promise<void> {
  try {
    await rollback();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
  }
}

function* findCurrentPeriods(table: StorageTable): QuerySteps<number[]> {
  const { sql } = selectWhere(['DISTINCT place'], table.currentTable, ownRows(table));
  const rows = yield* queryRows<{ place: number }>({ sql: `${sql} ORDER BY place DESC` });
  return rows.map(({ place }) => Number(place));
}

/** How many keys a statement has: SQLite limits the depth of conditions. */
const MAX_SEARCHED_KEYS = 100;

function* findCurrentRecords(
  table: StorageTable,
  keys: readonly RecordKey[],
): QuerySteps<ReadonlyMap<string, string>> {
  const columns = table.key.map(({ column }) => column);
  const matches = `(${hasKeySql(table, 'own', () => '?')})`;
  const selected = `${columns.join(', ')}, ${sealedTextSql(table, 'own')} AS text`;
  const texts = new Map<string, string>();
  for (let start = 0; start < keys.length; start += MAX_SEARCHED_KEYS) {
    const batch = keys.slice(start, start + MAX_SEARCHED_KEYS);
    const rows = yield* queryRows<Record<string, string>>({
      sql: `SELECT ${selected} FROM ${table.currentTable} AS own WHERE ${batch.map(() => matches).join(' OR ')}`,
      values: batch.flat(),
    });
    for (const { text = '', ...key } of rows)
      texts.set(formatKey(columns.map((column) => key[column] ?? '')), text);
  }
  return texts;
}
