import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { getKey } from './publish-at.ts';

/**
 * The NDJSON export that the changes make of another one. Throws where a change does not fit: a
 * record that is added is there already, or one that is corrected or retired is not.
 */
export function applyChanges(
  dataset: Dataset,
  exported: string,
  changes: readonly string[],
): string {
  const fields = getKeyFields(dataset);
  const identify = (text: string) => {
    const record = JSON.parse(text) as AnyRecord;
    return JSON.stringify(fields.map((field) => record[field]));
  };
  const copy = new Map(splitLines(exported).map((text) => [identify(text), text]));
  for (const line of changes) {
    const [change, text] = parseChange(line);
    const id = identify(text);
    if (copy.has(id) !== (change !== 'added')) throw new Error(`${line} does not fit`);
    if (change === 'retired' && copy.get(id) !== text)
      throw new Error(`${line} is not in the copy`);
    if (change === 'corrected' && copy.get(id) === text) throw new Error(`${line} is as it was`);
    if (change === 'retired') copy.delete(id);
    else copy.set(id, text);
  }
  const sorted = [...copy.values()].toSorted((a, b) => compareRecords(dataset, a, b));
  return sorted.map((text) => `${text}\n`).join('');
}

function parseChange(line: string): [change: string, record: string] {
  const [, change = '', record = ''] = /^\{"change":"(\w+)","record":(.*)\}$/.exec(line) ?? [];
  return [change, record];
}

/** Whether changes come in the order of the dataset; the two of one key are one after the other. */
export function isInOrder(dataset: Dataset, changes: readonly string[]): boolean {
  const records = changes.map((line) => parseChange(line)[1]);
  return records.every(
    (record, index) =>
      index === 0 || compareRecords(dataset, records[index - 1] ?? '', record) <= 0,
  );
}

export function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** The order of two records of a dataset. */
export function compareRecords(dataset: Dataset, a: string, b: string): number {
  const [keyA, keyB] = [getKey(dataset, JSON.parse(a)), getKey(dataset, JSON.parse(b))];
  for (const [index, { isDescending }] of getStorageTable(dataset).key.entries()) {
    const [valueA = '', valueB = ''] = [keyA[index], keyB[index]];
    if (valueA !== valueB) return valueA < valueB === (isDescending === true) ? 1 : -1;
  }
  return 0;
}
