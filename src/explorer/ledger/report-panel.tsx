import type { RevisionRecord } from '../../client/generated.ts';
import type { DatasetEntry } from '../api/types.ts';
import { FactList, Panel } from '../components/panel.tsx';
import { formatQuantity } from '../formatting/numbers.ts';
import {
  countStored,
  formatWarningLocation,
  parseReport,
  type ReportWarningGroup,
} from './parse-report.ts';

interface ReportPanelProps extends Pick<RevisionRecord, 'report' | 'options'> {
  readonly entry: DatasetEntry;
}

export function ReportPanel({ report, options, entry }: ReportPanelProps) {
  const { skipped, warnings, facts } = parseReport(report, options);
  if (facts.length + skipped.length + warnings.length === 0) return null;
  return (
    <Panel title="Report">
      {facts.length > 0 && <FactList facts={facts} />}
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
      {warnings.map((group) => renderWarningGroup(group, entry))}
    </Panel>
  );
}

function renderWarningGroup(group: ReportWarningGroup, entry: DatasetEntry) {
  const { rule, count, first } = group;
  const stored = countStored(group);
  const requirement = entry.checks.find(({ name }) => name === rule)?.rule;
  return (
    <section key={rule} class="warning" aria-label={`Warnings ${rule}`}>
      <h3>
        <code>{rule}</code> {formatQuantity(count, 'warning')}
        {count > stored && `, of which the first ${stored} are stored`}
      </h3>
      {requirement && <p class="muted">What should hold: {requirement}</p>}
      <ul>
        {first.map((warning) => (
          <li key={`${formatWarningLocation(warning)} ${warning.field} ${warning.text}`}>
            <b>{formatWarningLocation(warning)}</b>, <code>{warning.field}</code>: {warning.text}
            {warning.count && ` (${formatQuantity(warning.count, 'time')})`}
          </li>
        ))}
      </ul>
    </section>
  );
}
