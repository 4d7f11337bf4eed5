import { formatChange } from '../breakdown/changes.ts';
import type { PreviousValue } from '../corrections/revision-corrections.ts';
import { NO_VALUE, type UnitInfo } from '../formatting/numbers.ts';
import { formatPair } from '../formatting/value-pair.ts';
import { Link } from '../routing/link.tsx';

interface NumberCellProps {
  readonly value: number | undefined;
  readonly measure: UnitInfo;
  /** The value before its last correction. */
  readonly previous?: PreviousValue | undefined;
  /** Whether the previous value links to the revision that corrected it. */
  readonly isLinked?: boolean;
}

/** A figure in a table, with full precision on hover and its previous value if it was corrected. */
export function NumberCell({ value, measure, previous, isLinked }: NumberCellProps) {
  const pair = formatPair(previous?.old, value, measure);
  const previousLabel = previous?.old === undefined ? 'was not there' : `was ${pair.old}`;
  return (
    <>
      <span title={value === undefined ? undefined : String(value)}>{pair.new}</span>
      {previous && (
        <small class="previous-value">
          {isLinked ? (
            <Link view="ledger" params={{ revision: String(previous.revision) }}>
              {previousLabel}
            </Link>
          ) : (
            previousLabel
          )}
        </small>
      )}
    </>
  );
}

/** A change, in the colour of its direction. */
export function ChangeValue({ value, measure }: Pick<NumberCellProps, 'value' | 'measure'>) {
  if (value === undefined) return <span class="muted">{NO_VALUE}</span>;
  const direction = value > 0 ? 'up' : value < 0 ? 'down' : undefined;
  return <span class={direction}>{formatChange(value, measure)}</span>;
}
