import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../api/types.ts';
import { createColumn, createTextColumn, type TableColumn } from '../components/data-table.tsx';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';
import type { CorrectionCounts } from './count-extensions.ts';

export function SampleBadge({ sample }: Pick<RevisionEntry, 'sample'>) {
  return sample ? <span class="badge">sample</span> : null;
}

/** Explains a count that the service includes in the corrected ones. */
export const EXTENDED_HINT = 'Records that only gained periods';

export const COUNT_COLUMNS = [
  { name: 'corrected', title: 'Corrected', class: 'changed' },
  { name: 'extended', title: 'Extended', class: undefined },
  { name: 'retired', title: 'Retired', class: 'changed' },
  { name: 'added', title: 'Added', class: undefined },
  { name: 'unchanged', title: 'Unchanged', class: undefined },
] as const;

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
    ...COUNT_COLUMNS.map(({ name, title, class: className }) => ({
      name,
      title,
      hint: name === 'extended' ? EXTENDED_HINT : undefined,
      renderCell(revision: RevisionEntry) {
        const count = getRevisionCounts(revision, extensions.get(revision.revision))[name];
        return <span class={count === 0 ? 'muted' : className}>{formatNumber(count, 0)}</span>;
      },
    })),
  ];
}
