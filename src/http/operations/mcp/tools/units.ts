import type { Dataset } from '../../../../catalogue/model/dataset.ts';
import type { Fields } from '../../../../catalogue/model/field.ts';

type Units = Readonly<Record<string, string>>;

/** They are declared once, and needed by every call. */
const unitsByDataset = new WeakMap<Pick<Dataset, 'fields'>, Units>();

/** The unit of each field of a dataset that has one; of an item of a list, after a point. */
export function getUnits(dataset: Pick<Dataset, 'fields'>): Units {
  const units = unitsByDataset.get(dataset) ?? Object.fromEntries(listUnits(dataset.fields));
  unitsByDataset.set(dataset, units);
  return units;
}

function listUnits(fields: Fields, prefix = ''): [name: string, unit: string][] {
  return Object.entries(fields).flatMap(([name, { unit, itemFields }]) => [
    ...(unit === undefined ? [] : [[`${prefix}${name}`, unit] as [string, string]]),
    ...(itemFields ? listUnits(itemFields, `${prefix}${name}.`) : []),
  ]);
}
