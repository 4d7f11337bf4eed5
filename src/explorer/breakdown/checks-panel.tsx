import type { ComponentChildren } from 'preact';
import { type ConsistencyCheck, findViolation } from '../../catalogue/model/consistency-check.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { Panel } from '../components/panel.tsx';
import { pluralize } from '../formatting/numbers.ts';

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
  const count = pluralize(periods.length, periodNoun);
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
