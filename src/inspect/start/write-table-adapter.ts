import { isNumberField } from '../../catalogue/model/field.ts';
import { text } from '../../catalogue/model/field-builders.ts';
import { toText } from '../find-header.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { findOtherTables } from './ask-about-table.ts';
import { hasTable } from './choose-sheets.ts';
import { formatValue, quote, writeTextTable } from './code.ts';
import { type FieldPlan, findMissing, getColumns, getTargets, isUsed } from './field-plan.ts';
import { fillTemplate, getDeclaration, type TemplateName } from './fill-template.ts';
import type { TablePlan } from './plan-table.ts';
import type { Start } from './start.ts';
import { type SourceCode, writeDecimal, writeFunction, writeMembers } from './write-members.ts';

/** An adapter for a table: the example of its shape, with its columns filled in. */
export function writeTableAdapter(plan: TablePlan): Start {
  const { dataset, file, sheets, fields, options, reasons, questions, unused } = plan;
  const [sheet] = sheets;
  const template = chooseTemplate(plan);
  const isOneOfSeveral = file.sheets.length > 1 && sheets.length === 1;
  // That example reads one table.
  const isOpen = sheets.length > 1 && template === 'sums';
  return fillTemplate(template, {
    dataset,
    fileName: file.name,
    reasons,
    missing: findMissing(fields),
    questions,
    remarks: unused.length > 0 ? [`Not used: ${unused.join(', ')}.`] : [],
    options: {
      ...options,
      ...(isOneOfSeveral && { sheet: sheet.name }),
      ...(isOpen && { sheet: '?' }),
    },
    declarations: DECLARATIONS[template](plan),
    headerRows: sheet.headers[0]?.positions.length,
  });
}

type TableTemplate = Extract<TemplateName, 'rows' | 'sheets' | 'sums' | 'holdings'>;

function chooseTemplate({ dataset, fields, sheets, hasSums }: TablePlan): TableTemplate {
  const isHolding = (kind: string) =>
    dataset.shape === 'fund' && fields.some(({ origin }) => origin.kind === kind);
  if (isHolding('heading') || (hasSums && isHolding('sheet name'))) return 'holdings';
  if (hasSums) return 'sums';
  const day = findDay(fields);
  return sheets.length > 1 || (day && day.in !== 'file') ? 'sheets' : 'rows';
}

type Declarations = Readonly<Record<string, string | undefined>>;

const DECLARATIONS: Readonly<Record<TableTemplate, (plan: TablePlan) => Declarations>> = {
  rows: (plan) => ({
    HEADER: writeHeader(plan),
    isRecord: writeRowTest(plan),
    toRecord: writeFunction(
      ['row: Row', 'file: OpenedFile'],
      writeFields(plan, plan.fields, "findDate(file.name) ?? ''"),
      'RecordIn<typeof quotes>',
    ),
  }),
  sheets: (plan) => ({
    HEADER: writeHeader(plan),
    OTHER_SHEETS: writeOtherSheets(plan),
    findDay: writeFindDay(plan, ''),
    isRecord: writeRowTest(plan),
    toRecord: writeFunction(
      ['row: Row', 'date: string'],
      writeFields(plan, plan.fields, 'date'),
      'RecordIn<typeof quotes>',
    ),
  }),
  sums: (plan) => {
    const { fields } = getTargets(plan.dataset);
    const isFigure = ({ field }: FieldPlan) =>
      field.includes('.') || isNumberField(fields.get(field)?.field ?? NO_NUMBER);
    const keys = plan.fields.filter((field) => !isFigure(field));
    const figures = plan.fields.filter(isFigure);
    return {
      HEADER: writeHeader(plan),
      isPart: writeRowTest(plan),
      toKeys: writeFunction(['row: Row'], writeFields(plan, keys, "'?'")),
      toFigures: writeFunction(['row: Row'], writeFigures(plan, figures)),
    };
  },
  holdings: (plan) => {
    const [share] = findColumns(plan, 'value');
    const [column = '?'] = findColumns(plan, 'class');
    const isHeading = plan.fields.some(({ origin }) => origin.kind === 'heading');
    const isName = ({ name, kind }: ColumnProfile) => kind === 'text' && name !== column;
    const name = isHeading ? column : (plan.sheets[0].columns.find(isName)?.name ?? '?');
    return {
      NAME: quote(name),
      SHARE: quote(share ?? '?'),
      OTHER_SHEETS: writeOtherSheets(plan),
      ...(isHeading
        ? { CLASSES: writeTextTable(findHeadings(plan)) }
        : {
            CLASSES: undefined,
            getClass: `(row: Row) => row.text(${quote(column)}) || undefined`,
          }),
      findDay: writeFindDay(plan, '?'),
    };
  },
};

