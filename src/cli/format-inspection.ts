import type { FileProfile, SheetProfile } from '../inspect/inspect-file.ts';
import { type JsonShape, profileObjects } from '../inspect/json-shape.ts';
import {
  type ColumnProfile,
  formatBlank,
  labelColumn,
  MAX_DISTINCT,
} from '../inspect/profile-column.ts';
import type { LocatedText } from '../inspect/profile-table.ts';
import type { Start } from '../inspect/start/start.ts';
import { escapeControls } from '../shared/control-characters.ts';
import { formatNames } from '../shared/format-names.ts';
import { formatColumns, formatInteger, pluralize } from './format.ts';

const MAX_SHOWN_TABLES = 8;
const MAX_SHOWN_TEXTS = 3;

/** The contents of a file as lines for people, styled like tables; other control characters are escaped. */
export function formatInspection(profile: FileProfile): string[] {
  const { name, format, encoding, delimiter, day, sheets, hiddenSheets, shapes, records } = profile;
  const sample = encoding?.sample === undefined ? '' : ` by the look of "${encoding.sample}"`;
  const facts = [
    format.toUpperCase(),
    ...(encoding ? [`${encoding.encoding}${sample}`] : []),
    ...(delimiter === undefined ? [] : [`separated by ${JSON.stringify(delimiter)}`]),
    ...(sheets.length > 1 ? [pluralize(sheets.length, 'sheet')] : []),
    ...(hiddenSheets.length > 0 ? [`hidden: ${formatNames(hiddenSheets, 10)}`] : []),
  ];
  const groups = Map.groupBy(sheets, ({ name, headers }) =>
    headers.length === 0 ? name : JSON.stringify(headers[0]?.names),
  );
  const shown = [...groups.values()].slice(0, MAX_SHOWN_TABLES).flatMap(formatSheetGroup);
  const remaining = groups.size - MAX_SHOWN_TABLES;
  return [
    escapeControls(`${name}: ${facts.join(', ')}`),
    ...(day ? [`Its name has the day ${day}.`] : []),
    ...(records && records.count > records.sampledCount
      ? [`It has ${pluralize(records.count, 'record')}; ${formatFirst(records)} are described.`]
      : []),
    ...shown,
    ...(remaining > 0 ? [`… and ${formatInteger(remaining)} more sheets with other columns`] : []),
    ...shapes.slice(0, MAX_SHOWN_TABLES).flatMap(formatShape),
    ...(shapes.length > MAX_SHOWN_TABLES
      ? [`… and objects at ${formatInteger(shapes.length - MAX_SHOWN_TABLES)} more paths`]
      : []),
  ];
}

const formatFirst = ({ sampledCount }: Pick<JsonShape, 'sampledCount'>) =>
  `the first ${formatInteger(sampledCount)}`;

function formatSheetGroup([sheet, ...others]: readonly SheetProfile[]): string[] {
  if (!sheet) return [];
  const { name, rowCount, sampledRows, width, headers, columns, timeColumns, end } = sheet;
  const title = name === '' ? 'Table' : `Sheet ${name}`;
  const same = others.map((other) => `${other.name} (${formatInteger(other.rowCount)})`);
  const positions = headers.map(({ positions }) => positions.join(' and '));
  const [first = 'none found', ...alternatives] = positions;
  const or = alternatives.length > 0 ? `; or ${alternatives.join(', or ')}` : '';
  const times = timeColumns.map(({ label }) => label);
  const lines = [
    '',
    `${title}: ${pluralize(rowCount, 'row')}, ${pluralize(width, 'column')}`,
    ...(same.length > 0 ? [`  the same columns: ${formatNames(same, 10)}`] : []),
    `  header: ${first}${or}`,
    ...formatTexts('above', sheet.titles),
    ...formatDays(sheet),
    ...(times.length > 0 ? [`  across the columns: ${formatNames([...new Set(times)], 6)}`] : []),
    ...formatTexts('sums', sheet.totals),
    ...formatTexts('headings', sheet.sections),
    ...formatTexts('below', sheet.notes),
    ...(end === undefined ? [] : [`  another table below ${end}`]),
    ...(rowCount > sampledRows
      ? [
          `  columns by ${formatInteger(sampledRows)} of the rows, ${end === undefined ? 'the first and the last' : 'those above'}:`,
        ]
      : []),
  ];
  return [...lines.map(escapeControls), formatColumnTable(columns)];
}

