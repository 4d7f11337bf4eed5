import type { RevisionEntry } from '../api/types.ts';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { formatNumber } from '../formatting/numbers.ts';

/** The files that a revision was read from, so that anybody can tell whether theirs is the same. */
export function FilesPanel({ files }: Pick<RevisionEntry, 'files'>) {
  return (
    <Panel title="Files">
      {files.length === 0 ? (
        <p class="muted">It was read from no file.</p>
      ) : (
        <DataTable
          caption="Names, sizes and sums of the files"
          rows={files}
          getRowKey={({ name, sha256 }) => `${name} ${sha256}`}
          columns={[
            { name: 'name', title: 'Name', isText: true, renderCell: ({ name }) => name },
            { name: 'bytes', title: 'Bytes', renderCell: ({ bytes }) => formatNumber(bytes, 0) },
            {
              name: 'sha256',
              title: 'SHA-256',
              isText: true,
              renderCell: ({ sha256 }) => <code>{sha256}</code>,
            },
          ]}
        />
      )}
    </Panel>
  );
}
