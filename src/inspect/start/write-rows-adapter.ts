import { writeAdapterFrame, writeChoices } from './adapter-frame.ts';
import { indent, quote } from './code.ts';
import type { FieldPlan } from './field-plan.ts';
import { isUsed, needsListGroups } from './field-plan.ts';
import { findCarried } from './find-keys.ts';
import type { RowsPlan } from './plan-rows.ts';
import {
  needsDataCheck,
  readAbove,
  writeAbove,
  writeDataCheck,
  writeEnd,
  writeSectionLine,
  writeTableArguments,
} from './row-code.ts';
import { writeField } from './write-field.ts';
import { writeListRows } from './write-list-rows.ts';
import { writeSums } from './write-sums.ts';

/** An adapter that yields a record for each row of a table, or group of rows, on all its sheets. */
export function writeRowsAdapter(plan: RowsPlan): string {
  const { dataset, file, sheets, fields, options, reasons, questions, hasSums } = plan;
  const [sheet] = sheets;
  const isWorkbook = file.format === 'xlsx';
  const unused = sheet.columns.filter(({ name }) => name !== '' && !isUsed(name, fields));
  const writeOthers = hasSums ? writeSums : writeRecords;
  const hasLists = needsListGroups(fields);
  // The rows of a key are added up already.
  const { repeatedKeys: _, ...withoutRepeats } = options;
  const records = hasLists ? writeListRows(plan) : writeOthers(plan);
  const body = [...writeDay(fields, isWorkbook), ...records];
  const code = body.join('\n');
  const imports = [
    'at',
    'findDate',
    'findPercentage',
    'groupAndSum',
    'parseDate',
    'parseNumber',
    'sharesOfTotal',
    'unpivot',
  ];
  return writeAdapterFrame({
    dataset,
    fileName: file.name,
    remarks: [
      ...(reasons.length > 0 ? [`A mapping does not suffice: ${reasons.join('; ')}.`] : []),
      ...questions.map((question) => `To decide: ${question}.`),
      ...(unused.length > 0 ? [`Not used: ${unused.map(({ name }) => name).join(', ')}.`] : []),
    ],
    options: hasLists ? withoutRepeats : options,
    imports: [
      ...imports.filter((name) => code.includes(`${name}(`)),
      ...(needsDataCheck(sheet) ? ['type Row'] : []),
    ],
    body: isWorkbook ? writeSheetLoop(plan, body) : body,
    below: [...writeChoices(fields), ...(needsDataCheck(sheet) ? writeDataCheck(sheet) : [])],
  });
}

function writeSheetLoop({ file, sheets }: RowsPlan, body: readonly string[]): string[] {
  const others = file.sheets.filter((sheet) => !sheets.includes(sheet));
  const names = others.map(({ name }) => quote(name)).join(', ');
  const skip = others.length > 0 ? [`if ([${names}].includes(sheet.name)) continue;`] : [];
  return ['for await (const sheet of file.sheets()) {', ...indent([...skip, ...body]), '}'];
}

function writeRecords(plan: RowsPlan): string[] {
  const { fields, sheets, file } = plan;
  const [sheet] = sheets;
  const source = file.format === 'xlsx' ? 'sheet' : 'file';
  const section = fields.find(({ origin }) => origin.kind === 'section')?.origin;
  const carried = findCarried(sheet, fields);
  const { above, fill } = writeAbove(carried);
  const record = [
    'yield {',
    ...indent(fields.map((field) => readAbove(writeField(field, sheet), carried))),
    '};',
  ];
  const across = fields.find(({ origin }) => origin.kind === 'across')?.origin;
  const loop = across?.kind === 'across' ? writeAcross(across.columns, record) : record;
  return [
    ...(section ? ["let section = '';"] : []),
    ...above,
    `for await (const row of ${source}.table(${writeTableArguments(sheet, fields)})) {`,
    ...indent([
      ...writeEnd(sheet),
      ...fill,
      ...(section?.kind === 'section' ? [writeSectionLine(section.column, sheet)] : []),
      ...(needsDataCheck(sheet) ? ['if (!isData(row)) continue;'] : []),
      ...loop,
    ]),
    '}',
  ];
}

/** A record for each of some columns, or of all that are days. */
function writeAcross(columns: readonly string[] | undefined, record: readonly string[]): string[] {
  const names = columns?.map(quote).join(', ');
  const getName = columns
    ? `([${names}].includes(column) ? column : undefined)`
    : 'parseDate(column)';
  return [
    `for (const { name, value } of unpivot(row, (column) => ${getName})) {`,
    ...indent(record),
    '}',
  ];
}

/** Lines that find the day of all records of a sheet. */
function writeDay(fields: readonly FieldPlan[], isWorkbook: boolean): string[] {
  const origin = fields.find((field) => field.origin.kind === 'day')?.origin;
  if (origin?.kind !== 'day') return [];
  if (origin.in !== 'title')
    return [`const date = findDate(${origin.in}.name) ?? ''; // ${origin.day}`];
  return [
    `let date = ''; // ${origin.day}`,
    `for await (const { cells } of ${isWorkbook ? 'sheet' : 'file'}.rows()) {`,
    "  date = findDate(cells.join(' ')) ?? '';",
    "  if (date !== '') break;",
    '}',
  ];
}
