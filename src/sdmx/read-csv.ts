import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { chooseStatus } from '../catalogue/model/observation-status.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import {
  type CellRow,
  type CellTable,
  type FileCell,
  type FileContents,
  type FileItem,
  InvalidFileError,
} from '../formats/read-contents.ts';
import { formatNames } from '../shared/format-names.ts';
import { createFlow, type Flow, type FlowValues, RESERVED_IDS } from './flow.ts';
import { toField, toName } from './identifiers.ts';
import { createLabelReader, FREQUENCIES } from './time-period.ts';

interface CsvContext {
  readonly dataset: Dataset;
  /** Columns that a mapping leaves out, in lower case: without its column, the dataflow may be any. */
  readonly leftOut: readonly string[];
  /** What current records have: values of dimensions, and labels of periods by their ordinals. */
  readonly readCurrent: () => Promise<FlowValues & { labels: ReadonlyMap<number, string> }>;
  readonly onSkipped: (what: string) => void;
  /** Called with the period and the dimensions of each record that rows delete. */
  readonly onDeleted: (key: AnyRecord) => void;
}

/** The records of a table of SDMX-CSV 1.0 or 2.0; any other table as it is. */
export async function readSdmxCsv(table: CellTable, context: CsvContext): Promise<FileContents> {
  const batches = table.rows[Symbol.asyncIterator]();
  const { value: head = [] } = await batches.next();
  async function* streamRows() {
    try {
      yield head as readonly CellRow[];
      yield* { [Symbol.asyncIterator]: () => batches };
    } finally {
      await batches.return?.();
    }
  }
  const rows = streamRows();
  const header = (head as readonly CellRow[])[0]?.cells.map((cell) => String(cell ?? '')) ?? [];
  if (!isSdmxHeader(header)) return { ...table, rows };
  const reader = await createRowReader(header, table.locationUnit, context).catch(async (cause) => {
    // Otherwise its file stays open.
    await batches.return?.();
    throw cause;
  });
  return {
    kind: 'items',
    locationUnit: table.locationUnit,
    // A file may avoid commas as delimiters because the comma is its decimal sign.
    ...(table.delimiter !== ',' && { hasCells: true }),
    items: streamItems(rows, reader),
  };
}

/** The id of a column or a code, which its title may follow. */
const getId = (text: string) => text.split(':')[0]?.trim() ?? '';

function isSdmxHeader([first = '', ...others]: readonly string[]): boolean {
  const ids = others.map(getId);
  const isNamed = /^(DATAFLOW|STRUCTURE(\[.*\])?)$/.test(first.trim());
  return isNamed && (ids.includes('TIME_PERIOD') || ids.includes('OBS_VALUE'));
}

/** A figure of a record. */
interface Observation {
  readonly position: number;
  readonly period: string;
  readonly values: readonly string[];
  /** Blank in a row that deletes all figures. */
  readonly measure: string;
  readonly figure: FileCell;
  readonly status: string;
  readonly isDeleted: boolean;
}

/** Rows with the same period and dimensions become one record; only with one figure are they not collected. */
async function* streamItems(
  rows: AsyncIterable<readonly CellRow[]>,
  { hasMeasures, readRow, toItems }: Awaited<ReturnType<typeof createRowReader>>,
): AsyncGenerator<readonly FileItem[]> {
  const records = new Map<string, Observation[]>();
  let isHead = true;
  for await (const batch of rows) {
    const observations = batch.slice(Number(isHead)).map(readRow);
    isHead = false;
    if (!hasMeasures) yield observations.flatMap((observation) => toItems([observation]));
    else
      for (const observation of observations) {
        const key = [observation.period, ...observation.values].join('\0');
        records.getOrInsertComputed(key, () => []).push(observation);
      }
  }
  yield [...records.values()].flatMap(toItems);
}

/** All that are no dimensions; most of them are read. */
const KNOWN_COLUMNS = [...RESERVED_IDS, 'OBS_FLAG'];
const ACTIONS = ['I', 'A', 'M', 'R', 'D'];

type Fail = (position: number, what: string) => never;

