import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';

/** A field that identifies records, and how they are ordered by it. */
export interface OrderedField {
  readonly field: string;
  /** Folded: as if the letters of ASCII were capitals. */
  readonly order: 'ascending' | 'descending' | 'folded';
}

/** The fields that identify the records of a dataset, in its order. */
export function describeRecordOrder(dataset: Dataset): OrderedField[] {
  const { key } = getStorageTable(dataset);
  return getKeyFields(dataset).map((field, index) => {
    if (key[index]?.isDescending) return { field, order: 'descending' };
    const isIdentifier = index === 0 && (dataset.shape === 'fund' || dataset.shape === 'reference');
    return { field, order: isIdentifier ? 'folded' : 'ascending' };
  });
}
