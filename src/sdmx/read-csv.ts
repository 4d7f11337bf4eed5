import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { OBSERVATION_STATUSES } from '../catalogue/model/observation-status.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import {
  type CellRow,
  type CellTable,
  type FileContents,
  type FileItem,
  InvalidFileError,
} from '../formats/read-contents.ts';
import { toBatches } from '../store/rows.ts';
import {
  createMeasureFinder,
  createRowCheck,
  type Fail,
  findColumns,
  getId,
} from './csv-columns.ts';
import { createFlow, type FlowValues } from './flow.ts';
import { type Observation, RecordRows, type RowAction, toItem } from './record-rows.ts';
import { createLabelReader } from './time-period.ts';

interface CsvContext {
  readonly dataset: Dataset;
  /** Columns that a mapping leaves out, in lower case: without its column, the dataflow may be any. */
  readonly leftOut: readonly string[];
  /** What current records have: values of dimensions, and labels of periods by their ordinals. */
  readonly readCurrent: () => Promise<FlowValues & { labels: ReadonlyMap<number, string> }>;
  readonly readRecords: () => AsyncIterable<AnyRecord>;
  /** The rows of the file from its start. */
  readonly readAgain: () => AsyncIterable<readonly CellRow[]>;
  readonly onSkipped: (what: string) => void;
  /** Called if rows are no records: series without observations, or what is to be deleted. */
  readonly onOtherRows: () => void;
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
    isPartial: true,
    // A file may avoid commas as delimiters because the comma is its decimal sign.
    ...(table.delimiter !== ',' && { hasCells: true }),
    items: streamItems(rows, reader, context),
  };
}

function isSdmxHeader([first = '', ...others]: readonly string[]): boolean {
  const ids = others.map(getId);
  const isNamed = /^(DATAFLOW|STRUCTURE(\[.*\])?)$/.test(first.trim());
  const isObserved = ids.includes('TIME_PERIOD') || ids.includes('OBS_VALUE');
  return isNamed && (isObserved || ids.includes('FREQ'));
}

type RowReader = Awaited<ReturnType<typeof createRowReader>>;

/** Rows with the same period and dimensions become one record, in the order of the file. */
async function* streamItems(
  rows: AsyncIterable<readonly CellRow[]>,
  { canStream, readRow, names, fail }: RowReader,
  { readRecords, onOtherRows }: CsvContext,
): AsyncGenerator<readonly FileItem[]> {
  const records = new RecordRows();
  let isHead = true;
  for await (const batch of rows) {
    const observations = batch.slice(Number(isHead)).flatMap((row) => readRow(row) ?? []);
    isHead = false;
    if (canStream) yield observations.map((observation) => toItem([observation], names, fail));
    else for (const observation of observations) records.add(observation);
  }
  if (records.hasWildcards) {
    onOtherRows();
    for await (const record of readRecords())
      records.addDeleted(names.map((name) => String(record[name])));
  }
  for (const batch of toBatches(records.list()))
    yield batch.map((observations) => toItem(observations, names, fail));
}

const ACTIONS: ReadonlyMap<string, RowAction> = new Map([
  ...['', 'I', 'A', 'M'].map((code) => [code, 'merge'] as const),
  ['R', 'replace'],
  ['D', 'delete'],
]);

/** What the rows of one file are read by. */
async function createRowReader(header: readonly string[], unit: string, context: CsvContext) {
  const { dataset } = context;
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
  const figureIndex = columns.get('OBS_VALUE');
  const actionIndex = columns.get('ACTION');
  const hasStatus = columns.has('OBS_STATUS') || columns.has('OBS_FLAG');

  const readPeriod = (row: CellRow): string => {
    const text = readText(row, 'TIME_PERIOD');
    const yearStart = Number(/^--(\d\d)-01$/.exec(readText(row, 'REPORTING_YEAR_START_DAY'))?.[1]);
    return text && toLabel(`${yearStart || ''} ${text}`);
  };

  return {
    /** Whether each row is a record, and none deletes what others give. */
    canStream: !hasMeasures && !(await hasDeletions(actionIndex, context)),
    /** The fields of the key. */
    names: [periodField, ...declared.map(({ field }) => field)],
    fail,
    /** Undefined if a row says nothing of observations. */
    readRow(row: CellRow): Observation | undefined {
      const { position, cells } = row;
      if (unit === 'line' && cells.length !== header.length)
        fail(position, `it has ${cells.length} cells, and the header ${header.length}`);
      const measure = findMeasure(readCode(row, 'MEASURE'), position);
      assertFits(row, measure);
      const code = readCode(row, 'ACTION');
      const action = ACTIONS.get(code);
      if (!action) return fail(position, `ACTION is ${code}, which must be one of I, A, M, R, D`);
      const values = declared.map(({ index, values, isLabelled }) => {
        const text = String(cells[index] ?? '').trim();
        const code = isLabelled ? getId(text) : text;
        return values.get(code) ?? code;
      });
      if (action !== 'delete' && !columns.has('TIME_PERIOD')) return undefined;
      if (action !== 'delete' && measure === '') fail(position, 'MEASURE is blank');
      const figure = figureIndex === undefined ? undefined : (cells[figureIndex] ?? '');
      const status = readCode(row, 'OBS_STATUS') || readCode(row, 'OBS_FLAG');
      // What a row of the action M leaves blank stays as it is.
      const isGiven = (text: string) => code !== 'M' || text !== '';
      return {
        position,
        key: [readPeriod(row), ...values],
        measure,
        action,
        figure: isGiven(String(figure ?? '').trim()) ? figure : undefined,
        status: hasStatus && isGiven(status) ? toStatusCode(status) : undefined,
      };
    },
  };
}

/** A status by its code in capitals; other marks as they are. */
function toStatusCode(text: string): string {
  const code = text.toUpperCase();
  return Object.hasOwn(OBSERVATION_STATUSES, code) ? code : text || 'A';
}

async function hasDeletions(
  column: number | undefined,
  { readAgain }: CsvContext,
): Promise<boolean> {
  if (column === undefined) return false;
  for await (const rows of readAgain())
    if (rows.some(({ cells }) => getId(String(cells[column] ?? '')) === 'D')) return true;
  return false;
}