/** What the rows of one file are read by. */
async function createRowReader(header: readonly string[], unit: string, context: CsvContext) {
  const { dataset, onDeleted } = context;
  const { field: periodField, kind } = getPeriod(dataset);
  const { labels, ...current } = await context.readCurrent();
  const flow = createFlow(dataset, '', current);
  const fail: Fail = (position, what) => {
    throw new InvalidFileError(`${unit} ${position}: ${what}`);
  };
  const { columns, declared, hasMeasures } = findColumns(header, flow, context);
  const readText = ({ cells }: CellRow, id: string) => {
    const index = columns.get(id);
    return index === undefined ? '' : String(cells[index] ?? '').trim();
  };
  const readCode = (row: CellRow, id: string) => getId(readText(row, id));
  const toLabel = createLabelReader(kind, labels);
  const findMeasure = createMeasureFinder(flow, columns.has('MEASURE'), fail);
  const assertFits = createRowCheck(flow, readText, fail);

  return {
    hasMeasures,
    readRow(row: CellRow): Observation {
      const { position, cells } = row;
      if (unit === 'line' && cells.length !== header.length)
        fail(position, `it has ${cells.length} cells, and the header ${header.length}`);
      const measure = findMeasure(readCode(row, 'MEASURE'), position);
      assertFits(row, measure);
      const isDeleted = readCode(row, 'ACTION') === 'D';
      const values = declared.map(({ index, values, isLabelled }) => {
        const text = String(cells[index] ?? '').trim();
        const code = isLabelled ? getId(text) : text;
        return values.get(code) ?? code;
      });
      const yearStart = Number(
        /^--(\d\d)-01$/.exec(readText(row, 'REPORTING_YEAR_START_DAY'))?.[1],
      );
      const period = toLabel(`${yearStart || ''} ${readText(row, 'TIME_PERIOD')}`);
      if (isDeleted && (kind.toOrdinal(period) === undefined || values.includes('')))
        fail(position, 'ACTION is D, which needs a period and every dimension; or tenor retire');
      if (measure === '' && !isDeleted) fail(position, 'MEASURE is blank');
      const figure = cells[columns.get('OBS_VALUE') ?? 0] ?? null;
      const status = readCode(row, 'OBS_STATUS') || readCode(row, 'OBS_FLAG');
      return { position, period, values, measure, figure, status, isDeleted };
    },
    /** The record of the rows with one key; none if they delete it. */
    toItems(observations: readonly Observation[]): FileItem[] {
      const [{ position, period, values }] = observations as [Observation];
      const record = new Map<string, FileCell>([[periodField, period]]);
      for (const [index, { field }] of declared.entries()) record.set(field, values[index] ?? '');
      const key = Object.fromEntries(record);
      for (const { measure, figure, position: at } of observations) {
        if (record.has(measure)) fail(at, `${measure} of ${period} is given again`);
        // A list does not have its blank parts.
        if (figure !== '' || !measure.includes('.'))
          record.set(measure, figure === 'NaN' ? '' : figure);
      }
      if (observations.some(({ isDeleted }) => isDeleted)) {
        const figures = dataset.declaration?.measures ?? [];
        const isWhole = record.has('') || figures.every(({ field }) => record.has(field));
        if (!isWhole || !observations.every(({ isDeleted }) => isDeleted))
          fail(position, `ACTION is D, which deletes all figures of ${period}, or none`);
        onDeleted(key);
        return [];
      }
      const statuses = observations.map(({ status }) => status);
      const unknown = statuses.find((each) => !/^A?$/.test(each) && !chooseStatus([each]));
      const status = unknown ?? chooseStatus(statuses);
      if (columns.has('OBS_STATUS') || columns.has('OBS_FLAG')) record.set('status', status ?? '');
      return [{ position, names: [...record.keys()], value: [...record.values()] }];
    },
  };
}

/** Which cells of a row are read, and as what. */
function findColumns(
  header: readonly string[],
  { dimensions, dataset }: Flow,
  { leftOut, onSkipped }: CsvContext,
) {
  const own = dimensions.slice(1, -1);
  const hasFrequency = own.some(({ field }) => field === 'frequency');
  const ids = header.map((cell) =>
    getId(cell)
      .replace(/^STRUCTURE\[.*\]$/, 'STRUCTURE')
      .replace(hasFrequency ? /^freq$/ : /^(freq|FREQUENCY)$/, 'FREQ'),
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
  const required = ['TIME_PERIOD', 'OBS_VALUE', ...(hasMeasures ? ['MEASURE'] : [])];
  const missing = required.find((id) => !columns.has(id));
  if (missing !== undefined)
    throw new InvalidFileError(`has no column ${missing}, as SDMX-CSV with observations has`);
  const isUnread = (id: string, index: number) =>
    !KNOWN_COLUMNS.includes(id) && !declared.some((dimension) => dimension.index === index);
  const unread = ids.filter(isUnread);
  if (unread.length > 0) onSkipped(`columns that are no dimensions: ${formatNames(unread)}`);
  return { columns, declared, hasMeasures };
}

/** The field or the part of a list that a code of MEASURE is; without the column, the only one. */
function createMeasureFinder({ dimensions, dataset }: Flow, hasColumn: boolean, fail: Fail) {
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

/** Rejects rows of another dataflow, frequency or multiplier, and unknown actions. */
function createRowCheck(
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
    const frequency = readCode('FREQ');
    if (!frequencies.includes(frequency))
      fail(position, `FREQ is ${frequency}, but ${dataset.name} has ${frequencies[1]}`);
    const multiplier = readCode('UNIT_MULT');
    const expected = multiplier === '' ? '' : multipliers.getOrInsert(measure, multiplier);
    if (multiplier !== expected)
      fail(position, `UNIT_MULT is ${multiplier}, but ${measure} has ${expected} elsewhere`);
    const action = readCode('ACTION');
    if (action !== '' && !ACTIONS.includes(action))
      fail(position, `ACTION is ${action}, which must be one of ${ACTIONS.join(', ')}`);
  };
}
