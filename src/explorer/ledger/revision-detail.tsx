import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { ApiRequest } from '../api/types.ts';
import { Panel } from '../components/panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatInstantLabel, getInstantBefore } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { Link } from '../routing/link.tsx';
import { updateParams } from '../routing/view-route.ts';
import { FilesPanel } from './files-panel.tsx';
import type { FullRevision } from './full-revision.ts';
import { getDatasetRoute } from './record-subject.ts';
import { ReportPanel } from './report-panel.tsx';
import { RevisionChanges } from './revision-changes.tsx';
import { SampleBadge } from './revisions-table.tsx';

interface RevisionDetailProps {
  readonly revision: FullRevision;
  readonly question: ApiRequest;
}

const COUNT_TILES = [
  ['corrected', 'Corrected'],
  ['retired', 'Retired'],
  ['added', 'Added'],
  ['unchanged', 'Unchanged'],
] as const;

/** All that is known of a revision. */
export function RevisionDetail({ revision, question: request }: RevisionDetailProps) {
  const { catalogue } = useContext(ExplorerContext);
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  if (!entry) return <p>{`The catalogue has no dataset ${revision.dataset}.`}</p>;
  const { view, params } = getDatasetRoute(entry);
  const { publishedAt, source, author, sample } = revision;
  const tools = (
    <ExportMenu
      request={request}
      fileName={`revision-${revision.revision}`}
      title={`Revision ${revision.revision}`}
      isTable={false}
    />
  );
  return (
    <>
      <Panel title="What it did" class="revision-summary" tools={tools}>
        <dl class="facts">
          <LabelledValue title="Dataset">
            <Link view={view} params={params}>
              {entry.title}
            </Link>
          </LabelledValue>
          <LabelledValue title="Published">{formatInstantLabel(publishedAt)}</LabelledValue>
          <LabelledValue title="Source">
            {source} <SampleBadge sample={sample} />
          </LabelledValue>
          <LabelledValue title="Author">{author}</LabelledValue>
        </dl>
        <dl class="tiles">
          {COUNT_TILES.map(([name, title]) => (
            <div key={name} class="tile">
              <dt>{title}</dt>
              <dd class={revision[name] === 0 ? 'muted' : undefined}>
                {formatNumber(revision[name], 0)}
              </dd>
            </div>
          ))}
        </dl>
        <div class="input-row as-of-links">
          <span>Look at everything</span>
          <button
            type="button"
            onClick={() =>
              updateParams({ asof: getInstantBefore(publishedAt), revision: undefined })
            }
          >
            right before it
          </button>
          <button type="button" onClick={() => updateParams({ asof: publishedAt })}>
            right after it
          </button>
        </div>
      </Panel>
      <RevisionChanges revision={revision} entry={entry} />
      <ReportPanel report={revision.report} entry={entry} />
      <FilesPanel files={revision.files} />
    </>
  );
}

interface LabelledValueProps {
  readonly title: string;
  readonly children: preact.ComponentChildren;
}

function LabelledValue({ title, children }: LabelledValueProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
