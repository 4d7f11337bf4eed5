import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { SecuritySummary } from '../../catalogue/operations/discovery.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { copyText } from '../../shared/copy-text.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { findCaseVariant } from '../quality/case-variants.ts';
import {
  COMPARED_DAYS,
  findDayWarnings,
  findStrayDays,
  findWeekendDate,
} from '../quality/day-warnings.ts';
import { type DayCount, findPeriodGaps, findThinDay } from '../quality/history-warnings.ts';
import { findOverwrittenPeriods, findPeriodWarnings } from '../quality/period-warnings.ts';
import type { QuoteWarnings } from '../quality/quote-warnings.ts';
import { findSharedIsin, findSymbolChange, type IsinSymbols } from '../quality/shared-isins.ts';
import { WARNING_THRESHOLDS, type Warning } from '../quality/warning-rules.ts';
import type { SourceLocation } from './file-problems.ts';
import type { LoadReportBuilder } from './load-report.ts';
import { readSeries } from './period-labels.ts';
import { type QuoteValidator, readQuotes } from './quote-validator.ts';

const NO_ENTRIES = { entries: [] };

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
    /** The records of a series before the load. */
    private readonly published: readonly AnyRecord[],
  ) {}

  /** `quotes` is undefined for other datasets. */
  async add(quotes: QuoteValidator | undefined): Promise<void> {
    await this.#addPeriodWarnings();
    const { newestDay, newestDayLocation, quotesByDay } = this.locations;
    if (!quotes || newestDay === '') return;
    const { previousNewestDay, warnings } = quotes;
    this.#warn(findStrayDays(quotesByDay), newestDayLocation);
    if (newestDay >= previousNewestDay) await this.#addDayWarnings(newestDay > previousNewestDay);
    // Other quotes of the ISINs of the load may be published under other symbols.
    const hasPublished = previousNewestDay !== '';
    const { entries } = hasPublished ? await this.transaction.securities(this.dataset) : NO_ENTRIES;
    this.#addSymbolWarnings(warnings, entries);
    await this.#addSharedIsinWarnings(warnings.isinSymbols, entries);
  }

  async #addPeriodWarnings(): Promise<void> {
    const { dataset, locations } = this;
    const records = await readSeries(this.transaction, dataset);
    for (const { ordinals, warning } of [
      ...findPeriodWarnings(dataset, records),
      ...findOverwrittenPeriods(dataset, this.published, records),
    ]) {
      const loaded = ordinals.find((ordinal) => locations.periods.has(ordinal));
      this.#warn(warning, locations.periods.get(loaded ?? Number.NaN));
    }
    for (const warning of findPeriodGaps(dataset, records))
      this.report.addWarning(warning, { file: '', place: 'line', at: null });
  }

  /** Compares the newest day with those before it; `isNew` where none of its quotes was published. */
  async #addDayWarnings(isNew: boolean): Promise<void> {
    const { transaction, dataset, locations } = this;
    const { newestDay, newestDayLocation } = locations;
    const readDay = (date: string, limit: number) =>
      readQuotes(transaction, dataset, { dateRange: [date, date], limit });
    const counts: DayCount[] = [];
    for (let day = newestDay; counts.length <= WARNING_THRESHOLDS.thinDayDays; ) {
      const selection = { dateRange: ['0001-01-01', day], limit: 1 } as const;
      const [newest] = await readQuotes(transaction, dataset, selection);
      if (!newest) break;
      const { date } = newest;
      const ofDay = { dateRange: [date, date], limit: 1, includeTotal: true } as const;
      const { total = 0 } = await transaction.read({ kind: 'quotes', dataset, ...ofDay });
      counts.push({ date, count: total });
      day = formatDay(parseDay(date) - 1);
    }
    if (isNew) this.#warn(findThinDay(counts), newestDayLocation);
    const days: Quote[][] = [];
    for (const { date } of counts.slice(0, COMPARED_DAYS))
      days.push(await readDay(date, MAX_CHECKED_QUOTES));
    for (const warning of findDayWarnings(days)) this.#warn(warning, newestDayLocation);
    const hasQuotes = async (day: number) => (await readDay(formatDay(day), 1)).length > 0;
    this.#warn(await findWeekendDate(newestDay, hasQuotes), newestDayLocation);
  }

  #addSymbolWarnings(warnings: QuoteWarnings, entries: readonly SecuritySummary[]): void {
    const { isins, oldestDay, newestDayLocation } = this.locations;
    // The entries include the symbols of the load.
    const earlier = entries.filter(({ firstDate }) => firstDate !== null && firstDate < oldestDay);
    const symbols = earlier.map(({ symbol }) => symbol);
    const variant = findCaseVariant(warnings.listSymbols(), symbols);
    this.#warn(variant && { ...variant, field: 'symbol' }, newestDayLocation);
    const published = Map.groupBy(earlier, ({ isin }) => isin ?? '');
    for (const [isin, loaded] of warnings.isinSymbols) {
      const others = published.get(isin) ?? [];
      // Symbols of one day are shared, not changed.
      if (others.some(({ lastDate }) => String(lastDate) >= oldestDay)) continue;
      this.#warn(findSymbolChange(isin, loaded, others), isins.get(isin));
    }
  }

  async #addSharedIsinWarnings(isinSymbols: IsinSymbols, entries: readonly SecuritySummary[]) {
    const { transaction, dataset, locations } = this;
    const { oldestDay, newestDay, isins } = locations;
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
  /** How many quotes each day has. */
  readonly quotesByDay = new Map<string, number>();
  /** By ordinal. */
  readonly periods = new Map<number, SourceLocation>();
  /** Where an ISIN came with a symbol for the first time; the last such location counts. */
  readonly isins = new Map<string, SourceLocation>();

  constructor(private readonly dataset: Dataset) {}

  count({ date }: AnyRecord): void {
    if (this.dataset.shape !== 'quotes') return;
    const day = date as string;
    const count = this.quotesByDay.get(day);
    this.quotesByDay.set(count === undefined ? copyText(day) : day, (count ?? 0) + 1);
  }

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
