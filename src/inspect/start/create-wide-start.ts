import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { askAboutUnits } from './ask-about-table.ts';
import { chooseSheets, findRowLabels, readRowNames } from './choose-sheets.ts';
import { escapePattern, formatValue, quote, writeTextTable } from './code.ts';
import { getTargets } from './field-plan.ts';
import { fillTemplate } from './fill-template.ts';
import { inferOptions, leaveScaleOpen } from './infer-options.ts';
import { matchNames } from './match-fields.ts';
import { compareWords, splitWords } from './split-words.ts';
import type { Start } from './start.ts';

/** A start for periods across the columns; undefined where there are none. */
export function createWideStart(dataset: Dataset, file: FileProfile): Start | undefined {
  const [sheet] = chooseSheets(dataset, file) ?? [];
  const labels = sheet && findRowLabels(sheet);
  const unit = dataset.period?.kind.unit;
  const periods = sheet?.timeColumns.filter(({ kind }) => kind === unit) ?? [];
  if (!sheet || !labels || unit === undefined || periods.length < 2) return undefined;
  const { item, question } = chooseItem(dataset, sheet);
  const columns = sheet.timeColumns.filter((column) => item === '?' || column.item === item);
  const figures = columns.flatMap(({ index }) => sheet.columns[index] ?? []);
  const { fields, missing } = matchNames(dataset, readRowNames(sheet, labels));
  const { options, questions: open } = inferOptions(figures, dataset);
  const amounts = askAboutShares(dataset, figures);
  const questions = [...question, ...open, ...amounts, ...askAboutUnits(sheet, dataset)];
  return fillTemplate('wide', {
    dataset,
    fileName: file.name,
    reasons: ['the periods are across the columns'],
    missing,
    questions,
    options: {
      ...options,
      ...leaveScaleOpen(questions),
      ...(file.sheets.length > 1 && { sheet: sheet.name }),
    },
    declarations: {
      FIELDS: writeTextTable(amounts.length > 0 ? leaveOpen(fields) : fields),
      HEADER: formatValue([labels.name || figures[0]?.name]),
      NAME: labels.name === '' ? String(labels.index) : quote(labels.name),
      PERIOD: quote(dataset.period?.field ?? ''),
      getPeriod: `(column: string) => parsePeriod(${writeLabel(sheet, item)}, ${quote(unit)})`,
    },
    headerRows: sheet.headers[0]?.positions.length,
  });
}

/** The figures of each period that are in the words of the dataset; a question where several may be. */
function chooseItem(dataset: Dataset, { timeColumns }: SheetProfile) {
  const words = splitWords(`${dataset.name} ${dataset.title}`);
  const likeness = (item: string) => compareWords(splitWords(item), words);
  const items = [...new Set(timeColumns.map(({ item }) => item))];
  const [item = '', ...others] = items.toSorted((a, b) => likeness(b) - likeness(a));
  if (others.length === 0) return { item, question: [] };
  if (likeness(item) > likeness(others[0] ?? ''))
    return { item, question: [`${item} is taken, not ${others.join(', ')}`] };
  return { item: '?', question: [`columns: ${items.join(' or ')} of each period`] };
}

/** The part of a column's name that is its period. */
function writeLabel({ timeColumns, columns }: SheetProfile, item: string): string {
  if (item === '' || item === '?') return item === '' ? 'column' : "'?'";
  const isFirst = timeColumns.every(({ index, label }) => columns[index]?.name.startsWith(label));
  const rest = escapePattern(item);
  return `/${isFirst ? `^(.+) ${rest}$` : `^${rest} (.+)$`}/.exec(column)?.[1]`;
}

export const leaveOpen = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name]) => [name, '?'] as const);

/** Figures beyond 1 in a list of shares. */
export function askAboutShares(dataset: Dataset, figures: readonly ColumnProfile[]): string[] {
  const max = Math.max(0, ...figures.map((figure) => figure.max ?? 0));
  const lists = [...getTargets(dataset).lists].filter(([, { value }]) => value.kind === 'share');
  return max > 1
    ? lists.map(
        ([list]) =>
          `shares: ${list} are of 1, and the file has up to ${max}; sharesOfTotal divides amounts`,
      )
    : [];
}
