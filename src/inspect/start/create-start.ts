import type { Dataset } from '../../catalogue/model/dataset.ts';
import { formatNames } from '../../shared/format-names.ts';
import type { FileProfile } from '../inspect-file.ts';
import { type JsonShape, profileObjects } from '../json-shape.ts';
import {
  type ChosenSheets,
  chooseSheets,
  findRowLabels,
  profileRowNames,
} from './choose-sheets.ts';
import { formatValue, quote, writeAccess, writeNameTable, writeObject } from './code.ts';
import { createTableStart } from './create-table-start.ts';
import { fillTemplate } from './fill-template.ts';
import { planFields } from './plan-fields.ts';
import { planStart, type Start, writeMapping } from './start.ts';
import { FISCAL_QUESTION, isFiscal } from './value-options.ts';

/** Writes a draft mapping or adapter for a dataset; undefined if nothing in the file looks like a table. */
export function createStart(
  dataset: Dataset,
  file: FileProfile,
  wanted?: Start['kind'],
): Start | undefined {
  if (file.shapes.length > 0) return createJsonStart(dataset, file, wanted);
  const chosen = chooseSheets(dataset, file);
  return chosen && (createWideStart(chosen) ?? createTableStart(chosen, wanted));
}

/** A draft for JSON: a mapping for a list of flat objects, else an adapter. */
function createJsonStart(dataset: Dataset, file: FileProfile, wanted?: Start['kind']): Start {
  const [{ shape, table, fields, count }, ...others] = rankShapes(dataset, file);
  const { path, keys, names, added = {} } = shape;
  const { period } = dataset;
  const isList = path === '*' && isIndex(keys[0]) && file.shapes.length === 1;
  const isFlat = isList && !names.some((name) => name.includes('.') && !added[name]);
  const isRecord = fields.some(({ field, column }) => column && field !== period?.field);
  const isNested = period !== undefined && !isRecord && !isFlat;
  const rivals = isNested ? [] : others.filter((other) => other.count >= count / 2).map(toPath);
  const isNamed = (level: number) => Object.values(added).some(({ key }) => key === level);
  const levels = keys.flatMap((found, level) =>
    isIndex(found) || isNamed(level) ? [] : [`keys[${level}] is ${formatNames(found, 5)}`],
  );
  const plan = planStart(
    { dataset, file, sheets: [], columns: table.columns, fields },
    {
      reasons: isFlat ? [] : ['the records are nested'],
      questions: [
        ...(isNested ? NESTED_QUESTIONS : []),
        ...(levels.length > 0 ? [`keys: in ${path}, ${levels.join('; ')}`] : []),
        ...(rivals.length > 0 ? [`PATH: ${[path, ...rivals].join(' or ')}`] : []),
      ],
      tables: [table],
      unused: { objects: others.map(toPath) },
    },
  );
  if (plan.reasons.length === 0 && wanted !== 'adapter') return writeMapping(plan);
  const PATH = quote(rivals.length > 0 ? '?' : path);
  if (isNested) return fillTemplate('nested', plan, { PATH, PERIOD: quote(period.field), ...OPEN });
  return fillTemplate('objects', plan, { PATH, toRecord: writeObject(fields, writeAccess) });
}

const isIndex = (keys: readonly string[] | undefined) => keys?.[0] === '0';

const toPath = ({ shape }: { readonly shape: JsonShape }) => shape.path || 'at the top';

/** The objects that hold the most fields of a dataset first. */
function rankShapes(dataset: Dataset, { shapes }: FileProfile) {
  const plans = shapes.map((shape) => {
    const table = profileObjects(shape);
    const fields = planFields(dataset, table.columns);
    return { shape, table, fields, count: fields.filter(({ column }) => column).length };
  });
  return plans.toSorted((a, b) => b.count - a.count) as [(typeof plans)[0], ...typeof plans];
}

/** For objects with one figure each, in which nothing is named like a field. */
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

/** A draft for periods across the columns; undefined if there are none. */
function createWideStart(chosen: ChosenSheets): Start | undefined {
  const { dataset, file, sheets, options, questions } = chosen;
  const { period } = dataset;
  const [sheet] = sheets;
  const labels = findRowLabels(sheet);
  const periods = sheet.timeColumns.filter(({ kind }) => kind === period?.kind.unit);
  if (!labels || !period || periods.length < 2) return undefined;
  const rows = profileRowNames(sheet);
  const fields = planFields(dataset, rows).filter(({ field }) => field !== period.field);
  const items = [...new Set(sheet.timeColumns.map(({ item }) => item))];
  const isPlain = items.every((item) => item === '');
  const hasFiscal = period.kind.unit !== 'year' && periods.some(({ label }) => isFiscal(label));
  const plan = planStart(
    { dataset, file, sheets, columns: sheet.columns, fields },
    {
      reasons: ['the periods are across the columns'],
      valueColumns: [labels, ...periods.flatMap(({ index }) => sheet.columns[index] ?? [])],
      usedRows: 'totals',
      unused: { sheets: chosen.unused.map(({ text }) => text) },
      questions: [
        ...questions,
        ...(isPlain ? [] : [`columns: ${items.join(' or ')} of each period, in getPeriod`]),
        ...(hasFiscal ? [FISCAL_QUESTION] : []),
      ],
      options,
    },
  );
  const findField = (name: string) => fields.find(({ column }) => column?.name === name)?.field;
  return fillTemplate('wide', plan, {
    FIELDS: writeNameTable(rows.map(({ name }) => [name, findField(name) ?? '?'])),
    HEADER: formatValue([labels.name || sheet.columns[periods[0]?.index ?? 0]?.name]),
    NAME: labels.name === '' ? String(labels.index) : quote(labels.name),
    PERIOD: quote(period.field),
    getPeriod: `parsePeriod(${isPlain && !hasFiscal ? 'column' : "'?'"}, ${quote(period.kind.unit)})`,
  });
}
