import type { Changes, View } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import type { AnyRecord, Entry } from '../service/catalogue.ts';

/** What a record is about, and where the page shows that. */
interface Subject {
  readonly words: string;
  readonly view: View;
  readonly at: Changes;
}

type About = Pick<Entry, 'name' | 'shape' | 'period'>;

/** The security and day, the fund or the period that a record is of. */
export function subjectOf(entry: About, record: AnyRecord): Subject {
  if (entry.shape === 'quotes') {
    const symbol = String(record.symbol);
    const words = `${symbol}, ${dayWords(String(record.date))}`;
    return { words, view: 'security', at: { symbol } };
  }
  if (entry.shape === 'fund') {
    const fund = String(record.fund_id);
    return { words: fund, view: 'funds', at: { fund } };
  }
  return { words: String(record[entry.period?.field ?? '']), ...placeOf(entry) };
}

/** Where the page shows a whole dataset. */
export function placeOf({ name, shape }: About): Omit<Subject, 'words'> {
  if (shape === 'quotes') return { view: 'market', at: {} };
  return shape === 'fund' ? { view: 'funds', at: {} } : { view: 'payments', at: { series: name } };
}
