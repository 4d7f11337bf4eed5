import { useExplorer } from '../api/explorer-context.ts';
import type { ApiRequest, DatasetEntry, RevisionEntry } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { FactList, Panel } from '../components/panel.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatInstantLabel, getInstantBefore } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { countExtensions } from './count-extensions.ts';
import { renderCounts, SampleBadge } from './create-revision-columns.tsx';
import { listAccounts } from './list-accounts.ts';
import { DatasetLink } from './record-link.tsx';
import { ReportPanel } from './report-panel.tsx';
import { type FullRevision, RevisionChanges } from './revision-changes.tsx';

export function RevisionDetail(props: { revision: FullRevision; request: ApiRequest }) {
  const { revision, request } = props;
  const { catalogue } = useExplorer();
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  if (!entry) return <p>{`The catalogue has no dataset ${revision.dataset}.`}</p>;
  const { publishedAt, note, source, author, sample } = revision;
  const sourceLabel = (
    <>
      {source} <SampleBadge sample={sample} />
    </>
  );
  return (
    <>
      <ExportPanel title="Summary" class="revision-summary" exported={{ request }}>
        <FactList
          facts={[
            ...(note === null
              ? []
              : [{ name: 'Note', value: <span class="revision-note">{note}</span> }]),
            { name: 'Dataset', value: <DatasetLink entry={entry} /> },
            { name: 'Published', value: formatInstantLabel(publishedAt) },
            { name: 'Source', value: sourceLabel },
            ...listAccounts(revision.options),
            { name: 'Author', value: author },
            {
              name: 'Records',
              value: renderCounts(revision, countRevisionExtensions(revision, entry)),
            },
          ]}
        />
        <AsOfLinks publishedAt={publishedAt} />
      </ExportPanel>
      <RevisionChanges revision={revision} entry={entry} />
      <ReportPanel report={revision.report} options={revision.options} entry={entry} />
      <FilesPanel files={revision.files} />
    </>
  );
}

/** Undefined unless all corrections of the revision are present. */
function countRevisionExtensions(revision: FullRevision, entry: DatasetEntry) {
  const { revision: number, publishedAt } = revision;
  const corrections = revision.changes.flatMap(({ change, old, new: current }) =>
    change === 'added' || !old
      ? []
      : [{ revision: number, publishedAt, change, old, new: current }],
  );
  return countExtensions(entry, [revision], corrections).get(number);
}

function AsOfLinks({ publishedAt }: Pick<RevisionEntry, 'publishedAt'>) {
  const before = { asof: getInstantBefore(publishedAt), revision: undefined };
  return (
    <div class="input-row as-of-links">
      <span>View all data</span>
      <Button onClick={() => updateParams(before)}>before this revision</Button>
      <Button onClick={() => updateParams({ asof: publishedAt })}>after this revision</Button>
    </div>
  );
}

/** The files that a revision was loaded from, with their digests. */
function FilesPanel({ files }: Pick<RevisionEntry, 'files'>) {
  return files.length === 0 ? null : (
    <Panel title="Files">
      <DataTable<RevisionEntry['files'][number]>
        caption="Names, sizes and checksums of the files"
        rows={files}
        getRowKey={({ name, sha256 }) => `${name} ${sha256}`}
        columns={[
          createTextColumn('name', 'Name', ({ name }) => name),
          createColumn('bytes', 'Bytes', ({ bytes }) => formatNumber(bytes, 0)),
          createTextColumn('sha256', 'SHA-256', ({ sha256 }) => <code>{sha256}</code>),
        ]}
      />
    </Panel>
  );
}
