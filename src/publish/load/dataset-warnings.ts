import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { SecuritySummary } from '../../operations/securities/securities-operation.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { copyText } from '../../shared/copy-text.ts';
import type { PublishTransaction, StagedChange } from '../../store/open-store.ts';
import { type Completeness, readCompleteness } from '../../store/series-coverage.ts';
import { findCaseVariant } from '../quality/case-variants.ts';
import { findCodeWarnings } from '../quality/code-warnings.ts';
import type { PeriodCorrections } from '../quality/corrected-periods.ts';
import {
  COMPARED_DAYS,
  findDayWarnings,
  findStrayDays,
  findWeekendDate,
} from '../quality/day-warnings.ts';
import {
  type DayQuoteCount,
  findMissingSeriesWarnings,
  findPeriodGaps,
  findThinDay,
} from '../quality/history-warnings.ts';
import type { QuoteWarnings } from '../quality/quote-warnings.ts';
import { SeriesComparison } from '../quality/series-comparison.ts';
import { findSharedIsin, findSymbolChange, type IsinSymbols } from '../quality/shared-isins.ts';
import { WARNING_THRESHOLDS, type Warning } from '../quality/warning-rules.ts';
import type { SourceLocation } from './file-problems.ts';
import type { LoadReportBuilder } from './load-report.ts';
import type { PublishedSeries } from './published-labels.ts';
import { type QuoteValidator, readQuotes } from './quote-validator.ts';

const NO_ENTRIES = { entries: [] };

/** Each is read from the database; the first few are sufficient. */
const MAX_CHECKED_ISINS = 100;
const MAX_CHECKED_QUOTES = 10_000;
/** Warnings of further records name no line. */
const MAX_LOCATED_RECORDS = 10_000;
const MAX_KEPT_VALUES = 20_000;
/** Of a dataset with fewer days, it is not known on which there are records. */
const MIN_DAYS = 20;
const MAX_ADDED_PERIODS = 7;
const NOWHERE = { file: '', place: 'line', at: null } as const;

/** Warns about a dataset after a load: about gaps, and about breaks with its history. */
export class DatasetWarnings {
  /** Which series the newest periods have, if the load adds records to them. */
  readonly completeness: Completeness[] = [];

  constructor(
    private readonly transaction: PublishTransaction,
    private readonly dataset: Dataset,
    private readonly report: LoadReportBuilder,
    private readonly locations: LoadedLocations,
    private readonly published: PublishedSeries,
    private readonly replace: boolean,
    private readonly staged: StagedChange,
    private readonly corrections: PeriodCorrections,
  ) {}

  /** `quotes` is undefined for other datasets. */
  async add(quotes: QuoteValidator | undefined): Promise<void> {
    await this.#addPeriodWarnings();
    const { newestDay, newestDayLocation, countByPlace } = this.locations;
    if (!quotes || newestDay === '') return;
    const { previousNewestDay, warnings } = quotes;
    this.#warn(findStrayDays(countByPlace as Map<string, number>), newestDayLocation);
    if (newestDay >= previousNewestDay) await this.#addDayWarnings(newestDay > previousNewestDay);
    // The ISINs of the load may have published quotes under other symbols.
    const hasPublished = previousNewestDay !== '';
    const { entries } = hasPublished ? await this.transaction.securities(this.dataset) : NO_ENTRIES;
    this.#addSymbolWarnings(warnings, entries);
    await this.#addSharedIsinWarnings(warnings.isinSymbols, entries);
  }

