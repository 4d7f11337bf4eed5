import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { copyText } from '../../shared/copy-text.ts';
import type { SourceLocation } from './file-problems.ts';

/** Where a load found what warnings about a dataset as a whole refer to. */
export class LoadedLocations {
  /** The newest day of the quotes, and where it came first. */
  newestDay = '';
  newestDayLocation: SourceLocation | undefined;
  /** The oldest day of the quotes. */
  oldestDay = '9999-12-31';
  /** By ordinal. */
  readonly periods = new Map<number, SourceLocation>();
  /** Where an ISIN came with a symbol for the first time; the last such location counts. */
  readonly isins = new Map<string, SourceLocation>();

  constructor(private readonly dataset: Dataset) {}

  /** Files have millions of quotes: no location is made for most of them. */
  needs({ date }: AnyRecord): boolean {
    const { shape, period } = this.dataset;
    if (shape !== 'quotes') return period !== undefined;
    return (date as string) > this.newestDay || (date as string) < this.oldestDay;
  }

  add(record: AnyRecord, location: SourceLocation): void {
    const { period } = this.dataset;
    if (period) {
      const ordinal = period.kind.toOrdinal(String(record[period.field]));
      if (ordinal !== undefined) this.periods.set(ordinal, location);
      return;
    }
    const day = copyText(record.date as string);
    if (day < this.oldestDay) this.oldestDay = day;
    if (day <= this.newestDay) return;
    this.newestDay = day;
    this.newestDayLocation = location;
  }
}
