import type { PeriodKind } from '../../catalogue/period.ts';
import { type Habits, quoted, remembered, Unfit } from './convert.ts';
import { sbpLabel } from './sbp.ts';

/** Reads labels of one kind; those that the kind does not know only as the file is said to write. */
export function periodReader(
  kind: PeriodKind,
  writing: Habits['periods'],
): (text: string) => string | Unfit {
  return remembered((text) => {
    if (kind.place(text) !== undefined) return text;
    const label = sbpLabel(kind, text);
    if (label === undefined) return new Unfit(kind.rule);
    if (writing === 'sbp') return label;
    return new Unfit(`${kind.rule}; with --periods sbp ${quoted(text)} becomes ${label}`);
  });
}