  async #addPeriodWarnings(): Promise<void> {
    const { dataset, locations, published, report, staged, corrections } = this;
    if (!dataset.period) return;
    const kept = this.replace ? [] : published.periods;
    const periods = new Set([...kept, ...(locations.countByPlace.keys() as Iterable<number>)]);
    const newest = periods.values().reduce((a, b) => Math.max(a, b), -Infinity);
    const { revision, neighbours } = staged.series;
    const comparison = new SeriesComparison(
      dataset,
      revision,
      newest,
      (...args) => this.#readPast(...args),
      published.periods.length > 0,
    );
    const { warnings, notCompared } = await comparison.compare(neighbours());
    for (const { keys, warning } of warnings) {
      const loaded = keys.find((key) => locations.records.has(key));
      report.addWarning(warning, locations.records.get(loaded ?? '') ?? NOWHERE);
    }
    for (const what of notCompared) report.addNotCompared(what);
    await this.#addCodeWarnings();
    const { field, kind } = dataset.period;
    if (dataset.declared && kind.hasHolidays && periods.size >= MIN_DAYS) {
      const hasRecords = (day: number) => periods.has(day);
      const added = periods.difference(new Set(kept));
      // Histories have days of their own, which are over.
      for (const day of added.size <= MAX_ADDED_PERIODS ? added : [newest])
        this.#warn(await findWeekendDate(kind.formatLabel(day), hasRecords, field), NOWHERE);
    }
    if (locations.countByPlace.has(newest) && staged.counts.added > 0)
      await this.#addMissing(periods, kept);
    for (const warning of [...corrections.warnings, ...findPeriodGaps(dataset, periods, kept)])
      report.addWarning(warning, NOWHERE);
  }

  /** Compares values of dimensions with codes, and with a published period that the load leaves as it is. */
  async #addCodeWarnings(): Promise<void> {
    const { transaction, dataset, locations, published, report } = this;
    const { dimensions = [] } = dataset.declaration ?? {};
    if (dimensions.length === 0) return;
    const place = published.periods.find((each) => !locations.countByPlace.has(each));
    const series =
      place === undefined ? undefined : await transaction.missingSeries(dataset, undefined, place);
    for (const [index, { field, codes = {} }] of dimensions.entries()) {
      const values = locations.dimensionValues[index] ?? new Map<string, SourceLocation>();
      const known = new Set([
        ...Object.keys(codes),
        ...(series?.missing ?? []).map((each) => each[index] ?? ''),
      ]);
      for (const warning of findCodeWarnings({ field, loaded: values.keys(), known }))
        report.addWarning(warning, values.get(String(warning.value)) ?? NOWHERE);
    }
  }

  /** Compares the newest period, and a few that are new as well, with the one before it. */
  async #addMissing(periods: ReadonlySet<number>, kept: readonly number[]): Promise<void> {
    const { transaction, dataset } = this;
    const newestFirst = [...periods].sort((a, b) => b - a);
    const lastKept = kept.reduce((a, b) => Math.max(a, b), -Infinity);
    const newCount = newestFirst.filter((place) => place > lastKept).length;
    const isHistory = kept.length === 0 || newCount > MAX_ADDED_PERIODS;
    const comparedCount = isHistory ? 1 : Math.max(1, newCount);
    for (const place of newestFirst.slice(0, comparedCount)) {
      const found = await readCompleteness(transaction, dataset, place);
      if (!found) continue;
      this.completeness.push(found);
      for (const warning of findMissingSeriesWarnings(dataset, found))
        this.report.addWarning(warning, NOWHERE);
    }
  }

  /** The records of a series before a place, oldest first. */
  async #readPast(values: readonly string[], before: number, limit: number): Promise<AnyRecord[]> {
    const dimensions = values.map((value) => [value]);
    const selection = { kind: 'observations', dataset: this.dataset, dimensions } as const;
    const { records } = await this.transaction.read({ ...selection, to: before - 1, limit });
    return JSON.parse(`[${records}]`).toReversed();
  }

  /** Compares the newest day with earlier ones; `isNew` if none of its quotes was published before. */
  async #addDayWarnings(isNew: boolean): Promise<void> {
    const { transaction, dataset, locations } = this;
    const { newestDay, newestDayLocation } = locations;
    const readDay = (date: string, limit: number) =>
      readQuotes(transaction, dataset, { dateRange: [date, date], limit });
    const counts: DayQuoteCount[] = [];
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
    // These entries include the symbols of the load.
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

  #warn(warning: Warning | undefined, location: SourceLocation | typeof NOWHERE | undefined): void {
    if (warning && location) this.report.addWarning(warning, location);
  }
}

/** The locations in a load that warnings about the dataset as a whole refer to. */
export class LoadedLocations {
  /** The newest day of the quotes, and its first location. */
  newestDay = '';
  newestDayLocation: SourceLocation | undefined;
  /** The oldest day of the quotes. */
  oldestDay = '9999-12-31';
  /** The number of records of each day of quotes, or of each period of a series, by its ordinal. */
  readonly countByPlace = new Map<string | number, number>();
  /** The first records of a series, by key. */
  readonly records = new Map<string, SourceLocation>();
  /** The location where an ISIN first came with a symbol; the last such location counts. */
  readonly isins = new Map<string, SourceLocation>();

  /** The values of each dimension, with the first location of each. */
  readonly dimensionValues: readonly Map<string, SourceLocation>[];
  readonly #dimensions: readonly string[];

  constructor(private readonly dataset: Dataset) {
    this.#dimensions = (dataset.declaration?.dimensions ?? []).map(({ field }) => field);
    this.dimensionValues = this.#dimensions.map(() => new Map());
  }

  /** Keeps the values of dimensions that are new. */
  addValues(record: AnyRecord, locate: () => SourceLocation): void {
    for (const [index, field] of this.#dimensions.entries()) {
      const values = this.dimensionValues[index];
      const value = record[field] as string;
      if (values && !values.has(value) && values.size < MAX_KEPT_VALUES)
        values.set(copyText(value), locate());
    }
  }

  /** Counts a record by its day or the ordinal of its period. */
  count(place: string | number): void {
    const { shape } = this.dataset;
    if (shape !== 'quotes' && shape !== 'series') return;
    const count = this.countByPlace.get(place);
    const isNewText = count === undefined && typeof place === 'string';
    this.countByPlace.set(isNewText ? copyText(place) : place, (count ?? 0) + 1);
  }

  /** Files have millions of records, so no location is created for most of them. */
  needs({ date }: AnyRecord): boolean {
    const { shape } = this.dataset;
    if (shape === 'series') return this.records.size < MAX_LOCATED_RECORDS;
    if (shape !== 'quotes') return false;
    return (date as string) > this.newestDay || (date as string) < this.oldestDay;
  }

  add(record: AnyRecord, location: SourceLocation): void {
    if (this.dataset.shape === 'series') {
      const key = getKeyValues(getStorageTable(this.dataset), record).join('\0');
      this.records.set(copyText(key), location);
      return;
    }
    const day = copyText(record.date as string);
    if (day < this.oldestDay) this.oldestDay = day;
    if (day <= this.newestDay) return;
    this.newestDay = day;
    this.newestDayLocation = location;
  }
}
