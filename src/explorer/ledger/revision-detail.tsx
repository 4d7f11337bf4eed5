import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { ApiRequest, RevisionEntry } from '../api/types.ts';
import { DataTable } from '../components/data-table.tsx';
import { FactList } from '../components/fact-list.tsx';
import { Panel } from '../components/panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatInstantLabel, getInstantBefore } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.ts';
import { DatasetLink } from './record-link.tsx';
import { ReportPanel } from './report-panel.tsx';
import { type FullRevision, RevisionChanges } from './revision-changes.tsx';
import { COUNT_COLUMNS, SampleBadge } from './revisions-table.tsx';

interface RevisionDetailProps {
  readonly revision: FullRevision;
  readonly request: ApiRequest;
}

/** A revision: its summary, its changes, its report and its files. */
export function RevisionDetail({ revision, request }: RevisionDetailProps) {
  const { catalogue } = useContext(ExplorerContext);
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  if (!entry) return <p>{`The catalogue has no dataset ${revision.dataset}.`}</p>;
  const { publishedAt, source, author, sample } = revision;
  const sourceLabel = (
    <>
      {source} <SampleBadge sample={sample} />
    </>
  );
  return (
    <>
      <Panel title="Summary" class="revision-summary" tools={<ExportMenu request={request} />}>
        <FactList
          facts={[
            { name: 'Dataset', value: <DatasetLink entry={entry} /> },
            { name: 'Published', value: formatInstantLabel(publishedAt) },
            { name: 'Source', value: sourceLabel },
            { name: 'Author', value: author },
          ]}
        />
        <dl class="tiles">
          {COUNT_COLUMNS.map(({ name, title }) => (
            <div key={name} class="tile">
              <dt>{title}</dt>
              <dd class={revision[name] === 0 ? 'muted' : undefined}>
                {formatNumber(revision[name], 0)}
              </dd>
            </div>
          ))}
        </dl>
        <AsOfLinks publishedAt={publishedAt} />
      </Panel>
      <RevisionChanges revision={revision} entry={entry} />
      <ReportPanel report={revision.report} entry={entry} />
      <FilesPanel files={revision.files} />
    </>
  );
}

/** Opens all data as of just before the revision, or as of the revision. */
function AsOfLinks({ publishedAt }: Pick<RevisionEntry, 'publishedAt'>) {
  const before = { asof: getInstantBefore(publishedAt), revision: undefined };
  return (
    <div class="input-row as-of-links">
      <span>View all data</span>
      <button type="button" onClick={() => updateParams(before)}>
        before this revision
      </button>
      <button type="button" onClick={() => updateParams({ asof: publishedAt })}>
        after this revision
      </button>
    </div>
  );
}

/** The files that a revision was loaded from, with what identifies their content. */
function FilesPanel({ files }: Pick<RevisionEntry, 'files'>) {
  return (
    <Panel title="Files">
      {files.length === 0 ? (
        <p class="muted">It was not loaded from a file.</p>
      ) : (
        <DataTable
          caption="Names, sizes and checksums of the files"
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