function formatDays({ day, days }: SheetProfile): string[] {
  const found = [
    ...(day ? [`${day} in the name of the sheet`] : []),
    ...days.map(({ day, position }) => `${day} in ${position}`),
  ];
  return found.length > 0 ? [`  days: ${formatNames(found, 3)}`] : [];
}

function formatTexts(title: string, texts: readonly LocatedText[]): string[] {
  if (texts.length === 0) return [];
  const shown = texts.slice(0, MAX_SHOWN_TEXTS).map(({ position, text }) => `${position}: ${text}`);
  const remaining = texts.length - shown.length;
  return [`  ${title}: ${shown.join(' | ')}${remaining > 0 ? ` | and ${remaining} more` : ''}`];
}

function formatColumnTable(columns: readonly ColumnProfile[]): string {
  const rows = columns.map((column) => [
    labelColumn(column),
    formatKind(column),
    formatBlank(column),
    `${column.distinct === MAX_DISTINCT ? '≥ ' : ''}${formatInteger(column.distinct)}`,
    column.examples.join(' | '),
  ]);
  return formatColumns([['column', 'kind', 'blank', 'different', 'examples'], ...rows]);
}

/** The kind of a column, with its known spelling: `number, decimal ,`. */
function formatKind(column: ColumnProfile): string {
  const { kind, kinds, decimal, dateOrder = 'named', blankMarks, hasTime } = column;
  const mixed = Object.entries(kinds).map(([name, count]) => `${count} ${name}`);
  const isUnsure = (spelling: string) => spelling === 'either' || spelling === 'both';
  return [
    kind === 'mixed' ? `mixed (${mixed.join(', ')})` : kind,
    ...(decimal ? [isUnsure(decimal) ? 'decimal sign not sure' : `decimal ${decimal}`] : []),
    ...(dateOrder === 'named' ? [] : [isUnsure(dateOrder) ? 'order not sure' : dateOrder]),
    ...(hasTime ? ['with a time'] : []),
    ...(blankMarks.length > 0 ? [`none as ${blankMarks.join(' ')}`] : []),
  ].join(', ');
}

function formatShape(shape: JsonShape): string[] {
  const keys = shape.keys.map((names) => (names[0] === '0' ? 'any index' : formatNames(names, 5)));
  const lines = [
    '',
    `Objects at ${shape.path === '' ? 'the top' : shape.path}: ${formatInteger(shape.count)}`,
    ...(keys.length > 0 ? [`  * is ${keys.join('; then ')}`] : []),
    ...(shape.count > shape.sampledCount ? [`  members by ${formatFirst(shape)}:`] : []),
  ];
  return [...lines.map(escapeControls), formatColumnTable(profileObjects(shape).columns)];
}

const MISSING_HINT = '; add a constant to "fields", or another file as "lookup"';

/** The reasons for a draft, the decisions left to a person, and the unused parts of the file. */
export function formatStart(start: Start, dataset: string): string[] {
  const { kind, reasons, questions } = start;
  const because = reasons.length > 0 ? `, because ${reasons.join('; ')}` : '';
  const isAsked = (field: string) => questions.some((text) => text.startsWith(`${field}:`));
  const missing = start.missing.filter((field) => !isAsked(field));
  const mapping = isAsked('dataset') ? 'nothing is named like a field' : 'a mapping suffices';
  return [
    `For ${dataset}: ${kind === 'mapping' ? mapping : `an adapter${because}`}.`,
    ...(missing.length > 0
      ? [`Missing in the file: ${missing.join(', ')}${kind === 'mapping' ? MISSING_HINT : ''}.`]
      : []),
    ...start.notes,
  ].map(escapeControls);
}
