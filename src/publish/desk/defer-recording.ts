import { datasets } from '../../catalogue/datasets/datasets.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { createChangeSerializer, type TextChange } from '../../store/change-lines.ts';
import {
  type Batches,
  type DatasetChange,
  type EncodedRow,
  formatKey,
  type PublishTransaction,
  type RecordKey,
  type Release,
  type Revision,
  type RevisionReport,
  type StagedChange,
} from '../../store/open-store.ts';

/** A change whose rows are written, and that is to be recorded with others. */
export interface DeferredChange extends Pick<DatasetChange, 'dataset'> {
  readonly options: DatasetChange['options'] | undefined;
  readonly replace: boolean;
  readonly staged: StagedChange;
  readonly report: RevisionReport | undefined;
  /** The candidate that it is of. */
  readonly id: number;
}

/** What is written down of a candidate while its rows are written. */
export interface ChangeRecorder {
  addChange(dataset: Dataset, change: TextChange): void;
  addKey(dataset: Dataset, key: RecordKey): void;
}

/** A transaction that writes rows, and leaves the entries of the ledger to be recorded later. */
export function deferRecording(
  transaction: PublishTransaction,
  id: number,
  deferred: DeferredChange[],
  recorder?: ChangeRecorder,
): PublishTransaction {
  const stage: PublishTransaction['stage'] = async (change) => {
    const { dataset, options, replace = false } = change;
    const onChange = recorder && ((texts: TextChange) => recorder.addChange(dataset, texts));
    const staged = await transaction.stage({
      ...change,
      ...recordKeys(change, recorder),
      // Its instant is taken when it is recorded, and may be months ahead of the clock now.
      notBefore: undefined,
      onChange,
    });
    const { revision, counts } = staged;
    return {
      ...staged,
      async record(report) {
        if (counts.added + counts.corrected + counts.retired === 0) return undefined;
        deferred.push({ dataset, options, replace, staged, report, id });
        const { source, files = [], author, sample = false } = change;
        const origin = { source, files, author, sample };
        return { revision, dataset: dataset.name, publishedAt: '', ...origin, ...counts };
      },
    };
  };
  return {
    ...transaction,
    stage,
    publish: async (change) => (await stage(change)).record(change.report),
    // The transaction is of others as well.
    abandon: () => {},
  };
}

/** The same rows and keys, which are written down on their way. */
function recordKeys(
  { dataset, rows, retiredKeys }: Omit<DatasetChange, 'report'>,
  recorder: ChangeRecorder | undefined,
): Pick<DatasetChange, 'rows' | 'retiredKeys'> {
  if (!recorder) return {};
  const { key, columns } = getStorageTable(dataset);
  const indexes = key.map(({ column }) => columns.findIndex(({ name }) => name === column));
  async function* readRows(batches: Batches<EncodedRow>) {
    for await (const batch of batches) {
      for (const row of batch)
        recorder?.addKey(
          dataset,
          indexes.map((index) => row.columns[index] ?? ''),
        );
      yield batch;
    }
  }
  async function* readKeys(keys: Iterable<RecordKey> | AsyncIterable<RecordKey>) {
    for await (const each of keys) {
      recorder?.addKey(dataset, each);
      yield each;
    }
  }
  return {
    ...(rows && { rows: readRows(rows) }),
    ...(retiredKeys && { retiredKeys: readKeys(retiredKeys) }),
  };
}

/** The lines of the changes of one dataset, and the keys of all records that were given. */
export class LineRecorder implements ChangeRecorder {
  readonly lines = new Map<string, string[]>();
  readonly keys = new Map<string, string[]>();
  readonly #serializers = new Map<string, (change: TextChange) => string[]>();

  addChange(dataset: Dataset, change: TextChange): void {
    const { name } = dataset;
    const serialize = this.#serializers.getOrInsertComputed(name, () =>
      createChangeSerializer(dataset),
    );
    const old = change.new === null ? null : change.old;
    const lines = this.lines.getOrInsertComputed(name, () => []);
    for (const line of serialize(change)) {
      const isCorrection = line.startsWith('{"change":"corrected"');
      lines.push(isCorrection ? `${line.slice(0, -1)},"old":${toJson(old)}}` : line);
    }
  }

  /** The names of the datasets whose declarations were given. */
  listDeclared(): string[] {
    const keys = this.keys.get(datasets.name) ?? [];
    // Keys have upper case, and names of declared datasets lower case.
    return keys.map((key) => String(JSON.parse(key)[0]).toLowerCase());
  }

  addKey({ name }: Dataset, key: RecordKey): void {
    this.keys.getOrInsertComputed(name, () => []).push(formatKey(key));
  }
}

/** The JSON of a stored text, without its status. */
function toJson(text: string | null): string {
  return text === null ? 'null' : text.slice(text.indexOf('{'));
}

/** Records deferred changes as consecutive revisions with one instant. */
export async function recordDeferred(
  deferred: readonly DeferredChange[],
  notBefore: Date | undefined,
  describe: (change: DeferredChange, index: number) => { release: Release; salt: Uint8Array },
): Promise<readonly Revision[]> {
  const revisions: Revision[] = [];
  for (const [index, change] of deferred.entries()) {
    const [first] = revisions;
    const { release, salt } = describe(change, index);
    const at = first && new Date(first.publishedAt);
    const revision = await change.staged.record(change.report, {
      salt,
      options: { ...change.options, release },
      ...(at ? { at } : { notBefore }),
    });
    if (revision) revisions.push(revision);
  }
  return revisions;
}
