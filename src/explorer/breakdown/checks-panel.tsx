import type { ComponentChildren } from 'preact';
import { type ConsistencyCheck, findViolation } from '../../catalogue/model/consistency-check.ts';
import { useExplorer } from '../api/explorer-context.ts';
import { parseReport } from '../api/parse-report.ts';
import type { DatasetEntry, JsonRecord, RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Panel, QueryView } from '../components/panel.tsx';
import { RevisionLink } from '../corrections/corrections-panel.tsx';
import { formatQuantity } from '../formatting/numbers.ts';

interface ChecksPanelProps {
  readonly title?: string;
  readonly entry: DatasetEntry;
  /** The periods to check, each with what a record of it alone would hold. */
  readonly periods: readonly { readonly label: string; readonly record: JsonRecord }[];
  readonly periodNoun: string;
  readonly children?: ComponentChildren;
}

/** The results of a dataset's consistency checks in every period. */
export function ChecksPanel(props: ChecksPanelProps) {
  const { title = 'Checks', entry, children } = props;
  return (
    <Panel title={title}>
      <div class="checks">
        {entry.checks.map((check) => renderCheck(check, props))}
        {entry.checks.length === 0 && (
          <p>The catalogue defines no consistency checks for this dataset.</p>
        )}
        {children}
      </div>
    </Panel>
  );
}

const MAX_LISTED_VIOLATIONS = 8;

function renderCheck(check: ConsistencyCheck, { periods, periodNoun }: ChecksPanelProps) {
  const violations = periods.flatMap(({ label, record }) => {
    const text = findViolation(check, record);
    return text === undefined ? [] : { label, text };
  });
  const count = formatQuantity(periods.length, periodNoun);
  const rule = <code>{check.rule}</code>;
  if (violations.length === 0) {
    return (
      <p key={check.rule} class="check-passed">
        {periods.length === 1 ? `In the only ${periodNoun}` : `In all ${count}`}: {rule}
      </p>
    );
  }
  return (
    <div key={check.rule} class="warning">
      <p>
        In {violations.length} of {count} this does not hold: {rule}
      </p>
      <ul>
        {violations.slice(0, MAX_LISTED_VIOLATIONS).map(({ label, text }) => (
          <li key={label}>
            <b>{label}</b>: {text}
          </li>
        ))}
      </ul>
      {violations.length > MAX_LISTED_VIOLATIONS && (
        <p>… and {violations.length - MAX_LISTED_VIOLATIONS} more.</p>
      )}
    </div>
  );
}

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
