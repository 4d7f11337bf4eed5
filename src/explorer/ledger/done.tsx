import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { updateParams } from '../address/place.ts';
import { formatInstantLabel, getInstantBefore } from '../figures/days.ts';
import { formatNumber } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import type { ApiRequest } from '../service/api.ts';
import { ExplorerContext } from '../service/service.ts';
import { ExportMenu } from '../take/take.tsx';
import { RevisionChanges } from './changes.tsx';
import { FilesPanel } from './files.tsx';
import { ReportPanel } from './report-panel.tsx';
import { SampleBadge } from './revisions.tsx';
import { getDatasetRoute } from './subject.ts';
import type { FullRevision } from './whole-revision.ts';

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
export function RevisionDetail({ revision, question }: RevisionDetailProps) {
  const { catalogue } = useContext(ExplorerContext);
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  if (!entry) return <p>{`The catalogue has no dataset ${revision.dataset}.`}</p>;
  const { view, at } = getDatasetRoute(entry);
  const { publishedAt, source, author, sample } = revision;
  const tools = (
    <ExportMenu
      question={question}
      name={`revision-${revision.revision}`}
      title={`Revision ${revision.revision}`}
      isTable={false}
    />
  );
  return (
    <>
      <Panel title="What it did" class="did" tools={tools}>
        <dl class="facts">
          <LabelledValue title="Dataset">
            <Link to={view} at={at}>
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
              <dd class={revision[name] === 0 ? 'quiet' : undefined}>
                {formatNumber(revision[name], 0)}
              </dd>
            </div>
          ))}
        </dl>
        <div class="side-by-side look-around">
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
