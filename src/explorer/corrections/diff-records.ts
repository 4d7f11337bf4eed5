import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { flattenRecord, type RecordValue } from './record-values.ts';

/** One value of a record that is not what it was. */
export interface ValueDifference extends Omit<RecordValue, 'value'> {
  /** Undefined where there was none. */
  readonly old: unknown;
  /** Undefined where there is none any more. */
  readonly new: unknown;
}

/** What differs between two states of a record, in the order of its fields; lists by their keys. */
export function diffRecords(
  { fields }: Pick<DatasetEntry, 'fields'>,
  old: JsonRecord,
  later: JsonRecord,
): ValueDifference[] {
  const [before, after] = [flattenRecord(fields, old), flattenRecord(fields, later)];
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const leaf = is ?? was;
    if (!leaf || was?.value === is?.value) return [];
    const { value, ...where } = leaf;
    return { ...where, name, old: was?.value, new: is?.value };
  });
}

/** The difference that says most: a figure that became another, else a figure, else the first. */
export function findMainDifference(all: readonly ValueDifference[]): ValueDifference | undefined {
  const isNumber = (value: unknown) => typeof value === 'number';
  return (
    all.find(({ old, new: later }) => isNumber(old) && isNumber(later)) ??
    all.find(({ old, new: later }) => isNumber(old) || isNumber(later)) ??
    all[0]
  );
}

/** Tells periods that came and went, with all that is in them, from what else differs. */
export function separatePeriodChanges(all: readonly ValueDifference[]) {
  const periods = all.flatMap(({ key, period, ...rest }) =>
    period && key === undefined ? { ...rest, ...period } : [],
  );
  const came = periods.filter(({ old }) => old === undefined);
  const went = periods.filter(({ new: is }) => is === undefined);
  const dates = new Set([...came, ...went].map(({ date }) => date));
  return {
    added: came.map(({ label }) => label),
    removed: went.map(({ label }) => label),
    rest: all.filter(({ period }) => !period || !dates.has(period.date)),
  };
}