const NO_NUMBER = text('Text');

/** The headings of all sheets, which are classes. */
const findHeadings = ({ sheets }: TablePlan) =>
  [...new Set(sheets.flatMap(({ sections }) => sections.map(({ text }) => text)))].map(
    (text) => [text, text] as const,
  );

const findColumns = ({ fields }: TablePlan, name: string) =>
  fields.filter(({ field }) => field === name).flatMap(getColumns);

const findDay = (fields: readonly FieldPlan[]) =>
  fields.flatMap(({ origin }) => (origin.kind === 'day' ? [origin] : []))[0];

/** Two or three columns that tell the header from other rows. */
function writeHeader({ sheets: [{ columns }], fields }: TablePlan): string {
  const names = columns.map(({ name }) => name).filter((name) => name !== '');
  const unique = names.filter((name) => names.indexOf(name) === names.lastIndexOf(name));
  const used = unique.filter((name) => isUsed(name, fields));
  return formatValue((used.length > 0 ? used : unique).slice(0, 3));
}

function writeFields(plan: TablePlan, fields: readonly FieldPlan[], day: string): string {
  const { columns } = plan.sheets[0];
  // By its index where another column has the same name.
  const writeColumn = (name: string) => {
    const same = columns.filter((column) => column.name === name);
    return same.length > 1 ? String(same[0]?.index) : quote(name);
  };
  const source: SourceCode = {
    cell: (column) => `row.get(${writeColumn(column)})`,
    text: (column) => `row.text(${writeColumn(column)})`,
    day,
    decimal: plan.options.decimal,
  };
  return writeMembers(fields, source);
}

/** Figures that are added up, as numbers. */
const writeFigures = (plan: TablePlan, figures: readonly FieldPlan[]) =>
  writeFields(plan, figures, '').replaceAll(
    /(?<=: )row\.get\((.*)\)(?=,)/g,
    (cell) => `parseNumber(${cell}${writeDecimal(plan.options.decimal)})`,
  );

/** Sheets without a table, and a question where others have one with other columns. */
function writeOtherSheets({ file, sheets }: TablePlan): string {
  const names = file.sheets.filter((sheet) => !hasTable(sheet)).map(({ name }) => name);
  const hasOthers = sheets.length > 1 && findOtherTables(file, sheets).length > 0;
  return formatValue([...names, ...(hasOthers ? ['?'] : [])]);
}

/** A function that finds the day of a sheet, or gives a text where there is none. */
function writeFindDay({ fields }: TablePlan, missing: string): string {
  const day = findDay(fields);
  if (day?.in === 'title') return getDeclaration('holdings', 'findDay');
  if (day?.in === 'sheet') return getDeclaration('sheets', 'findDay');
  if (day?.in === 'file')
    return "async (_sheet: Sheet, file: OpenedFile) => findDate(file.name) ?? ''";
  return `async (_sheet: Sheet, _file: OpenedFile) => ${quote(missing)}`;
}

/** A column that is filled in records and blank in other rows; a question where there is none. */
function writeRowTest({ sheets, fields }: TablePlan): string {
  const [{ columns, end }] = sheets;
  const otherRows = sheets.flatMap((sheet) => sheet.otherRows);
  const filled = columns.filter(
    ({ name, index }) =>
      name !== '' &&
      sheets.every((sheet) => sheet.columns[index]?.blank === 0) &&
      otherRows.every(({ cells }) => toText(cells[index]) === ''),
  );
  const column = filled.find(({ name }) => isUsed(name, fields)) ?? filled[0];
  const tests = [
    ...(end === undefined ? [] : [`row.position <= ${end}`]),
    ...(otherRows.length > 0 ? [`row.text(${quote(column?.name ?? '?')}) !== ''`] : []),
  ];
  return tests.length > 0 ? `(row: Row) => ${tests.join(' && ')}` : '(_row: Row) => true';
}
