import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { instantWords } from '../figures/days.ts';
import { Shown } from '../parts/states.tsx';
import type { Revision } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';

/** What is used of the report that is kept with a revision; one that came from no file has none. */
interface Report {
  readonly records?: number;
  readonly warnings?: readonly {
    readonly rule: string;
    readonly count: number;
    readonly first: readonly { readonly field: string; readonly text: string }[];
  }[];
}

const LOOKED_AT = 3;

interface NoticedProps {
  readonly dataset: string;
  readonly about?: string | undefined;
}

/** What was noticed when the last few revisions of a dataset were published. */
export function Noticed({ dataset, about = 'of this series' }: NoticedProps) {
  const { revisions } = useContext(ServiceContext);
  const last = revisions.filter((each) => each.dataset === dataset).slice(0, LOOKED_AT);
  if (last.length === 0) return null;
  return (
    <>
      <h3>Noticed when data {about} was published</h3>
      <ul class="noticed">
        {last.map((each) => (
          <li key={each.revision}>
            <One {...each} />
          </li>
        ))}
      </ul>
    </>
  );
}

function One({ revision, publishedAt }: Revision) {
  const asked = useAnswer<{ readonly report: Report }>({
    path: `/revisions/${revision}`,
    parameters: { limit: 1 },
  });
  return (
    <>
      <Link to="ledger" at={{ revision: String(revision) }}>
        Revision {revision}
      </Link>{' '}
      <span class="quiet">{instantWords(publishedAt)}</span>
      <Shown asked={asked} what="its report">
        {({ report }) => <Told report={report} />}
      </Shown>
    </>
  );
}

function Told({ report: { records, warnings = [] } }: { readonly report: Report }) {
  if (warnings.length === 0) {
    return <p>{records === undefined ? 'No report was kept with it.' : 'Nothing was noticed.'}</p>;
  }
  return (
    <div class="warning">
      {warnings.map(({ rule, count, first: [first] }) => (
        <p key={rule}>
          <code>{rule}</code>
          {count > 1 && ` (${count} times)`}
          {first && `: ${first.text}${count > 1 ? ', and so on' : ''}`}
        </p>
      ))}
    </div>
  );
}
