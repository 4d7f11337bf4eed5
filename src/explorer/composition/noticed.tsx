import { useContext } from 'preact/hooks';
import { Published } from '../differences/published.tsx';
import { Shown } from '../parts/states.tsx';
import type { Revision } from '../service/catalogue.ts';
import { readReport } from '../service/report.ts';
import { ServiceContext } from '../service/service.ts';
import { useAnswer } from '../service/use-answer.ts';

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
  const asked = useAnswer<{ readonly report: unknown }>({
    path: `/revisions/${revision}`,
    parameters: { limit: 1 },
  });
  return (
    <>
      <Published revision={revision} publishedAt={publishedAt} />
      <Shown asked={asked} what="its report">
        {({ report }) => <Told report={report} />}
      </Shown>
    </>
  );
}

/** In few words: the ledger tells all of it. */
function Told({ report }: { readonly report: unknown }) {
  const { facts, warnings, rest } = readReport(report);
  if (warnings.length === 0) {
    if (rest !== undefined) return <p>Its report is not one that is told here in few words.</p>;
    return <p>{facts.length === 0 ? 'No report was kept with it.' : 'Nothing was noticed.'}</p>;
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
