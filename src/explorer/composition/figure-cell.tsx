import { Link } from '../address/link.tsx';
import { figure, NONE } from '../figures/figures.ts';
import type { Amended } from './amendments.ts';
import { changeWords } from './changes.ts';
import type { Measure } from './part.ts';

interface FigureCellProps {
  readonly value: number | undefined;
  readonly measure: Measure;
  /** What it was before it was corrected. */
  readonly former?: Amended | undefined;
  /** The revision that corrected it, where the figure itself is to lead there. */
  readonly revision?: number | undefined;
}

/** A figure in a table: the whole of it on hover, and what it was where it was corrected. */
export function FigureCell({ value, measure, former, revision }: FigureCellProps) {
  const was = former?.old === undefined ? 'was not there' : `was ${figure(former.old, measure)}`;
  return (
    <>
      <span title={value === undefined ? undefined : String(value)}>{figure(value, measure)}</span>
      {former && (
        <small class="former">
          {revision === undefined ? (
            was
          ) : (
            <Link to="ledger" at={{ revision: String(revision) }}>
              {was}
            </Link>
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
