import { useExplorer } from '../api/explorer-context.ts';
import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';

export function RevisionsTable({ rows }: { readonly rows: readonly RevisionEntry[] }) {
  const { catalogue } = useExplorer();
  return (
    <DataTable
      caption="Revisions"
      columns={createRevisionColumns(catalogue)}
      rows={rows}
      getRowKey={({ revision }) => String(revision)}
    />
  );
}

export function SampleBadge({ sample }: Pick<RevisionEntry, 'sample'>) {
  return sample ? <span class="badge">sample</span> : null;
}

export const COUNT_COLUMNS = [
  { name: 'corrected', title: 'Corrected', class: 'changed' },
  { name: 'retired', title: 'Retired', class: 'changed' },
  { name: 'added', title: 'Added', class: undefined },
  { name: 'unchanged', title: 'Unchanged', class: undefined },
] as const;

function createRevisionColumns(catalogue: readonly DatasetEntry[]): TableColumn<RevisionEntry>[] {
  return [
    {
      name: 'revision',
      title: 'Revision',
      renderCell: ({ revision }) => (
        <Link view="ledger" params={{ revision: String(revision) }} class="revision-link">
          {revision}
        </Link>
      ),
    },
    {
      name: 'publishedAt',
      title: 'Published',
      isText: true,
      renderCell: ({ publishedAt, author }) => (
        <>
          <time dateTime={publishedAt}>{formatInstantLabel(publishedAt)}</time>
          <small>by {author}</small>
        </>
      ),
    },
    {
      name: 'dataset',
      title: 'Dataset and source',
      isText: true,
      renderCell: ({ dataset, source, sample }) => (
        <>
          {getDatasetTitle(catalogue, dataset)}
          <small>
            {source} <SampleBadge sample={sample} />
          </small>
        </>
      ),
    },
    ...COUNT_COLUMNS.map(({ name, title, class: className }) => ({
      name,
      title,
      renderCell: ({ [name]: count }: RevisionEntry) => (
        <span class={count === 0 ? 'muted' : className}>{formatNumber(count, 0)}</span>
      ),
    })),
  ];
}
