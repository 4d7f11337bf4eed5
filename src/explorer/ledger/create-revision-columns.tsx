import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../api/types.ts';
import { createColumn, createTextColumn, type TableColumn } from '../components/data-table.tsx';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';
import type { CorrectionCounts } from './count-extensions.ts';

export function SampleBadge({ sample }: Pick<RevisionEntry, 'sample'>) {
  return sample ? <span class="badge">sample</span> : null;
}

interface CountColumn extends Pick<TableColumn<RevisionEntry>, 'title' | 'hint'> {
  readonly name: 'corrected' | 'extended' | 'retired' | 'added' | 'unchanged';
  readonly class?: string;
}

export const COUNT_COLUMNS: readonly CountColumn[] = [
  { name: 'corrected', title: 'Corrected', class: 'changed' },
  { name: 'extended', title: 'Extended', hint: 'Records that only gained periods' },
  { name: 'retired', title: 'Retired', class: 'changed' },
  { name: 'added', title: 'Added' },
  { name: 'unchanged', title: 'Unchanged' },
];

/** The counts of a revision; records that gained periods are counted separately where known. */
export function getRevisionCounts(revision: RevisionEntry, counts: CorrectionCounts | undefined) {
  return { ...revision, extended: 0, ...counts };
}

/** The columns of the list of revisions. */
export function createRevisionColumns(
  catalogue: readonly DatasetEntry[],
  extensions: ReadonlyMap<number, CorrectionCounts>,
): TableColumn<RevisionEntry>[] {
  return [
    createColumn('revision', 'Revision', ({ revision }) => (
      <Link view="ledger" params={{ revision: String(revision) }} class="revision-link">
        {revision}
      </Link>
    )),
    createTextColumn('publishedAt', 'Published', ({ publishedAt, author }) => (
      <>
        <time dateTime={publishedAt}>{formatInstantLabel(publishedAt)}</time>
        <small>by {author}</small>
      </>
    )),
    createTextColumn('dataset', 'Dataset and source', ({ dataset, source, sample }) => (
      <>
        {getDatasetTitle(catalogue, dataset)}
        <small>
          {source} <SampleBadge sample={sample} />
        </small>
      </>
    )),
    ...COUNT_COLUMNS.map(({ class: className, ...column }) => ({
      ...column,
      renderCell(revision: RevisionEntry) {
        const count = getRevisionCounts(revision, extensions.get(revision.revision))[column.name];
        return <span class={count === 0 ? 'muted' : className}>{formatNumber(count, 0)}</span>;
      },
    })),
  ];
}
