import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { SourceLocation } from './file-problems.ts';

/** Where a load found what warnings about a dataset as a whole refer to. */
export class LoadedLocations {
  /** The newest day of the quotes, and where it came first. */
  newestDay = '';
  newestDayLocation: SourceLocation | undefined;
  readonly #periods = new Map<number, SourceLocation>();
  readonly #dataset: Dataset;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Files have millions of quotes: no location is made for most of them. */
  needs({ date }: AnyRecord): boolean {
    const { shape, period } = this.#dataset;
    return period !== undefined || (shape === 'quotes' && (date as string) > this.newestDay);
  }

  add(record: AnyRecord, location: SourceLocation): void {
    const { period } = this.#dataset;
    if (period) {
      const ordinal = period.kind.toOrdinal(String(record[period.field]));
      if (ordinal !== undefined) this.#periods.set(ordinal, location);
      return;
    }
    // A slice of a file's text would keep a whole chunk of it in memory.
    this.newestDay = Buffer.from(record.date as string).toString();
    this.newestDayLocation = location;
  }

  findPeriod(ordinal: number): SourceLocation | undefined {
    return this.#periods.get(ordinal);
  }
}
