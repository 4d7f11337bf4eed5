import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { formatInstantLabel } from '../figures/days.ts';
import { formatNumber } from '../figures/figures.ts';
import { DataTable, type TableColumn } from '../parts/table.tsx';
import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../service/catalogue.ts';
import { ExplorerContext } from '../service/service.ts';

/** Revisions as a table, each with a link to what it did. */
export function RevisionsTable({ rows }: { readonly rows: readonly RevisionEntry[] }) {
  const { catalogue } = useContext(ExplorerContext);
  return (
    <DataTable
      caption="Revisions"
      columns={createRevisionColumns(catalogue)}
      rows={rows}
      keyOf={({ revision }) => String(revision)}
    />
  );
}

/** Marks data that is made up. */
export function SampleBadge({ sample }: Pick<RevisionEntry, 'sample'>) {
  return sample ? <span class="badge">sample</span> : null;
}

function createRevisionColumns(catalogue: readonly DatasetEntry[]): TableColumn<RevisionEntry>[] {
  return [
    {
      name: 'revision',
      title: 'Revision',
      cell: ({ revision }) => (
        <Link to="ledger" at={{ revision: String(revision) }} class="number">
          {revision}
        </Link>
      ),
    },
    {
      name: 'publishedAt',
      title: 'Published',
      isText: true,
      cell: ({ publishedAt, author }) => (
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
      cell: ({ dataset, source, sample }) => (
        <>
          {getDatasetTitle(catalogue, dataset)}
          <small>
            {source} <SampleBadge sample={sample} />
          </small>
        </>
      ),
    },
    createCountColumn('corrected', 'Corrected'),
    createCountColumn('retired', 'Retired'),
    createCountColumn('added', 'Added'),
    createCountColumn('unchanged', 'Unchanged'),
  ];
}

/** What changed stands out from what did not. */
function createCountColumn(
  name: 'added' | 'corrected' | 'retired' | 'unchanged',
  title: string,
): TableColumn<RevisionEntry> {
  const isChange = name === 'corrected' || name === 'retired';
  return {
    name,
    title,
    cell: ({ [name]: count }) => (
      <span class={count === 0 ? 'quiet' : isChange ? 'changed' : undefined}>
        {formatNumber(count, 0)}
      </span>
    ),
  };
}
