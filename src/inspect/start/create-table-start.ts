import type { Dataset } from '../../catalogue/model/dataset.ts';
import { isNumberField } from '../../catalogue/model/field.ts';
import type { FileProfile } from '../inspect-file.ts';
import { MAX_DISTINCT } from '../profile-column.ts';
import { isAlias } from './aliases.ts';
import { hasTable } from './ask-questions.ts';
import type { ChosenSheets } from './choose-sheets.ts';
import { formatValue, quote, writeNameTable, writeObject } from './code.ts';
import { fillTemplate } from './fill-template.ts';
import { type FieldPlan, getTargets, planFields } from './plan-fields.ts';
import { planStart, type Start, type StartPlan, writeMapping } from './start.ts';

/** A start for rows: a mapping where that suffices, else an adapter. */
export function createTableStart(chosen: ChosenSheets, wanted?: Start['kind']): Start {
  const { dataset, file, sheets, questions, options } = chosen;
  const [{ columns, headers }] = sheets;
  const fields = planFields(dataset, columns);
  const isLong = hasSeveralRows(dataset, sheets, fields);
  const plan = planStart(
    { dataset, file, sheets, columns, fields },
    {
      reasons: findReasons(file, sheets, isLong),
      questions: [...questions, ...(isLong ? [SUM_QUESTION] : [])],
      options,
    },
  );
  if (plan.reasons.length === 0 && wanted !== 'adapter')
    return writeMapping(plan, headers[0]?.positions[0]);
  if (!isLong) return writeRows(plan, sheets);
  return dataset.shape === 'fund' ? writeHoldings(plan, sheets) : writeLong(plan, sheets);
}

type Sheets = ChosenSheets['sheets'];

const SUM_QUESTION =
  'rows: those of one record are added up; leave out any that are sums themselves';

/** Whether several rows are one record: of a period, or of a fund whose rows are holdings. */
function hasSeveralRows(
  dataset: Dataset,
  [{ name, sections, dataRows }]: Sheets,
  fields: readonly FieldPlan[],
): boolean {
  const { period, shape } = dataset;
  const find = (name = '') => fields.find(({ field }) => field === name)?.column;
  if (shape === 'fund') return sections.length > 0 || (name !== '' && !find('fund_id'));
  const column = find(period?.field);
  if (!column || getTargets(dataset).lists.size === fields.length - 1) return false;
  const filled = Math.round(dataRows.length * (1 - column.blank));
  return column.distinct < Math.min(MAX_DISTINCT, filled);
}

function findReasons(file: FileProfile, sheets: Sheets, isLong: boolean): string[] {
  const [{ columns, totals, sections, notes, headers, end }] = sheets;
  const headerRows = headers[0]?.positions.length ?? 1;
  const names = columns.map(({ name }) => name).filter((name) => name !== '');
  const reasons: readonly (readonly [boolean, string])[] = [
    [sheets.length > 1, `the table is on ${sheets.length} sheets`],
    [headerRows > 1, `${headerRows} rows name the columns`],
    [new Set(names).size < names.length, 'two columns have the same name'],
    [totals.length > 0, 'there are rows with sums'],
    [end !== undefined, 'another table follows'],
    [sections.length > 0, 'there are headings between the rows'],
    [notes.length > 0 && file.format !== 'xlsx', 'there are notes below the data'],
    [isLong, 'several rows are one record'],
  ];
  return reasons.flatMap(([applies, reason]) => (applies ? [reason] : []));
}

/** A record in each row, of one sheet or of several. */
function writeRows(plan: StartPlan, sheets: Sheets): Start {
  const isOnSheets = sheets.length > 1;
  return fillTemplate(isOnSheets ? 'sheets' : 'rows', plan, {
    HEADER: writeHeader(plan),
    isRecord: writeRowTest(sheets),
    toRecord: writeObject(plan.fields, writeCell),
    ...(isOnSheets && { OTHER_SHEETS: writeOtherSheets(plan) }),
  });
}

/** Rows that are added up to periods. */
function writeLong(plan: StartPlan, sheets: Sheets): Start {
  const { fields: targets, lists } = getTargets(plan.dataset);
  const { keys = [], figures = [] } = Object.groupBy(plan.fields, ({ field }) => {
    const target = targets.get(field)?.field;
    return lists.has(field) || (target && isNumberField(target)) ? 'figures' : 'keys';
  });
  const { decimal } = plan.options;
  const sign = decimal === undefined ? '' : `, ${formatValue(decimal)}`;
  const writeFigure = (column: string) => `parseNumber(${writeCell(column)}${sign})`;
  return fillTemplate('sums', plan, {
    HEADER: writeHeader(plan),
    isPart: writeRowTest(sheets),
    toKeys: writeObject(keys, writeCell),
    toFigures: writeObject(figures, writeFigure),
  });
}

/** Holdings of funds that are added up to classes. */
function writeHoldings(plan: StartPlan, sheets: Sheets): Start {
  const find = (name: string) => plan.fields.find(({ field }) => field === name)?.column?.name;
  const name = plan.columns.find((column) => isAlias('name', '', column.name))?.name;
  const headings = sheets.flatMap(({ sections }) => sections.map(({ text }) => text));
  const classColumn = find('class');
  return fillTemplate('holdings', plan, {
    NAME: quote(name ?? '?'),
    SHARE: quote(find('value') ?? '?'),
    OTHER_SHEETS: writeOtherSheets(plan),
    getFund: "'?'",
    ...(sheets.some(({ days }) => days.length === 0) && { findDay: "'?'" }),
    ...(classColumn === undefined
      ? { CLASSES: writeNameTable([...new Set(headings)].map((text) => [text, '?'])) }
      : { CLASSES: undefined, getClass: `${writeText(classColumn)} || undefined` }),
  });
}

const writeCell = (column: string) => `row.get(${quote(column)})`;
const writeText = (column: string) => `row.text(${quote(column)})`;

/** Two or three columns that tell the header from other rows. */
function writeHeader({ columns, fields }: StartPlan): string {
  const used = fields.flatMap(({ column }) => column ?? []);
  const named = columns.filter(({ name }) => name !== '');
  return formatValue((used.length > 0 ? used : named).slice(0, 3).map(({ name }) => name));
}

/** Sheets without a table, and a question where others have one with other columns. */
function writeOtherSheets({ file, sheets }: StartPlan): string {
  const others = file.sheets.filter((sheet) => !sheets.includes(sheet));
  const names = others.filter((sheet) => !hasTable(sheet)).map(({ name }) => name);
  return formatValue([...names, ...(names.length < others.length ? ['?'] : [])]);
}

/** Which rows are records is a question where some are none. */
const writeRowTest = ([{ otherRows, end }]: Sheets) =>
  otherRows.length > 0 || end !== undefined ? `${writeText('?')} !== ''` : 'true';
