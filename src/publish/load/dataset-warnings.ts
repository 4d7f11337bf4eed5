import { formatDay, parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { findPeriodGaps } from '../quality/record-warnings.ts';
import { findScaleJumps } from '../quality/scale-jumps.ts';
import { type DayCount, findThinDay } from '../quality/thin-days.ts';
import { WARNING_THRESHOLDS } from '../quality/warning-rules.ts';
import type { LoadReportBuilder } from './load-report.ts';
import type { LoadedLocations } from './loaded-locations.ts';

/** Warns of what a dataset is after a load: what it lacks, and what does not fit its past. */
export async function addDatasetWarnings(
  transaction: PublishTransaction,
  dataset: Dataset,
  report: LoadReportBuilder,
  locations: LoadedLocations,
  previousNewestDay: string,
): Promise<void> {
  if (dataset.period) await addPeriodWarnings(transaction, dataset, report, locations);
  if (dataset.shape === 'quotes' && locations.newestDay > previousNewestDay)
    await addThinDayWarning(transaction, dataset, report, locations);
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
