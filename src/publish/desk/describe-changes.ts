import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { diffRecords } from '../../catalogue/model/diff-records.ts';
import { getKeyFields } from '../../schema/key-fields.ts';

/** A figure that a candidate would change, or a record that it would add or retire. */
export interface DescribedChange {
  readonly dataset: string;
  readonly change: 'added' | 'corrected' | 'retired';
  /** The period or day of the record, and the rest of its key. */
  readonly period: string;
  readonly series: string;
  /** The name of the value; null for a record that is added or retired, unless it is of a series. */
  readonly value: string | null;
  readonly old: string | number | null;
  readonly new: string | number | null;
  readonly difference: number | null;
  /** Of the old figure. */
  readonly percent: number | null;
}

/** How many records a candidate adds, corrects and retires, by period or by series. */
export interface ChangeGroup {
  readonly name: string;
  added: number;
  corrected: number;
  retired: number;
}

export interface DescribedChanges {
  /** The largest first. */
  readonly changes: readonly DescribedChange[];
  readonly byPeriod: readonly ChangeGroup[];
  readonly bySeries: readonly ChangeGroup[];
}

interface ParsedLine {
  readonly change: DescribedChange['change'];
  readonly record: AnyRecord;
  readonly old?: AnyRecord;
}

/** Describes the lines that a candidate keeps of the changes of a dataset. */
export async function describeChanges(
  dataset: Dataset,
  lines: AsyncIterable<string>,
): Promise<DescribedChanges> {
  const entry = buildCatalogueEntry(dataset);
  const keyFields: readonly string[] = getKeyFields(dataset);
  const periodField =
    dataset.period?.field ?? (dataset.shape === 'quotes' ? 'date' : (keyFields[0] ?? ''));
  const groups = {
    periods: new Map<string, ChangeGroup>(),
    series: new Map<string, ChangeGroup>(),
  };
  const changes: DescribedChange[] = [];
  for await (const line of lines) {
    const { change, record, old }: ParsedLine = JSON.parse(line);
    const period = String(record[periodField] ?? '');
    const others = keyFields.filter((field) => field !== periodField);
    const series = others.map((field) => String(record[field])).join('/');
    for (const [map, name] of [
      [groups.periods, period],
      [groups.series, series],
    ] as const)
      map.getOrInsertComputed(name, () => ({ name, added: 0, corrected: 0, retired: 0 }))[change]++;
    const origin = { dataset: dataset.name, change, period, series };
    // Of quotes and funds, all figures would be too many.
    if (!old && dataset.shape !== 'series') {
      changes.push({ ...origin, value: null, ...compareValues(null, null) });
      continue;
    }
    const key = Object.fromEntries(keyFields.map((field) => [field, record[field]]));
    const [first, last] = old
      ? [old, record]
      : change === 'retired'
        ? [record, key]
        : [key, record];
    for (const { name, old: before, new: after } of diffRecords(entry, first, last))
      changes.push({ ...origin, value: name, ...compareValues(before, after) });
  }
  changes.sort((a, b) => rank(b) - rank(a) || size(b) - size(a));
  const sort = (map: ReadonlyMap<string, ChangeGroup>) => [...map.values()];
  return { changes, byPeriod: sort(groups.periods), bySeries: sort(groups.series) };
}

function compareValues(before: unknown, after: unknown) {
  const [old, replacement] = [toCell(before), toCell(after)];
  if (typeof old !== 'number' || typeof replacement !== 'number')
    return { old, new: replacement, difference: null, percent: null };
  // Binary fractions would show 0.30000000000000004.
  const difference = Number((replacement - old).toPrecision(12));
  const percent = old === 0 ? null : Number(((100 * difference) / Math.abs(old)).toPrecision(6));
  return { old, new: replacement, difference, percent };
}

function toCell(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}

/** A change of a figure by its percentage, then other changes. */
const rank = ({ percent, difference }: DescribedChange) =>
  percent === null ? (difference === null ? -1 : Number.MAX_VALUE) : Math.abs(percent);

const size = ({ difference }: DescribedChange) => Math.abs(difference ?? 0);
