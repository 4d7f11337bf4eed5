import { getPeriod } from '../catalogue/model/observations.ts';
import { type CellRow, InvalidFileError } from '../formats/read-contents.ts';
import { formatNames } from '../shared/format-names.ts';
import { type Flow, RESERVED_IDS } from './flow.ts';
import { toField, toName } from './identifiers.ts';
import { FREQUENCIES } from './time-period.ts';

/** The id of a column or a code, which its title may follow. */
export const getId = (text: string) => text.split(':')[0]?.trim() ?? '';

/** All that are no dimensions; most of them are read. */
const KNOWN_COLUMNS = [...RESERVED_IDS, 'OBS_FLAG'];

export type Fail = (position: number, what: string) => never;

interface ColumnContext {
  /** Columns that a mapping leaves out, in lower case: without its column, the dataflow may be any. */
  readonly leftOut: readonly string[];
  readonly onSkipped: (what: string) => void;
  readonly onOtherRows: () => void;
}

/** Which cells of a row are read, and as what. */
export function findColumns(
  header: readonly string[],
  { dimensions, dataset }: Flow,
  { leftOut, onSkipped, onOtherRows }: ColumnContext,
) {
  const own = dimensions.slice(1, -1);
  const hasFrequency = own.some(({ field }) => field === 'frequency');
  const ids = header.map((cell) =>
    getId(cell)
      .replace(/^STRUCTURE\[.*\]$/, 'STRUCTURE')
      .replace(hasFrequency ? /^freq$/i : /^freq(uency)?$/i, 'FREQ'),
  );
  const columns = new Map(
    KNOWN_COLUMNS.flatMap((id) =>
      ids.includes(id) && !leftOut.includes(id.toLowerCase()) ? [[id, ids.indexOf(id)]] : [],
    ),
  );
  const declared = own.map(({ id, field = '', ids: codes }) => {
    const exact = ids.indexOf(id);
    const index = exact >= 0 ? exact : ids.findIndex((other) => toField(other) === field);
    const name = ids[index];
    if (name === undefined)
      throw new InvalidFileError(`has no column ${id}, for ${field} of ${dataset.name}`);
    columns.delete(name);
    const values = new Map(Array.from(codes, ([value, code]) => [code, value]));
    return { field, index, values, isLabelled: header[index]?.includes(':') ?? false };
  });
  const isList = dataset.declaration?.keyedList !== undefined;
  const hasMeasures = isList || (dimensions.at(-1)?.ids.size ?? 0) > 1;
  // A message of series alone has neither; one of attributes alone, or of deletions, has no figures.
  const hasFigures = columns.has('OBS_VALUE');
  const hasPeriods = columns.has('TIME_PERIOD');
  const needsFigures = hasPeriods && !columns.has('OBS_STATUS') && !columns.has('ACTION');
  const required = [
    ...(hasFigures ? ['TIME_PERIOD'] : []),
    ...(needsFigures ? ['OBS_VALUE'] : []),
    ...(hasMeasures ? ['MEASURE'] : []),
  ];
  const missing = required.find((id) => !columns.has(id));
  if (missing !== undefined)
    throw new InvalidFileError(`has no column ${missing}, as SDMX-CSV with observations has`);
  const isUnread = (id: string, index: number) =>
    !KNOWN_COLUMNS.includes(id) && !declared.some((dimension) => dimension.index === index);
  const unread = ids.filter(isUnread);
  if (unread.length > 0) onSkipped(`columns that are no dimensions: ${formatNames(unread)}`);
  if (!hasPeriods) onOtherRows();
  return { columns, declared, hasMeasures };
}

/** The field or the part of a list that a code of MEASURE is; without the column, the only one. */
export function createMeasureFinder({ dimensions, dataset }: Flow, hasColumn: boolean, fail: Fail) {
  const names = new Map(Array.from(dimensions.at(-1)?.ids ?? [], ([name, id]) => [id, name]));
  const { measures, keyedList } = dataset.declaration ?? { measures: [] };
  return (code: string, position: number): string => {
    if (!hasColumn) return [...names.values()][0] ?? '';
    const listed = keyedList && `${keyedList.field}_`;
    const name = names.get(code) ?? measures.find(({ field }) => field === toField(code))?.field;
    if (name !== undefined || code === '') return name ?? '';
    if (keyedList && listed && code.startsWith(listed))
      return `${keyedList.field}.${code.slice(listed.length)}`;
    const known = formatNames([...names.keys()]);
    return fail(position, `MEASURE is ${code}, but ${dataset.name} has ${known}`);
  };
}

/** Rejects rows of another dataflow, frequency or multiplier. */
export function createRowCheck(
  { dimensions, measures, dataset }: Flow,
  readText: (row: CellRow, id: string) => string,
  fail: Fail,
) {
  const { unit } = getPeriod(dataset).kind;
  const frequencies = ['', FREQUENCIES[unit].id, ...(unit === 'day' ? ['B'] : [])];
  const names = new Map(Array.from(dimensions.at(-1)?.ids ?? [], ([name, id]) => [id, name]));
  const multipliers = new Map(
    measures.flatMap(({ id, multiplier }) =>
      multiplier === 0 ? [] : [[names.get(id) ?? id, String(multiplier)]],
    ),
  );
  return (row: CellRow, measure: string): void => {
    const { position } = row;
    const readCode = (id: string) => getId(readText(row, id));
    const isOfFlow = readText(row, 'STRUCTURE') === 'dataflow';
    const flow = readText(row, 'DATAFLOW') || (isOfFlow ? readText(row, 'STRUCTURE_ID') : '');
    const id = /^(?:[^:]*:)?([^(]*)/.exec(flow)?.[1] ?? '';
    const column = isOfFlow ? 'STRUCTURE_ID' : 'DATAFLOW';
    if (flow !== '' && toName(id) !== toName(dataset.name))
      fail(position, `${flow} is no data of ${dataset.name}; --map ${column}= loads it as such`);
    const frequency = readCode('FREQ').toUpperCase();
    if (!frequencies.includes(frequency))
      fail(position, `FREQ is ${frequency}, but ${dataset.name} has ${frequencies[1]}`);
    const multiplier = readCode('UNIT_MULT');
    const expected = multiplier === '' ? '' : multipliers.getOrInsert(measure, multiplier);
    if (multiplier !== expected)
      fail(position, `UNIT_MULT is ${multiplier}, but ${measure} has ${expected} elsewhere`);
  };
}
