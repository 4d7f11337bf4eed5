import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import type { TerminalCell } from '../terminal/table.ts';

export type Row = ReadonlyMap<string, TerminalCell>;

/**
 * The rows of a record: two of a correction, one for each item of the list of rows, one for each
 * period of a fund, otherwise the record itself.
 */
export function listRows(record: AnyRecord, rowList?: string): Row[] {
  return splitRecord(record, rowList).map((row) => new Map(flattenObject(row)));
}

function splitRecord(record: AnyRecord, rowList: string | undefined): AnyRecord[] {
  const { record: changed, old, new: corrected, periods, rows, ...others } = record;
  if (isPlainObject(changed)) return splitRecord({ ...others, ...changed }, rowList);
  if (isPlainObject(old) || isPlainObject(corrected))
    return Object.entries({ old, new: corrected }).flatMap(([version, each]) =>
      isPlainObject(each) ? splitRecord({ ...others, version, ...each }, rowList) : [],
    );
  if (Array.isArray(periods) && Array.isArray(rows))
    return periods.map(({ label, date }, index) => {
      const classes = rows.map((row) => [row.label, row.values[index] ?? null]);
      return { period: label, date, ...Object.fromEntries(classes), ...others };
    });
  const items = rowList === undefined ? undefined : record[rowList];
  if (!Array.isArray(items) || items.length === 0) return [record];
  return items.map((item) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, value]) => {
        if (name === rowList) return Object.entries(item);
        return isPlainObject(value) || Array.isArray(value) ? [] : [[name, value]];
      }),
    ),
  );
}

/** The values of an object; nested ones, and those of a list with keys, are named `outer.inner`. */
export function flattenObject(object: AnyRecord, prefix = ''): [string, TerminalCell][] {
  return Object.entries(object).flatMap(([name, value]): [string, TerminalCell][] => {
    const path = prefix + name;
    if (isPlainObject(value)) return flattenObject(value, `${path}.`);
    if (!Array.isArray(value)) return [[path, value as TerminalCell]];
    const isKeyed = value.length > 0 && value.every((item) => isPlainObject(item) && 'key' in item);
    if (isKeyed) return value.map((item) => [`${path}.${item.key}`, item.value]);
    return [[path, value.length > 0 ? value.map(formatItem).join(', ') : null]];
  });
}

const formatItem = (item: unknown) =>
  isPlainObject(item) ? String(item.name ?? JSON.stringify(item)) : String(item);
