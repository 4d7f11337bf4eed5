import { useExplorer, useQuery } from '../api/explorer-context.ts';
import { parseReport } from '../api/parse-report.ts';
import type { RevisionEntry } from '../api/types.ts';
import { QueryView } from '../components/panel.tsx';
import { RevisionLink } from '../corrections/value-change.tsx';

const REVISIONS_SHOWN = 3;

export function PublicationWarnings({ dataset, subject }: { dataset: string; subject: string }) {
  const { revisions } = useExplorer();
  const last = revisions.filter((entry) => entry.dataset === dataset).slice(0, REVISIONS_SHOWN);
  if (last.length === 0) return null;
  return (
    <>
      <h3>Warnings from recent publications of {subject}</h3>
      <ul class="publication-warnings">
        {last.map((entry) => (
          <li key={entry.revision}>
            <RevisionWarnings {...entry} />
          </li>
        ))}
      </ul>
    </>
  );
}

function RevisionWarnings({ revision, publishedAt }: RevisionEntry) {
  const query = useQuery<{ readonly report: unknown }>({
    path: `/revisions/${revision}`,
    parameters: { limit: 1 },
  });
  return (
    <>
      <RevisionLink revision={revision} publishedAt={publishedAt} />
      <QueryView query={query} subject="its report">
        {({ report }) => renderWarnings(report)}
      </QueryView>
    </>
  );
}

function renderWarnings(report: unknown) {
  const { facts, warnings, rest } = parseReport(report);
  if (warnings.length === 0) {
    if (rest !== undefined) return <p>Its report cannot be summarized here.</p>;
    return <p>{facts.length === 0 ? 'It has no report.' : 'There were no warnings.'}</p>;
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
