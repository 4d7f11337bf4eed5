import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile } from '../inspect-file.ts';
import { profileMembers } from '../json-shape.ts';
import { quote, writeAccess, writeObject } from './code.ts';
import { fillTemplate } from './fill-template.ts';
import { planFields } from './plan-fields.ts';
import { planStart, type Start, writeMapping } from './start.ts';

/** A start for JSON: a mapping for a list of flat objects, else an adapter. */
export function createJsonStart(
  dataset: Dataset,
  file: FileProfile,
  wanted?: Start['kind'],
): Start {
  const { shape, columns, fields } = chooseShape(dataset, file);
  const { path, keys, names } = shape;
  const { period } = dataset;
  const isList = path === '*' && keys[0]?.[0] === '0' && file.shapes.length === 1;
  const isFlat = isList && !names.some((name) => name.includes('.'));
  const isRecord = fields.some(({ field, column }) => column && field !== period?.field);
  const isNested = period !== undefined && !isRecord && !isFlat;
  const keysAbove = keys.map((found) => found.slice(0, 3).join(', ')).join('; ');
  const plan = planStart(
    { dataset, file, sheets: [], columns, fields },
    {
      reasons: isFlat ? [] : ['the records are nested'],
      questions: isNested ? NESTED_QUESTIONS : [],
      remarks: keysAbove === '' ? [] : [`In ${path}, * is ${keysAbove}.`],
    },
  );
  if (isFlat && wanted !== 'adapter') return writeMapping(plan);
  const PATH = quote(path);
  if (isNested) return fillTemplate('nested', plan, { PATH, PERIOD: quote(period.field), ...OPEN });
  return fillTemplate('objects', plan, { PATH, toRecord: writeObject(fields, writeAccess) });
}

/** The objects that hold the most fields of a dataset. */
function chooseShape(dataset: Dataset, { shapes }: FileProfile) {
  const plans = shapes.map((shape) => {
    const columns = profileMembers(shape);
    const fields = planFields(dataset, columns);
    return { shape, columns, fields, count: fields.filter(({ column }) => column).length };
  });
  return plans.toSorted((a, b) => b.count - a.count)[0] as (typeof plans)[number];
}

/** Objects with a figure of a record each: nothing in them has the name of a field. */
const OPEN = {
  FIELDS: "{ '?': '?' }",
  getPeriod: "'?'",
  getName: "'?'",
  PART: undefined,
  getFigure: "'?'",
};

const NESTED_QUESTIONS = [
  'PATH: the objects with a figure each',
  'getPeriod, getName, getFigure: where the period, the name and the figure of an object are',
  'FIELDS: the fields that these names stand for',
];
