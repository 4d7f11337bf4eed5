import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { instantWords } from '../figures/days.ts';
import { grouped } from '../figures/figures.ts';
import { type Column, Table } from '../parts/table.tsx';
import { type Entry, type Revision, titleOf } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';

/** Revisions as a table, each with a link to what it did. */
export function Revisions({ rows }: { readonly rows: readonly Revision[] }) {
  const { catalogue } = useContext(ServiceContext);
  return (
    <Table
      caption="Revisions"
      columns={columnsFor(catalogue)}
      rows={rows}
      keyOf={({ revision }) => String(revision)}
    />
  );
}

/** Marks data that is made up. */
export function SampleBadge({ sample }: Pick<Revision, 'sample'>) {
  return sample ? <span class="badge">sample</span> : null;
}

function columnsFor(catalogue: readonly Entry[]): Column<Revision>[] {
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
          <time dateTime={publishedAt}>{instantWords(publishedAt)}</time>
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
          {titleOf(catalogue, dataset)}
          <small>
            {source} <SampleBadge sample={sample} />
          </small>
        </>
      ),
    },
    tally('corrected', 'Corrected'),
    tally('retired', 'Retired'),
    tally('added', 'Added'),
    tally('unchanged', 'Unchanged'),
  ];
}

/** What changed stands out from what did not. */
function tally(
  name: 'added' | 'corrected' | 'retired' | 'unchanged',
  title: string,
): Column<Revision> {
  const isChange = name === 'corrected' || name === 'retired';
  return {
    name,
    title,
    cell: ({ [name]: count }) => (
      <span class={count === 0 ? 'quiet' : isChange ? 'changed' : undefined}>
        {grouped(count, 0)}
      </span>
    ),
  };
}
