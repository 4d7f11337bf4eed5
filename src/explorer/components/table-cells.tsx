import type { PreviousValue } from '../corrections/revision-corrections.ts';
import { formatPair, NO_VALUE, type UnitInfo } from '../formatting/numbers.ts';
import { ViewLink } from '../routing/view-route.tsx';
import { describeChange, isPercentage } from '../series/compute-changes.ts';

interface NumberCellProps {
  readonly value: number | undefined;
  readonly unitInfo: UnitInfo;
  readonly previous?: PreviousValue | undefined;
}

/** A figure in a table, with full precision on hover and a link to its last correction. */
export function NumberCell({ value, unitInfo, previous }: NumberCellProps) {
  const pair = formatPair(previous?.old, value, unitInfo);
  const previousLabel = previous?.old === undefined ? 'was not there' : `was ${pair.old}`;
  return (
    <>
      <span title={value === undefined ? undefined : String(value)}>{pair.new}</span>
      {previous && (
        <small class="previous-value">
          <ViewLink view="ledger" params={{ revision: String(previous.revision) }}>
            {previousLabel}
          </ViewLink>
        </small>
      )}
    </>
  );
}

interface ChangeValueProps {
  readonly later: number | undefined;
  readonly earlier: number | undefined;
  readonly unitInfo: UnitInfo;
}

/** The change of a value, coloured by direction rather than as good or bad. */
export function ChangeValue({ later, earlier, unitInfo }: ChangeValueProps) {
  const change = describeChange(later, earlier, unitInfo);
  if (change === undefined) return <span class="muted">{NO_VALUE}</span>;
  return (
    <span class={`change ${(!isPercentage(unitInfo) && change.direction) || ''}`}>
      {change.text}
    </span>
  );
}
