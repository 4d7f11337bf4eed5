import {
  formatWarningLocation,
  parseReport,
  type ReportWarningGroup,
} from '../api/parse-report.ts';
import type { DatasetEntry } from '../api/types.ts';
import { Panel } from '../components/panel.tsx';
import { formatNumber } from '../formatting/numbers.ts';

interface ReportPanelProps {
  readonly report: unknown;
  readonly entry: DatasetEntry;
}

/** What was noticed when a revision was published. */
export function ReportPanel({ report, entry }: ReportPanelProps) {
  const { facts, skipped, warnings, rest } = parseReport(report);
  const isEmpty = facts.length + skipped.length + warnings.length === 0 && rest === undefined;
  return (
    <Panel title="Report" lead="What was noticed when it was published.">
      {isEmpty && <p class="muted">No report was kept with it.</p>}
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {skipped.length > 0 && (
        <>
          <h3>Left out of the files</h3>
          <ul class="notes">
            {skipped.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      )}
      {facts.length > 0 && warnings.length === 0 && <p>There were no warnings.</p>}
      {warnings.map((group) => (
        <WarningGroupSection key={group.rule} group={group} entry={entry} />
      ))}
      {rest !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>{JSON.stringify(rest, null, 2)}</pre>
      )}
    </Panel>
  );
}

function WarningGroupSection({
  group,
  entry,
}: {
  readonly group: ReportWarningGroup;
  readonly entry: DatasetEntry;
}) {
  const { rule, count, first } = group;
  const meaning = entry.checks.find(({ name }) => name === rule)?.rule;
  return (
    <section class="warning" aria-label={`Warnings ${rule}`}>
      <h3>
        <code>{rule}</code> {formatNumber(count, 0)} {count === 1 ? 'warning' : 'warnings'}
      </h3>
      {meaning && <p class="muted">What should hold: {meaning}</p>}
      <ul>
        {first.map((warning) => (
          <li key={`${formatWarningLocation(warning)} ${warning.field} ${warning.text}`}>
            <b>{formatWarningLocation(warning)}</b>, <code>{warning.field}</code>: {warning.text}
          </li>
        ))}
      </ul>
      {count > first.length && (
        <p class="list-footer">
          The first {formatNumber(first.length, 0)} of {formatNumber(count, 0)}: no more are kept.
        </p>
      )}
    </section>
  );
}
