import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { getExportName, writeAdapterFrame } from './adapter-frame.ts';
import { chooseSheets } from './choose-sheets.ts';
import { escapePattern, indent, propertyName, quote, writeTextTable } from './code.ts';
import { inferOptions } from './infer-options.ts';
import { findRowLabels, matchRows } from './match-rows.ts';
import { askAboutUnits } from './open-questions.ts';
import { getTargets } from './plan-context.ts';
import { needsDataCheck, writeDataCheck } from './row-code.ts';
import { compareWords, splitWords } from './words.ts';

/** A table with periods across its columns, and the figures of a series in its rows. */
export interface WidePlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly sheet: SheetProfile;
  /** The column that names the rows. */
  readonly labels: ColumnProfile;
  /** The lower part of the header where there are several figures for each period. */
  readonly item: string;
  readonly otherItems: readonly string[];
}

const MIN_PERIODS = 2;

/** Undefined where the periods are not across the columns, or the dataset has none. */
export function planWide(dataset: Dataset, file: FileProfile): WidePlan | undefined {
  const [sheet] = chooseSheets(dataset, file) ?? [];
  if (!sheet || !dataset.period) return undefined;
  const { unit } = dataset.period.kind;
  const periods = sheet.timeColumns.filter(({ kind }) => kind === unit);
  const labels = findRowLabels(sheet);
  if (!labels || periods.length < MIN_PERIODS) return undefined;
  const items = [...new Set(sheet.timeColumns.map(({ item }) => item))];
  const words = splitWords(`${dataset.name} ${dataset.title}`);
  const [item = '', ...otherItems] = items.toSorted(
    (a, b) => compareWords(splitWords(b), words) - compareWords(splitWords(a), words),
  );
  return { dataset, file, sheet, labels, item, otherItems };
}

