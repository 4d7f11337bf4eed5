import type { Dataset } from '../../catalogue/model/dataset.ts';
import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { hasOtherSpellings } from '../cells/parse-period.ts';
import { getFieldTargets } from './field-targets.ts';
import type { Mapping } from './mapping.ts';

/**
 * Finds a key that has no effect on any file of a dataset, by its path (`fields.ytm.shareOf`), and the
 * reason; undefined if every key may have an effect.
 */
export function findIneffectiveKey(mapping: Mapping, dataset: Dataset) {
  for (const [key, explain] of Object.entries(EXPLANATIONS)) {
    if (mapping[key as keyof Mapping] === undefined) continue;
    const reason = explain(mapping, dataset);
    if (reason !== undefined) return { key, reason };
  }
  for (const [target, expression] of Object.entries(mapping.fields ?? {})) {
    if (typeof expression === 'string' || !('shareOf' in expression)) continue;
    const { lists } = getFieldTargets(dataset);
    if (target.endsWith(':value') && lists.has(target.slice(0, -6))) continue;
    const [list] = lists.keys();
    const allowed = list === undefined ? 'which the dataset has not' : `such as ${list}:value`;
    const reason = `shares are of the values of a list, ${allowed}`;
    return { key: `fields.${target}.shareOf`, reason };
  }
  return undefined;
}

type Explain = (mapping: Mapping, dataset: Dataset) => string | undefined;

/** Why a key has no effect on a dataset. Keys that are not listed always have an effect. */
const EXPLANATIONS: Readonly<Partial<Record<keyof Mapping, Explain>>> = {
  decimal: (_, dataset) => (hasField(dataset, isNumericField) ? undefined : 'it has no numbers'),
  periods: (_, { period, shape }) =>
    shape === 'fund' || (period && hasOtherSpellings(period.kind))
      ? undefined
      : 'it has no periods of years, quarters or months',
  dates: (_, dataset) => (hasField(dataset, isDay) ? undefined : 'it has no dates'),
  blank: ({ blank }, dataset) => {
    if (blank === 'zero')
      return hasField(dataset, isNumericField) ? undefined : 'it has no numbers';
    return hasKeyedList(dataset) ? undefined : 'it has no list whose keys may be absent';
  },
  uncomputable: (_, { shape }) =>
    shape === 'quotes' ? undefined : 'only figures of quotes are computed',
  settlementDays: (_, { shape }) => (shape === 'quotes' ? undefined : 'only quotes settle'),
  repeatedKeys: (_, dataset) =>
    hasKeyedList(dataset) ? undefined : 'it has no list whose keys may repeat',
  lookup: ({ fields = {} }) =>
    /\{lookup\./i.test(JSON.stringify(fields)) ? undefined : 'no field uses {lookup.COLUMN}',
};

const isDay = ({ kind, periodKind }: Field) => kind === 'day' || periodKind?.hasDayLabels === true;

/** Whether one of the fields, or of the fields in a list, matches. */
function hasField({ fields }: Dataset, isMatch: (field: Field) => boolean): boolean {
  const matches = (field: Field): boolean =>
    isMatch(field) || Object.values(field.itemFields ?? {}).some(matches);
  return Object.values(fields).some(matches);
}

function hasKeyedList(dataset: Dataset): boolean {
  return getFieldTargets(dataset).lists.size > 0;
}
