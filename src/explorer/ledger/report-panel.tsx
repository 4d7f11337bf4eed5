import {
  formatWarningLocation,
  parseReport,
  type ReportWarningGroup,
} from '../api/parse-report.ts';
import type { DatasetEntry } from '../api/types.ts';
import { FactList } from '../components/fact-list.tsx';
import { Panel } from '../components/panel.tsx';
import { formatNumber } from '../formatting/numbers.ts';

interface ReportPanelProps {
  readonly report: unknown;
  readonly entry: DatasetEntry;
}

/** The report of the load that published a revision. */
export function ReportPanel({ report, entry }: ReportPanelProps) {
  const { facts, skipped, warnings, rest } = parseReport(report);
  const isEmpty = facts.length + skipped.length + warnings.length === 0 && rest === undefined;
  return (
    <Panel title="Report" lead="What was reported on publication.">
      {isEmpty && <p class="muted">It has no report.</p>}
      {facts.length > 0 && (
        <FactList facts={facts.map(({ title, text }) => ({ name: title, value: text }))} />
      )}
      {skipped.length > 0 && (
        <>
          <h3>Skipped rows</h3>
          <ul class="notes">
            {skipped.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {facts.length > 0 && warnings.length === 0 && <p>There were no warnings.</p>}
      {warnings.map((group) => (
        <WarningSection key={group.rule} {...group} entry={entry} />
      ))}
      {rest !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>{JSON.stringify(rest, null, 2)}</pre>
      )}
    </Panel>
  );
}

interface WarningSectionProps extends ReportWarningGroup {
  readonly entry: DatasetEntry;
}

function WarningSection({ rule, count, first, entry }: WarningSectionProps) {
  const requirement = entry.checks.find(({ name }) => name === rule)?.rule;
  return (
    <section class="warning" aria-label={`Warnings ${rule}`}>
      <h3>
        <code>{rule}</code> {formatNumber(count, 0)} {count === 1 ? 'warning' : 'warnings'}
      </h3>
      {requirement && <p class="muted">What should hold: {requirement}</p>}
      <ul>
        {first.map((warning) => (
          <li key={`${formatWarningLocation(warning)} ${warning.field} ${warning.text}`}>
            <b>{formatWarningLocation(warning)}</b>, <code>{warning.field}</code>: {warning.text}
          </li>
        ))}
      </ul>
      {count > first.length && (
        <p class="list-footer">
          The first {formatNumber(first.length, 0)} of {formatNumber(count, 0)}: the others are not
          stored.
        </p>
      )}
    </section>
  );
}
