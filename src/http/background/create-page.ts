import type { Dataset } from '../../catalogue/model/dataset.ts';
import { fundsOperation, securitiesOperation } from '../../catalogue/operations/discovery.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { memoizeAsync } from '../../shared/memoize.ts';
import type { ReadResult, Selection, StoreReader } from '../../store/open-store.ts';
import {
  createPageEncoder,
  type Page,
  type PageClient,
  type RequestedTable,
} from './encode-page.ts';
import { type ChangesSelection, readChanges } from './read-changes.ts';
import { createFigureReader, type FigureJob } from './read-figures.ts';
import { type ListFilter, selectListPage } from './select-list-page.ts';

export type { Page, PageClient };

/** A page of a dataset, of its changes, of a list, or of figures computed from it. */
export type PageJob = SelectionJob | ChangesJob | ListJob | FigureJob;

interface SelectionJob extends RequestedTable {
  readonly selection: NamedSelection;
  /** Whether all matches are counted, beyond the limit. */
  readonly includeTotal: boolean;
}

interface ListJob extends RequestedTable {
  readonly list: keyof typeof LIST_OPERATIONS;
  readonly asOf: number | undefined;
  readonly filter: ListFilter;
}

interface ChangesJob extends RequestedTable {
  readonly changes: ChangesSelection;
}

/** A selection without its dataset, which is given by name. */
type NamedSelection = DistributiveOmit<Selection, 'dataset'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

const LIST_OPERATIONS = { securities: securitiesOperation, funds: fundsOperation };

const MAX_CACHED_TOTALS = 1_000;

/** Creates pages: reads records, counts them where requested, and encodes them. */
export function createPageReader(reader: StoreReader, findDataset: (name: string) => Dataset) {
  const encodePage = createPageEncoder(reader);
  const countTotal = memoizeAsync(
    MAX_CACHED_TOTALS,
    (selection: Selection) => JSON.stringify({ ...selection, dataset: selection.dataset.name }),
    async (selection) => {
      const { total = 0 } = await reader.read({ ...selection, includeTotal: true });
      return total;
    },
  );
  const readSelection = (job: SelectionJob, dataset: Dataset): Awaitable<ReadResult> => {
    const selection = { ...job.selection, dataset } as Selection;
    const read = reader.read({ ...selection, asNdjson: job.format !== 'json' });
    if (!job.includeTotal) return read;
    return whenReady(read, (result) =>
      whenReady(countTotal(withoutPage(selection, result.revision)), (total) => ({
        ...result,
        total,
      })),
    );
  };
  const readList = async ({ list, asOf, format, filter }: ListJob, dataset: Dataset) => {
    const { revision, entries } = await reader[list](dataset, asOf);
    const { entries: selected, ...page } = selectListPage(entries, filter);
    const texts = selected.map((entry) => JSON.stringify(entry));
    const records = texts.join(format === 'json' ? ',' : '\n');
    return { ...page, revision, count: selected.length, records };
  };
  const readFigures = createFigureReader(reader);
  const createChangesPage = async (
    job: ChangesJob,
    dataset: Dataset,
    client: PageClient,
  ): Promise<Page> => {
    const { revision, texts, next } = await readChanges(
      reader,
      dataset,
      job.changes,
      client.signal,
    );
    const records = texts.join(job.format === 'json' ? ',' : '\n');
    const result = { revision, count: texts.length, records, ...(next && { nextChanges: next }) };
    const source = { name: `${dataset.name}-changes`, changesOf: dataset };
    return encodePage(source, job, result, client);
  };
  return (job: PageJob, client: PageClient): Awaitable<Page> => {
    const dataset = findDataset(job.dataset);
    if ('changes' in job) return createChangesPage(job, dataset, client);
    if ('curve' in job || 'analytics' in job) {
      return readFigures(job, dataset, client.signal).then(({ source, result }) =>
        encodePage(source, job, result, client),
      );
    }
    return 'list' in job
      ? whenReady(readList(job, dataset), (result) =>
          encodePage(LIST_OPERATIONS[job.list], job, result, client),
        )
      : whenReady(readSelection(job, dataset), (result) =>
          encodePage(dataset, job, result, client),
        );
  };
}

/** Every page, and every limit, has the same total. */
function withoutPage(selection: Selection, revision: number): Selection {
  const { after: _, ...all } = { after: undefined, ...selection, limit: 1, asOf: revision };
  return all as Selection;
}
