import { findViolation } from '../../catalogue/model/consistency-check.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { Panel, TruncatedList } from '../components/panel.tsx';
import { formatQuantity } from '../formatting/numbers.ts';

interface ChecksPanelProps {
  readonly entry: DatasetEntry;
  /** The periods to check, each as a record of its own. */
  readonly periods: readonly { readonly label: string; readonly record: JsonRecord }[];
  readonly periodNoun: string;
  /** Sentences about periods that were not published. */
  readonly gaps: readonly string[];
}

const MAX_LISTED_VIOLATIONS = 8;

/** Violations of a dataset's consistency checks, and gaps; a single line if there are none. */
export function ChecksPanel({ entry, periods, periodNoun, gaps }: ChecksPanelProps) {
  const count = formatQuantity(periods.length, periodNoun);
  const failed = entry.checks.flatMap((check) => {
    const violations = periods.flatMap(({ label, record }) => {
      const text = findViolation(check, record);
      return text === undefined ? [] : { label, text };
    });
    return violations.length === 0 ? [] : { rule: check.rule, violations };
  });
  if (failed.length + gaps.length === 0) {
    if (entry.checks.length === 0) return null;
    const where = periods.length === 1 ? `In the only ${periodNoun}` : `In all ${count}`;
    return (
      <p class="help check-passed">{`${where}: ${entry.checks.map(({ rule }) => rule).join('; ')}`}</p>
    );
  }
  return (
    <Panel title="Checks">
      {failed.map(({ rule, violations }) => (
        <div key={rule} class="warning">
          <p>
            In {violations.length} of {count} this does not hold: <code>{rule}</code>
          </p>
          <TruncatedList
            class="notes"
            items={violations}
            initialCount={MAX_LISTED_VIOLATIONS}
            renderItem={({ label, text }) => (
              <>
                <b>{label}</b>: {text}
              </>
            )}
          />
        </div>
      ))}
      {gaps.map((text) => (
        <p key={text} class="warning">
          {text}: the chart has a gap there.
        </p>
      ))}
    </Panel>
  );
}
