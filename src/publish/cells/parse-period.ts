import { monthly, type PeriodKind } from '../../catalogue/model/period.ts';
import { parseMonth } from './parse-month.ts';
import { parseQuarterLabel } from './parse-quarter.ts';
import { parseYearLabel } from './parse-year.ts';
import { InvalidCell, memoizeByText, quoteShort, type ValueFormat } from './value-format.ts';

/** Parses labels of one kind of period; other spellings only in the given style. */
export function createPeriodParser(
  kind: PeriodKind,
  style: ValueFormat['periodStyle'],
): (text: string) => string | InvalidCell {
  return memoizeByText((text) => {
    if (kind.toOrdinal(text) !== undefined) return text;
    const label = parseSbpLabel(kind, text);
    if (label === undefined) return new InvalidCell(kind.requirement);
    if (style === 'sbp') return label;
    return new InvalidCell(
      `${kind.requirement}; with --periods sbp ${quoteShort(text)} becomes ${label}`,
    );
  });
}

/**
 * The label of a period as the State Bank of Pakistan writes it. Its fiscal year runs from July to
 * June and is named after the year it ends in: FY24 began in July 2023, and Q1 of it was July to
 * September. Marks of revisions and footnotes are dropped.
 */
function parseSbpLabel(kind: PeriodKind, text: string): string | undefined {
  if (text.length > MAX_LABEL_LENGTH) return undefined;
  const plain = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2014]/g, '-')
    .replace(FOOTNOTE_MARK, '')
    .replace(REVISION_MARK, '');
  const label = kind.toOrdinal(plain) === undefined ? LABEL_PARSERS[kind.name](plain) : plain;
  return label !== undefined && kind.toOrdinal(label) !== undefined ? label : undefined;
}

/** "July-September 2022 (Provisional)" and some spaces. */
const MAX_LABEL_LENGTH = 60;
const FOOTNOTE_MARK = / ?\*+$/;
const REVISION_MARK = / ?(?:\( ?(?:P|R|Prov\.?|Provisional|Rev\.?|Revised) ?\)|(?<=\d ?)[PR])$/i;

const LABEL_PARSERS: Record<PeriodKind['name'], (text: string) => string | undefined> = {
  annual: parseYearLabel,
  quarterly: parseQuarterLabel,
  monthly(text) {
    const month = parseMonth(text);
    return month === undefined ? undefined : monthly.formatLabel(month);
  },
};
