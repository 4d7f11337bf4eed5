import type { Dataset } from '../../catalogue/model/dataset.ts';
import { isNumberField } from '../../catalogue/model/field.ts';
import type { CellRow } from '../../formats/read-contents.ts';
import { formatNames } from '../../shared/format-names.ts';
import { toText } from '../find-header.ts';
import type { LocatedText } from '../profile-table.ts';
import { isAlias } from './aliases.ts';
import type { ChosenSheets } from './choose-sheets.ts';
import { formatValue, quote, writeNameTable, writeObject } from './code.ts';
import { fillTemplate } from './fill-template.ts';
import { type FieldPlan, getTargets, isKey, isMonths, planFields } from './plan-fields.ts';
import { planStart, type Start, type StartPlan, writeMapping } from './start.ts';

/** A draft for rows: a mapping if that is sufficient, else an adapter. */
export function createTableStart(chosen: ChosenSheets, wanted?: Start['kind']): Start {
  const { dataset, file, sheets, options, unused } = chosen;
  const [{ name, columns, headers, sections }] = sheets;
  const planned = planFields(dataset, columns);
  const isOpen = (name: string) => planned.some(({ field, column }) => field === name && !column);
  const isHoldings = isOpen('fund_id') && (sections.length > 0 || name !== '');
  const isLong = isHoldings || hasSeveralRows(dataset, sheets, planned);
  const hasDays = isHoldings && sheets.some(({ days }) => days.length > 0);
  const fields = planned.filter(({ field }) => !hasDays || field !== 'date');
  const others = unused.filter(({ isOpen }) => isOpen).map(({ name }) => name);
  const readsSheets = sheets.length > 1 || isHoldings;
  const plan = planStart(
    { dataset, file, sheets, columns, fields },
    {
      reasons: findReasons(chosen, fields, isLong),
      questions: [
        ...chosen.questions,
        ...(isLong && !isHoldings ? [SUM_QUESTION] : []),
        ...(isHoldings && isOpen('class') && findSumMark(sheets) ? [SUM_CLASSES] : []),
        ...(readsSheets && others.length > 0 ? [`OTHER_SHEETS: ${formatNames(others, 10)}`] : []),
      ],
      options,
      isSummed: isLong,
      unused: { sheets: unused.map(({ text }) => text) },
      ...(isHoldings && { usedRows: 'sections' as const }),
    },
  );
  if (plan.reasons.length === 0 && wanted !== 'adapter')
    return writeMapping(plan, headers[0]?.positions[0]);
  if (!isLong) return writeRows(plan, chosen);
  return isHoldings ? writeHoldings(plan, chosen) : writeLong(plan);
}

type Sheets = ChosenSheets['sheets'];
type Fields = readonly FieldPlan[];

const SUM_QUESTION =
  'rows: those of one record are added up; leave out any that are sums themselves';

const SUM_CLASSES =
  'CLASSES: rows without ISIN count; null for the sum of others, or these count twice';

/** Whether several rows form one record: a period, or a class of a fund. */
function hasSeveralRows(dataset: Dataset, [{ dataRows }]: Sheets, fields: Fields): boolean {
  // Declared datasets may have rates, which are not summed.
  if (dataset.declared) return false;
  const isList = getTargets(dataset).lists.size === fields.length - 1;
  const divider = dataset.shape === 'fund' ? 'class' : dataset.period?.field;
  if (isList || !fields.some(({ field, column }) => column && field === divider)) return false;
  const keys = fields.flatMap(({ field, column }) => (column && isKey(field) ? column.index : []));
  const rows = new Set(dataRows.map(({ cells }) => JSON.stringify(keys.map((key) => cells[key]))));
  return rows.size < dataRows.length;
}

function findReasons(chosen: ChosenSheets, fields: Fields, isLong: boolean): string[] {
  const { dataset, file, sheets } = chosen;
  const [{ columns, totals, sections, notes, headers, end }] = sheets;
  const isOpen = (name = '') => fields.some(({ field, column }) => field === name && !column);
  const { field: period, kind } = dataset.period ?? {};
  const months = kind?.unit === 'month' ? undefined : columns.find(isMonths);
  const headerRows = headers[0]?.positions.length ?? 1;
  const names = columns.map(({ name }) => name).filter((name) => name !== '');
  const reasons: readonly (readonly [unknown, string])[] = [
    [sheets.length > 1, `the table is on ${sheets.length} sheets`],
    [headerRows > 1, `${headerRows} rows name the columns`],
    [new Set(names).size < names.length, 'two columns have the same name'],
    [totals.length > 0, 'there are rows with sums'],
    [end !== undefined, 'another table follows'],
    [sections.length > 0, 'there are headings between the rows'],
    [notes.length > 0 && file.format !== 'xlsx', 'there are notes below the data'],
    [isLong, 'several rows are one record'],
    [isOpen(period) && months, `rows are months, by ${months?.name}`],
  ];
  return reasons.flatMap(([applies, reason]) => (applies ? [reason] : []));
}

