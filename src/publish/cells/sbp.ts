import type { PeriodKind } from '../../catalogue/period.ts';
import { monthly } from '../../catalogue/period.ts';
import { monthIn } from './month-in.ts';
import { quarterLabel } from './quarter-label.ts';
import { yearLabel } from './year-label.ts';

/**
 * The label of the period that the State Bank of Pakistan would mean by the text; undefined where
 * it cannot be told. Its year runs from July to June and goes by the year it ends in: FY24 began
 * in July 2023, and Q1 of it was July to September. Marks of revision and of notes are dropped.
 */
export function sbpLabel(kind: PeriodKind, text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const written = tidy(text).replace(NOTE, '').replace(MARK, '');
  const label = kind.place(written) === undefined ? readers[kind.name](written) : written;
  return label !== undefined && kind.place(label) !== undefined ? label : undefined;
}

/** "July-September 2022 (Provisional)" and some spaces. */
const LONGEST = 60;
const NOTE = / ?\*+$/;
const MARK = / ?(?:\( ?(?:P|R|Prov\.?|Provisional|Rev\.?|Revised) ?\)|(?<=\d ?)[PR])$/i;

const readers: Record<PeriodKind['name'], (text: string) => string | undefined> = {
  annual: yearLabel,
  quarterly: quarterLabel,
  monthly: monthLabel,
};

function monthLabel(text: string): string | undefined {
  const month = monthIn(text);
  return month === undefined ? undefined : monthly.label(month);
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2014]/g, '-');
}