export function writeWideAdapter(plan: WidePlan) {
  const { dataset, file, sheet, item, otherItems } = plan;
  const [list] = getTargets(dataset).lists.keys();
  const { rows, missing, unmatched } = matchRows(dataset, sheet, plan.labels);
  const columns = sheet.timeColumns.filter((column) => column.item === item);
  const profiles = columns.flatMap(({ index }) => sheet.columns[index] ?? []);
  const { options, questions } = inferOptions(profiles, file, dataset);
  const choice = otherItems.length > 0 ? [`${item} is taken, not ${otherItems.join(', ')}`] : [];
  const decisions = [...choice, ...questions, ...askAboutUnits(sheet, dataset)];
  const isList = list !== undefined;
  const isShare = isList && getTargets(dataset).lists.get(list)?.value.kind === 'share';
  const hasAmounts = isShare && profiles.some(({ max }) => (max ?? 0) > 1);
  const writeItems = hasAmounts ? writeShareRows : writeListRows;
  const needsCheck = isList && needsDataCheck(sheet);
  const code = writeAdapterFrame({
    dataset,
    fileName: file.name,
    remarks: [
      'A mapping does not suffice: the periods are across the columns.',
      ...decisions.map((decision) => `To decide: ${decision}.`),
      ...(!isList && missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ],
    options: { ...options, ...(file.sheets.length > 1 && { sheet: sheet.name }) },
    imports: [
      'parsePeriod',
      'unpivot',
      ...(isList ? [] : ['at']),
      ...(hasAmounts ? ['parseNumber', 'sharesOfTotal'] : []),
      ...(needsCheck ? ['type Row'] : []),
    ],
    body: isList ? writeItems(plan, list) : writeRecords(plan),
    below: isList
      ? needsCheck
        ? writeDataCheck(sheet)
        : []
      : writeNameFields('rows', rows, unmatched),
  });
  return { code, missing: isList ? [] : missing, questions: decisions };
}

const writeTable = ({ sheet, labels, item }: WidePlan) => {
  const [first] = sheet.timeColumns.filter((column) => column.item === item);
  const names = [labels.name, sheet.columns[first?.index ?? 0]?.name ?? ''].filter(
    (name) => name !== '',
  );
  const headerRows = sheet.headers[0]?.positions.length ?? 1;
  return `file.table([${names.map(quote).join(', ')}]${headerRows > 1 ? `, { headerRows: ${headerRows} }` : ''})`;
};

/** The loop over the cells of a row that stand below periods: `period` and `value`. */
function writePeriodLoop({ dataset, item, sheet }: WidePlan, body: readonly string[]): string[] {
  const unit = dataset.period?.kind.unit ?? 'month';
  const columns = sheet.timeColumns.filter((column) => column.item === item);
  const isFirst = columns.every(({ index, label }) => sheet.columns[index]?.name.startsWith(label));
  const rest = escapePattern(item);
  const pattern = isFirst ? `^(.+) ${rest}$` : `^${rest} (.+)$`;
  const name = item === '' ? 'column' : `/${pattern}/.exec(column)?.[1]`;
  return [
    `const getPeriod = (column: string) => parsePeriod(${name}, ${quote(unit)});`,
    'for (const { name: period, value } of unpivot(row, getPeriod)) {',
    ...indent(body),
    '}',
  ];
}

const writeLabel = ({ labels }: WidePlan) =>
  labels.name === '' ? String(labels.index) : quote(labels.name);

function writeRecords(plan: WidePlan): string[] {
  const { dataset } = plan;
  const period = dataset.period?.field ?? 'period';
  const member = period === 'period' ? 'period' : `${propertyName(period)}: period`;
  return [
    'const records = new Map<string, Record<string, unknown>>();',
    `for await (const row of ${writeTable(plan)}) {`,
    ...indent([
      `const field = FIELDS[row.text(${writeLabel(plan)})];`,
      'if (field === undefined) continue;',
      ...writePeriodLoop(plan, [
        `const record = records.get(period) ?? at(row, { ${member} });`,
        'records.set(period, Object.assign(record, { [field]: value }));',
      ]),
    ]),
    '}',
    `yield* records.values() as Iterable<RecordIn<typeof ${getExportName(dataset.name)}>>;`,
  ];
}

/** Figures beyond 1, which become their shares of the sum of a period. */
function writeShareRows(plan: WidePlan, list: string): string[] {
  const { dataset, sheet } = plan;
  const period = dataset.period?.field ?? 'period';
  return [
    'const lists = new Map<string, { key: string; value: number }[]>();',
    `for await (const row of ${writeTable(plan)}) {`,
    ...indent([
      ...(needsDataCheck(sheet) ? ['if (!isData(row)) continue;'] : []),
      ...writePeriodLoop(plan, [
        'const list = lists.get(period) ?? [];',
        `list.push({ key: row.text(${writeLabel(plan)}), value: parseNumber(value) ?? 0 });`,
        'lists.set(period, list);',
      ]),
    ]),
    '}',
    'for (const [period, list] of lists) {',
    ...indent([
      'const shares = sharesOfTotal(list.map(({ value }) => value)); // check',
      'const items = list.map(({ key }, index) => ({ key, value: shares[index] ?? 0 }));',
      `yield { ${period === 'period' ? 'period' : `${propertyName(period)}: period`}, ${propertyName(list)}: items };`,
    ]),
    '}',
  ];
}

function writeListRows(plan: WidePlan, list: string): string[] {
  const { dataset, sheet } = plan;
  const period = dataset.period?.field ?? 'period';
  const member = period === 'period' ? 'period' : `${propertyName(period)}: period`;
  const key = `${quote(`${list}:key`)}: row.get(${writeLabel(plan)})`;
  return [
    `for await (const row of ${writeTable(plan)}) {`,
    ...indent([
      ...(needsDataCheck(sheet) ? ['if (!isData(row)) continue;'] : []),
      ...writePeriodLoop(plan, [`yield { ${member}, ${key}, ${quote(`${list}:value`)}: value };`]),
    ]),
    '}',
  ];
}

/** The table of the fields that names in a file stand for. */
export function writeNameFields(
  what: 'rows' | 'names',
  rows: readonly (readonly [string, string])[],
  unmatched: readonly string[],
): string[] {
  return [
    '',
    `// The ${what} and the fields they hold: to check.`,
    ...writeTextTable('FIELDS', rows).slice(0, -1),
    ...unmatched.slice(0, 30).map((name) => `  // ${propertyName(name)}: '',`),
    '};',
  ];
}
