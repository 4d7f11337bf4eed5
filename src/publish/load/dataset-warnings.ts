import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { findPeriodGaps } from '../quality/record-warnings.ts';
import { findScaleJumps } from '../quality/scale-jumps.ts';
import { findSharedIsin, type IsinSymbols } from '../quality/shared-isins.ts';
import { type DayCount, findThinDay } from '../quality/thin-days.ts';
import { WARNING_THRESHOLDS } from '../quality/warning-rules.ts';
import type { LoadReportBuilder } from './load-report.ts';
import type { LoadedLocations } from './loaded-locations.ts';

/** Warns of a dataset as it is after a load: of what it lacks, and of breaks with its history. */
export async function addDatasetWarnings(
  transaction: PublishTransaction,
  dataset: Dataset,
  report: LoadReportBuilder,
  { locations, isinSymbols, previousNewestDay }: LoadedData,
): Promise<void> {
  if (dataset.period) await addPeriodWarnings(transaction, dataset, report, locations);
  if (!isinSymbols) return;
  if (locations.newestDay > previousNewestDay)
    await addThinDayWarning(transaction, dataset, report, locations);
  if (previousNewestDay !== '') await addPublishedSymbols(transaction, dataset, isinSymbols);
  await addSharedIsinWarnings(transaction, dataset, report, locations, isinSymbols);
}

/** Properties of the records of a load. */
interface LoadedData {
  readonly locations: LoadedLocations;
  /** Of quotes. */
  readonly isinSymbols: IsinSymbols | undefined;
  /** The newest day of published quotes before the load; empty where there were none. */
  readonly previousNewestDay: string;
}

/** The newest day of published quotes; empty where there are none. */
export async function readNewestDay(
  transaction: PublishTransaction,
  dataset: Dataset,
): Promise<string> {
  if (dataset.shape !== 'quotes') return '';
  const { records } = await transaction.read({ kind: 'quotes', dataset, limit: 1 });
  return records === '' ? '' : (JSON.parse(records) as Quote).date;
}

async function addPeriodWarnings(
  transaction: PublishTransaction,
  dataset: Dataset,
  report: LoadReportBuilder,
  locations: LoadedLocations,
): Promise<void> {
  if (!dataset.period) return;
  const { field, kind } = dataset.period;
  const { records: json } = await transaction.read({ kind: 'series', dataset });
  const records = JSON.parse(`[${json}]`) as AnyRecord[];
  for (const { ordinal, previousOrdinal, warning } of findScaleJumps(dataset, records)) {
    const location = locations.findPeriod(ordinal) ?? locations.findPeriod(previousOrdinal);
    if (location) report.addWarning(warning, location);
  }
  const ordinals = records.map((record) => kind.toOrdinal(String(record[field])) ?? Number.NaN);
  for (const warning of findPeriodGaps(kind, ordinals, field))
    report.addWarning(warning, { file: '', place: 'line', at: null });
}

async function addThinDayWarning(
  transaction: PublishTransaction,
  dataset: Dataset,
  report: LoadReportBuilder,
  { newestDay, newestDayLocation }: LoadedLocations,
): Promise<void> {
  const counts: DayCount[] = [];
  for (let date = newestDay; counts.length <= WARNING_THRESHOLDS.thinDayDays; ) {
    const dateRange = ['0001-01-01', date] as const;
    const { records } = await transaction.read({ kind: 'quotes', dataset, dateRange, limit: 1 });
    if (records === '') break;
    const day = (JSON.parse(records) as Quote).date;
    const ofDay = { dateRange: [day, day], limit: 1, includeTotal: true } as const;
    const { total = 0 } = await transaction.read({ kind: 'quotes', dataset, ...ofDay });
    counts.push({ date: day, count: total });
    date = formatDay(parseDay(day) - 1);
  }
  const warning = findThinDay(counts);
  if (warning && newestDayLocation) report.addWarning(warning, newestDayLocation);
}

/** Adds the symbols that other quotes of the ISINs of a load are published under. */
async function addPublishedSymbols(
  transaction: PublishTransaction,
  dataset: Dataset,
  isinSymbols: IsinSymbols,
): Promise<void> {
  const { entries } = await transaction.securities(dataset);
  for (const { isin, symbol } of entries)
    if (isin !== null && isinSymbols.has(isin)) isinSymbols.add(isin, symbol);
}

/** Each is read from the database; the first few say enough. */
const MAX_CHECKED_ISINS = 100;
const MAX_CHECKED_QUOTES = 10_000;

async function addSharedIsinWarnings(
  transaction: PublishTransaction,
  dataset: Dataset,
  report: LoadReportBuilder,
  locations: LoadedLocations,
  isinSymbols: IsinSymbols,
): Promise<void> {
  const dateRange = [locations.oldestDay, locations.newestDay] as const;
  for (const isin of isinSymbols.listShared().slice(0, MAX_CHECKED_ISINS)) {
    const { records } = await transaction.read({
      kind: 'quotes',
      dataset,
      security: isin,
      dateRange,
      limit: MAX_CHECKED_QUOTES,
    });
    const quotes = JSON.parse(`[${records}]`) as Quote[];
    const warning = findSharedIsin(quotes.filter((quote) => quote.isin === isin));
    const location = locations.findIsin(isin);
    if (warning && location) report.addWarning(warning, location);
  }
}
