import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import type { StagedSeries } from '../../store/open-store.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** The corrections that a load makes in one published period. */
interface CorrectedPeriod {
  readonly place: number;
  /** How many records had other figures, and how many records there were. */
  readonly corrected: number;
  readonly records: number;
  readonly changedFigures: number;
}

/** The corrections of a load by period, oldest first. */
export interface PeriodCorrections {
  readonly periods: readonly CorrectedPeriod[];
  readonly warnings: readonly Warning[];
}

/**
 * Counts what a load corrects in the periods before a place, and warns of figures that seem to be those of
 * another period, or of an older file; `isAddition` says whether the load adds records as well.
 */
export async function findPeriodCorrections(
  dataset: Dataset,
  series: StagedSeries,
  { before, isAddition }: { readonly before: number; readonly isAddition: boolean },
): Promise<PeriodCorrections> {
  const found = new Map<number, { corrected: number; figures: number; changedFigures: number }>();
  const reverted = { count: 0, total: 0, label: '' };
  for await (const rows of dataset.period ? series.corrected() : []) {
    for (const row of rows) {
      const place = Number(row.place);
      const [old, now] = [JSON.parse(row.old) as AnyRecord, JSON.parse(row.new) as AnyRecord];
      reverted.total++;
      if (row.isReverted) {
        reverted.count++;
        reverted.label ||= String(now[dataset.period?.field ?? '']);
      }
      if (place >= before) continue;
      const period = found.getOrInsertComputed(place, () => ({ ...NOTHING_CORRECTED }));
      const figures = listFigures(old);
      const current = new Map(listFigures(now));
      period.corrected++;
      period.figures += figures.length;
      period.changedFigures += figures.filter(([name, value]) =>
        isRevised(value, current.get(name) ?? 0),
      ).length;
    }
  }
  const places = [...found.keys()].sort((a, b) => a - b);
  const range = [places[0] ?? 0, places.at(-1) ?? -1] as const;
  const counts = places.length > 0 ? await series.countByPeriod(range) : new Map();
  const periods = places.map((place) => {
    const { figures, ...period } = found.get(place) ?? NOTHING_CORRECTED;
    const records: number = counts.get(place) ?? period.corrected;
    const allFigures = Math.round((figures / period.corrected) * records);
    return { place, records, allFigures, ...period };
  });
  const warnings = periods.flatMap((period) =>
    isOverwritten(period, isAddition) ? [warnOfOverwritten(dataset, period)] : [],
  );
  const { revertedShare, minReverted } = WARNING_THRESHOLDS;
  const isOlder = reverted.count >= minReverted && reverted.count >= revertedShare * reverted.total;
  return {
    periods,
    warnings: isOlder ? [...warnings, warnOfReverted(dataset, reverted)] : warnings,
  };
}

const NOTHING_CORRECTED = { corrected: 0, figures: 0, changedFigures: 0 };

function isRevised(value: number, current: number): boolean {
  return Math.abs(current - value) > WARNING_THRESHOLDS.revisedShare * Math.abs(value);
}

type CountedPeriod = CorrectedPeriod & { readonly allFigures: number };

/** A load of a single figure that adds nothing may be a correction, or have a wrong label. */
function isOverwritten({ changedFigures, allFigures }: CountedPeriod, isAddition: boolean) {
  const { overwrittenShare, minOverwritten } = WARNING_THRESHOLDS;
  const isMost = changedFigures > 0 && changedFigures >= overwrittenShare * allFigures;
  return (
    isMost && (changedFigures >= minOverwritten || (!isAddition && allFigures < minOverwritten))
  );
}

function warnOfOverwritten(
  { period }: Dataset,
  { place, changedFigures, allFigures }: CountedPeriod,
): Warning {
  const label = period?.kind.formatLabel(place) ?? '';
  const text = `${changedFigures} of ${allFigures} figures of ${label}, which is published, change: is it another period?`;
  return { rule: 'period-overwritten', field: period?.field ?? '', value: label, text };
}

function warnOfReverted(
  { period }: Dataset,
  {
    count,
    total,
    label,
  }: { readonly count: number; readonly total: number; readonly label: string },
): Warning {
  const text = `${count} of ${total} corrected records, of ${label} and other periods if there are any, become what they were before an earlier correction`;
  return { rule: 'figures-reverted', field: period?.field ?? '', value: label, text };
}

/** The figures of a record by name, including those of lists. */
function listFigures(record: AnyRecord): [string, number][] {
  return Object.entries(record).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[name, value]];
    if (!Array.isArray(value)) return [];
    return (value as KeyedValue[]).map(({ key, value }) => [`${name}.${key}`, value]);
  });
}
