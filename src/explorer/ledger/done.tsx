import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { go } from '../address/place.ts';
import { instantWords, justBefore } from '../figures/days.ts';
import { grouped } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import type { Question } from '../service/api.ts';
import { ServiceContext } from '../service/service.ts';
import { Take } from '../take/take.tsx';
import { ChangesOf } from './changes.tsx';
import { Files } from './files.tsx';
import { Report } from './report-panel.tsx';
import { SampleBadge } from './revisions.tsx';
import { placeOf } from './subject.ts';
import type { WholeRevision } from './whole-revision.ts';

interface DoneProps {
  readonly revision: WholeRevision;
  readonly question: Question;
}

const COUNTS = [
  ['corrected', 'Corrected'],
  ['retired', 'Retired'],
  ['added', 'Added'],
  ['unchanged', 'Unchanged'],
] as const;

/** All that is known of a revision. */
export function Done({ revision, question }: DoneProps) {
  const { catalogue } = useContext(ServiceContext);
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  if (!entry) return <p>{`The catalogue has no dataset ${revision.dataset}.`}</p>;
  const { view, at } = placeOf(entry);
  const { publishedAt, source, author, sample } = revision;
  const tools = (
    <Take
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
          <Fact title="Dataset">
            <Link to={view} at={at}>
              {entry.title}
            </Link>
          </Fact>
          <Fact title="Published">{instantWords(publishedAt)}</Fact>
          <Fact title="Source">
            {source} <SampleBadge sample={sample} />
          </Fact>
          <Fact title="Author">{author}</Fact>
        </dl>
        <dl class="tiles">
          {COUNTS.map(([name, title]) => (
            <div key={name} class="tile">
              <dt>{title}</dt>
              <dd class={revision[name] === 0 ? 'quiet' : undefined}>
                {grouped(revision[name], 0)}
              </dd>
            </div>
          ))}
        </dl>
        <div class="side-by-side look-around">
          <span>Look at everything</span>
          <button
            type="button"
            onClick={() => go({ asof: justBefore(publishedAt), revision: undefined })}
          >
            right before it
          </button>
          <button type="button" onClick={() => go({ asof: publishedAt })}>
            right after it
          </button>
        </div>
      </Panel>
      <ChangesOf revision={revision} entry={entry} />
      <Report report={revision.report} entry={entry} />
      <Files files={revision.files} />
    </>
  );
}

interface FactProps {
  readonly title: string;
  readonly children: preact.ComponentChildren;
}

function Fact({ title, children }: FactProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
