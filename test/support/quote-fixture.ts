import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { DatasetRecord } from '../../src/catalogue/model/dataset.ts';
import { isDay, parseDay } from '../../src/shared/calendar.ts';

export type Quote = DatasetRecord<typeof quotes>;

/** A quote where only what a test speaks of differs from the example, and the years follow from the days. */
export function quote(differing: Partial<Quote>): Quote {
  const { example } = quotes;
  const { date = '', maturityDate } = differing;
  if (!isDay(date) || date > example.maturityDate || maturityDate !== undefined)
    return { ...example, ...differing };
  const days = parseDay(example.maturityDate) - parseDay(date);
  const exampleDays = parseDay(example.maturityDate) - parseDay(example.date);
  const maturityYears = Number((days / 365).toFixed(6));
  const duration = Number(((example.duration * days) / exampleDays).toFixed(6));
  return { ...example, maturityYears, duration, ...differing };
}