/** One record per row, on one sheet or several. */
function writeRows(plan: StartPlan, chosen: ChosenSheets): Start {
  const { sheets } = chosen;
  const isOnSheets = sheets.length > 1;
  const hasOthers =
    plan.questions.some((question) => question.startsWith('rows:')) ||
    sheets.some(({ otherRows, end = 0 }) => otherRows.length + end > 0);
  return fillTemplate(isOnSheets ? 'sheets' : 'rows', plan, {
    HEADER: writeHeader(plan),
    isRecord: writeRowTest(hasOthers),
    toRecord: writeObject(plan.fields, writeCell),
    ...(isOnSheets && { OTHER_SHEETS: writeOtherSheets(chosen) }),
  });
}

/** Rows that are summed into periods. */
function writeLong(plan: StartPlan): Start {
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
    isPart: writeRowTest(true),
    toKeys: writeObject(keys, writeCell),
    toFigures: writeObject(figures, writeFigure),
  });
}

/** Holdings of funds that are summed into classes. */
function writeHoldings(plan: StartPlan, chosen: ChosenSheets): Start {
  const { sheets } = chosen;
  const find = (name: string) => plan.fields.find(({ field }) => field === name)?.column?.name;
  const texts = plan.columns.filter((column) => column.name !== '' && column.kind === 'text');
  const [longest] = texts.toSorted((a, b) => b.distinct - a.distinct);
  const heading = plan.columns[sheets[0].sections[0]?.column ?? -1]?.name;
  const { name = '?' } = texts.find((column) => isAlias('name', '', column.name)) ?? longest ?? {};
  const NAME = heading || name;
  const names = sheets.flatMap((sheet) => listHeadings(sheet, NAME));
  const isin = findSumMark(sheets);
  const classColumn = find('class');
  return fillTemplate('holdings', plan, {
    NAME: quote(NAME),
    SHARE: quote(find('value') ?? '?'),
    OTHER_SHEETS: writeOtherSheets(chosen),
    getFund: "'?'",
    ...(isin && { getClass: `${writeText(isin.name)} === '' ? CLASSES[row.text(NAME)] : null` }),
    ...(sheets.every(({ days }) => days.length === 0) && { findDay: "'?'" }),
    ...(classColumn === undefined
      ? {
          CLASSES: writeNameTable(
            [...new Set(names.length > 0 ? names : ['?'])].map((text) => [text, '?']),
          ),
        }
      : { CLASSES: undefined, getClass: `${writeText(classColumn)} || undefined` }),
  });
}

/** For holdings without headings: the column that is blank in sums. */
const findSumMark = ([{ sections, columns }]: Sheets) =>
  sections.length > 0 ? undefined : columns.find(({ kind, blank }) => kind === 'isin' && blank > 0);

/** Rows above the grand total that name a class: on their own, beside a sum, or below a total. */
function listHeadings(sheet: Sheets[0], name: string): string[] {
  const index = sheet.columns.findIndex((column) => column.name === name);
  const end = sheet.totals.find(({ text }) => /\bgrand total\b|^total net assets\b/i.test(text));
  const mark = findSumMark([sheet]);
  const findBefore = (texts: readonly LocatedText[], row: CellRow) =>
    texts.findLast(({ position }) => position < row.position)?.position ?? 0;
  const free = sheet.dataRows.filter((row) =>
    mark
      ? toText(row.cells[mark.index]) === ''
      : findBefore(sheet.totals, row) > findBefore(sheet.sections, row),
  );
  const rows = free.map(({ position, cells }) => ({ position, text: toText(cells[index]) }));
  return [...sheet.sections, ...rows]
    .filter(({ position, text }) => text !== '' && position < (end?.position ?? Infinity))
    .map(({ text }) => text);
}

const writeCell = (column: string) => `row.get(${quote(column)})`;
const writeText = (column: string) => `row.text(${quote(column)})`;

/** Two or three columns that distinguish the header from other rows. */
function writeHeader({ columns, fields }: StartPlan): string {
  const used = fields.flatMap(({ column }) => (column && !column.parts ? column : []));
  const named = columns.filter(({ name }) => name !== '');
  return formatValue((used.length > 0 ? used : named).slice(0, 3).map(({ name }) => name));
}

/** The sheets without figures, and a question if other unused sheets have figures. */
const writeOtherSheets = ({ unused }: ChosenSheets): string =>
  formatValue([...new Set(unused.map(({ name, isOpen }) => (isOpen ? '?' : name)))]);

/** If some rows are not records, asks which ones are. */
const writeRowTest = (isOpen: boolean) => (isOpen ? `${writeText('?')} !== ''` : 'true');
