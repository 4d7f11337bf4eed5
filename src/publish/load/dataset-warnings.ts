import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { copyText } from '../../shared/copy-text.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import {
  type DayCount,
  findPeriodGaps,
  findScaleJumps,
  findThinDay,
} from '../quality/history-warnings.ts';
import { findSharedIsin, type IsinSymbols } from '../quality/shared-isins.ts';
import { WARNING_THRESHOLDS, type Warning } from '../quality/warning-rules.ts';
import type { SourceLocation } from './file-problems.ts';
import type { LoadReportBuilder } from './load-report.ts';
import { readSeries } from './period-labels.ts';
import { type QuoteValidator, readQuotes } from './quote-validator.ts';

/** Each is read from the database; the first few say enough. */
const MAX_CHECKED_ISINS = 100;
const MAX_CHECKED_QUOTES = 10_000;

/** Warns of a dataset as it is after a load: of what it lacks, and of breaks with its history. */
export class DatasetWarnings {
  constructor(
    private readonly transaction: PublishTransaction,
    private readonly dataset: Dataset,
    private readonly report: LoadReportBuilder,
    private readonly locations: LoadedLocations,
  ) {}

  /** `quotes` is undefined for other datasets. */
  async add(quotes: QuoteValidator | undefined): Promise<void> {
    await this.#addPeriodWarnings();
    if (!quotes) return;
    const { previousNewestDay } = quotes;
    if (this.locations.newestDay > previousNewestDay) await this.#addThinDayWarning();
    await this.#addSharedIsinWarnings(quotes.warnings.isinSymbols, previousNewestDay !== '');
  }

  async #addPeriodWarnings(): Promise<void> {
    const { dataset, locations } = this;
    const records = await readSeries(this.transaction, dataset);
    for (const { ordinal, previousOrdinal, warning } of findScaleJumps(dataset, records))
      this.#warn(warning, locations.periods.get(ordinal) ?? locations.periods.get(previousOrdinal));
    for (const warning of findPeriodGaps(dataset, records))
      this.report.addWarning(warning, { file: '', place: 'line', at: null });
  }

  async #addThinDayWarning(): Promise<void> {
    const { transaction, dataset, locations } = this;
    const counts: DayCount[] = [];
    for (let day = locations.newestDay; counts.length <= WARNING_THRESHOLDS.thinDayDays; ) {
      const selection = { dateRange: ['0001-01-01', day], limit: 1 } as const;
      const [newest] = await readQuotes(transaction, dataset, selection);
      if (!newest) break;
      const { date } = newest;
      const ofDay = { dateRange: [date, date], limit: 1, includeTotal: true } as const;
      const { total = 0 } = await transaction.read({ kind: 'quotes', dataset, ...ofDay });
      counts.push({ date, count: total });
      day = formatDay(parseDay(date) - 1);
    }
    this.#warn(findThinDay(counts), locations.newestDayLocation);
  }

  async #addSharedIsinWarnings(isinSymbols: IsinSymbols, hasPublished: boolean): Promise<void> {
    const { transaction, dataset, locations } = this;
    const { oldestDay, newestDay, isins } = locations;
    // Other quotes of the ISINs of the load may be published under other symbols.
    const { entries } = hasPublished ? await transaction.securities(dataset) : { entries: [] };
    for (const { isin, symbol } of entries)
      if (isin !== null && isinSymbols.has(isin)) isinSymbols.add(isin, symbol);
    for (const security of isinSymbols.listShared().slice(0, MAX_CHECKED_ISINS)) {
      const dateRange = [oldestDay, newestDay] as const;
      const selection = { security, dateRange, limit: MAX_CHECKED_QUOTES };
      const quotes = await readQuotes(transaction, dataset, selection);
      const shared = findSharedIsin(quotes.filter(({ isin }) => isin === security));
      this.#warn(shared, isins.get(security));
    }
  }

  #warn(warning: Warning | undefined, location: SourceLocation | undefined): void {
    if (warning && location) this.report.addWarning(warning, location);
  }
}

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
