import type { PeriodKind } from '../../catalogue/model/period.ts';
import { parseSbpLabel } from './parse-sbp-label.ts';
import { InvalidCell, memoizeByText, quoteShort, type ValueFormat } from './value-format.ts';

/** Reads labels of one kind; those that the kind does not know only as the file is said to write. */
export function createPeriodParser(
  kind: PeriodKind,
  writing: ValueFormat['periods'],
): (text: string) => string | InvalidCell {
  return memoizeByText((text) => {
    if (kind.place(text) !== undefined) return text;
    const label = parseSbpLabel(kind, text);
    if (label === undefined) return new InvalidCell(kind.rule);
    if (writing === 'sbp') return label;
    return new InvalidCell(`${kind.rule}; with --periods sbp ${quoteShort(text)} becomes ${label}`);
  });
}
