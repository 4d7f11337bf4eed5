import type { PeriodKind } from '../../catalogue/model/period.ts';
import { monthly } from '../../catalogue/model/period.ts';
import { parseMonth } from './parse-month.ts';
import { parseQuarterLabel } from './parse-quarter.ts';
import { parseYearLabel } from './parse-year.ts';

/**
 * The label of the period that the State Bank of Pakistan would mean by the text; undefined where
 * it cannot be told. Its year runs from July to June and goes by the year it ends in: FY24 began
 * in July 2023, and Q1 of it was July to September. Marks of revision and of notes are dropped.
 */
export function parseSbpLabel(kind: PeriodKind, text: string): string | undefined {
  if (text.length > MAX_LABEL_LENGTH) return undefined;
  const written = normalizeLabel(text).replace(FOOTNOTE_MARK, '').replace(REVISION_MARK, '');
  const label = kind.toOrdinal(written) === undefined ? LABEL_PARSERS[kind.name](written) : written;
  return label !== undefined && kind.toOrdinal(label) !== undefined ? label : undefined;
}

/** "July-September 2022 (Provisional)" and some spaces. */
const MAX_LABEL_LENGTH = 60;
const FOOTNOTE_MARK = / ?\*+$/;
const REVISION_MARK = / ?(?:\( ?(?:P|R|Prov\.?|Provisional|Rev\.?|Revised) ?\)|(?<=\d ?)[PR])$/i;

const LABEL_PARSERS: Record<PeriodKind['name'], (text: string) => string | undefined> = {
  annual: parseYearLabel,
  quarterly: parseQuarterLabel,
  monthly: parseMonthLabel,
};

function parseMonthLabel(text: string): string | undefined {
  const month = parseMonth(text);
  return month === undefined ? undefined : monthly.formatLabel(month);
}

function normalizeLabel(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2014]/g, '-');
}
