import type { PricingTerms } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { foldAsciiCase } from '../../schema/storage-table.ts';
import type { LoadReportBuilder } from '../load/load-report.ts';
import { findCaseVariant } from '../quality/case-variants.ts';
import { findPeriodGaps, findThinDay } from '../quality/history-warnings.ts';
import { SeriesWarnings } from '../quality/period-warnings.ts';
import { QuoteWarnings } from '../quality/quote-warnings.ts';
import { findRecordWarnings } from '../quality/record-warnings.ts';
import { createFutureDateFinder } from '../quality/refusal-rules.ts';
import { findSharedIsin, type QuoteIdentity } from '../quality/shared-isins.ts';
import type { Warning } from '../quality/warning-rules.ts';
import { findYearsWarnings } from '../quality/years-warnings.ts';

/** So many values of dimensions are compared with their periods before; each is kept. */
const MAX_COMPARED_SERIES = 20_000;

/** Warns of the current records of a dataset, as a load would. */
export class CurrentRecordChecker {
  readonly #quoteWarnings: QuoteWarnings | undefined;
  readonly #findFutureDate: ReturnType<typeof createFutureDateFinder>;
  readonly #keyFields: readonly string[];
  readonly #series: SeriesWarnings;
  readonly #periods = new Set<number>();
  readonly #quotesByDay = new Map<string, number>();

  constructor(
    private readonly dataset: Dataset,
    private readonly termsBySymbol: ReadonlyMap<string, PricingTerms>,
    private readonly report: LoadReportBuilder,
    today: string,
    private readonly findWarning?: (record: AnyRecord) => Warning | undefined,
  ) {
    this.#quoteWarnings = dataset.shape === 'quotes' ? new QuoteWarnings() : undefined;
    this.#findFutureDate = createFutureDateFinder(dataset, today);
    this.#keyFields = getKeyFields(dataset);
    this.#series = new SeriesWarnings(dataset, MAX_COMPARED_SERIES);
  }

  check(record: AnyRecord): void {
    this.#warn(findRecordWarnings(this.dataset, record), record);
    const warning = this.findWarning?.(record);
    if (warning) this.#warn([warning], record);
    const future = this.#findFutureDate(record);
    if (future) {
      const text = `${future.value} is not ${future.rule}`;
      this.#warn([{ ...future, rule: 'future-date', text }], record);
    }
    if (this.#quoteWarnings) {
      const quote = record as Quote;
      const terms = this.termsBySymbol.get(foldAsciiCase(quote.symbol));
      this.#warn(this.#quoteWarnings.check(quote, terms), record);
      this.#warn(findYearsWarnings(quote, this.#quoteWarnings.daysLeft, terms), record);
      this.#quotesByDay.set(quote.date, (this.#quotesByDay.get(quote.date) ?? 0) + 1);
    }
    const { period } = this.dataset;
    if (!period) return;
    this.#periods.add(period.kind.toOrdinal(String(record[period.field])) ?? Number.NaN);
    this.#warn(this.#series.add(record).map(({ warning }) => warning));
  }

  /** Reads the current records again if something was found that needs it. */
  async finish(readAgain: () => AsyncIterable<readonly AnyRecord[]>): Promise<void> {
    const shared = new Set(this.#quoteWarnings?.isinSymbols.listShared());
    this.#warn(await findSharedIsins(shared, readAgain));
    const days = Array.from(this.#quotesByDay, ([date, count]) => ({ date, count }));
    const thinDay = findThinDay(days.toSorted((a, b) => (a.date < b.date ? 1 : -1)));
    if (thinDay) this.#warn([thinDay]);
    const variant = findCaseVariant(this.#quoteWarnings?.listSymbols() ?? []);
    if (variant) this.#warn([{ ...variant, field: 'symbol' }]);
    this.#warn(this.#series.finish().map(({ warning }) => warning));
    this.#warn(findPeriodGaps(this.dataset, this.#periods));
  }

  #warn(warnings: readonly Warning[], record?: AnyRecord): void {
    for (const warning of warnings) {
      const key = record && this.#keyFields.map((field) => record[field]).join(' ');
      const text = key ? `${key}: ${warning.text}` : warning.text;
      const location = { file: this.dataset.name, place: 'line', at: null } as const;
      this.report.addWarning({ ...warning, text }, location);
    }
  }
}

async function findSharedIsins(
  isins: ReadonlySet<string>,
  readAgain: () => AsyncIterable<readonly AnyRecord[]>,
): Promise<Warning[]> {
  if (isins.size === 0) return [];
  const quotes: QuoteIdentity[] = [];
  for await (const records of readAgain())
    for (const { date, symbol, isin } of records as readonly Quote[])
      if (isins.has(isin)) quotes.push({ date, symbol, isin });
  const quotesByIsin = Map.groupBy(quotes, ({ isin }) => isin).values();
  return Array.from(quotesByIsin, findSharedIsin).filter((warning) => !!warning);
}
