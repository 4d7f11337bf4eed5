import type { PeriodKind } from '../../catalogue/model/period.ts';
import { parseSbpLabel } from './parse-sbp-label.ts';
import { InvalidCell, memoizeByText, quoteShort, type ValueFormat } from './value-format.ts';

/** Reads labels of one kind; those that the kind does not know only as the file is said to write. */
export function createPeriodParser(
  kind: PeriodKind,
  writing: ValueFormat['periodStyle'],
): (text: string) => string | InvalidCell {
  return memoizeByText((text) => {
    if (kind.toOrdinal(text) !== undefined) return text;
    const label = parseSbpLabel(kind, text);
    if (label === undefined) return new InvalidCell(kind.requirement);
    if (writing === 'sbp') return label;
    return new InvalidCell(
      `${kind.requirement}; with --periods sbp ${quoteShort(text)} becomes ${label}`,
    );
  });
}
