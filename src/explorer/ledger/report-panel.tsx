import { grouped } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import type { Entry } from '../service/catalogue.ts';
import { readReport, spotOf, type WarningGroup } from '../service/report.ts';

interface ReportProps {
  readonly report: unknown;
  readonly entry: Entry;
}

/** What was noticed when a revision was published. */
export function Report({ report, entry }: ReportProps) {
  const { facts, skipped, warnings, rest } = readReport(report);
  const isEmpty = facts.length + skipped.length + warnings.length === 0 && rest === undefined;
  return (
    <Panel title="Report" lead="What was noticed when it was published.">
      {isEmpty && <p class="quiet">No report was kept with it.</p>}
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
        <Warnings key={group.rule} group={group} entry={entry} />
      ))}
      {rest !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>{JSON.stringify(rest, null, 2)}</pre>
      )}
    </Panel>
  );
}

function Warnings({ group, entry }: { readonly group: WarningGroup; readonly entry: Entry }) {
  const { rule, count, first } = group;
  const meaning = entry.checks.find(({ name }) => name === rule)?.rule;
  return (
    <section class="warning" aria-label={`Warnings ${rule}`}>
      <h3>
        <code>{rule}</code> {grouped(count, 0)} {count === 1 ? 'warning' : 'warnings'}
      </h3>
      {meaning && <p class="quiet">What should hold: {meaning}</p>}
      <ul>
        {first.map((warning) => (
          <li key={`${spotOf(warning)} ${warning.field} ${warning.text}`}>
            <b>{spotOf(warning)}</b>, <code>{warning.field}</code>: {warning.text}
          </li>
        ))}
      </ul>
      {count > first.length && (
        <p class="more">
          The first {grouped(first.length, 0)} of {grouped(count, 0)}: no more are kept.
        </p>
      )}
    </section>
  );
}
