import { Link } from '../address/link.tsx';
import type { Former } from '../differences/amendments.ts';
import { pairOf } from '../differences/writing.ts';
import { type Measure, NONE } from '../figures/figures.ts';
import { changeWords } from './changes.ts';

interface FigureCellProps {
  readonly value: number | undefined;
  readonly measure: Measure;
  /** How it was corrected last. */
  readonly former?: Former | undefined;
  /** Whether what it was leads to the revision that corrected it. */
  readonly isLinked?: boolean;
}

/** A figure in a table: the whole of it on hover, and what it was where it was corrected. */
export function FigureCell({ value, measure, former, isLinked }: FigureCellProps) {
  const pair = pairOf(former?.old, value, measure);
  const was = former?.old === undefined ? 'was not there' : `was ${pair.old}`;
  return (
    <>
      <span title={value === undefined ? undefined : String(value)}>{pair.new}</span>
      {former && (
        <small class="former">
          {isLinked ? (
            <Link to="ledger" at={{ revision: String(former.revision) }}>
              {was}
            </Link>
          ) : (
            was
          )}
        </small>
      )}
    </>
  );
}

interface ChangeProps {
  readonly value: number | undefined;
  readonly measure: Measure;
}

/** A change, in the colour of its direction. */
export function Change({ value, measure }: ChangeProps) {
  if (value === undefined) return <span class="quiet">{NONE}</span>;
  const direction = value > 0 ? 'up' : value < 0 ? 'down' : undefined;
  return <span class={direction}>{changeWords(value, measure)}</span>;
}
