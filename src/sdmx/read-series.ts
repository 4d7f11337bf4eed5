import type { AnyRecord } from '../catalogue/model/dataset.ts';
import { NORMAL_STATUS } from '../catalogue/model/observation-status.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import type { NetChangesFilter, ObservationSelection, StoreReader } from '../store/open-store.ts';
import { splitSealedText } from '../store/sealed-text.ts';
import type { Flow, Measure } from './flow.ts';
import { createKeyMatcher, type KeyMatcher } from './key-matcher.ts';
import type { DataQuery } from './message-query.ts';
import {
  createPeriodFilter,
  createPeriodFormatter,
  type PeriodFilter,
  type TimePeriod,
} from './time-period.ts';

/** A record: an observation of each measure. */
export interface Point {
  readonly period: TimePeriod;
  readonly status: string;
  readonly record: AnyRecord;
}

/** Records with the same dimension values, oldest first: a series of each measure. */
export interface PointSeries {
  /** The ids of the declared dimensions' values. */
  readonly codes: readonly string[];
  readonly measures: readonly Measure[];
  readonly points: readonly Point[];
}

const PAGE_RECORDS = 4_000;
/** As many records are held at most: days of half a century. A longer series comes in parts. */
const MAX_HELD_RECORDS = 20_000;

type SeriesReader = Pick<StoreReader, 'read' | 'netChanges'>;

/** The series that a query selects as of a revision. */
export async function* readSeries(
  reader: SeriesReader,
  flow: Flow,
  query: DataQuery,
  asOf: number,
): AsyncGenerator<PointSeries> {
  const { firstNObservations, lastNObservations, since, keys, startPeriod, endPeriod } = query;
  const matcher = createKeyMatcher(flow, keys);
  if (matcher.isEmpty) return;
  const periods = createPeriodFilter(getPeriod(flow.dataset).kind, {
    start: startPeriod,
    end: endPeriod,
  });
  const isCut = firstNObservations !== undefined || lastNObservations !== undefined;
  const options: ReadOptions = {
    reader,
    flow,
    matcher,
    periods,
    asOf,
    ...(isCut && { cut: { first: firstNObservations ?? 0, last: lastNObservations ?? 0 } }),
  };
  const series =
    since === undefined ? readCurrentSeries(options) : readChangedSeries(options, since);
  for await (const { codes, points } of series) {
    const measures = matcher.findMeasures(codes);
    if (measures.length > 0 && points.length > 0) yield { codes, measures, points };
  }
}

interface ReadOptions {
  readonly reader: SeriesReader;
  readonly flow: Flow;
  readonly matcher: KeyMatcher;
  readonly periods: PeriodFilter;
  readonly asOf: number;
  /** How many records of each series, from its start and from its end; all if absent. */
  readonly cut?: { readonly first: number; readonly last: number };
}

type SeriesPart = Omit<PointSeries, 'measures'>;

/** One after the other, by the index that has them in this order. */
async function* readCurrentSeries({
  reader,
  flow,
  matcher: { values },
  periods: { from, to, includes },
  asOf,
  cut,
}: ReadOptions): AsyncGenerator<SeriesPart> {
  const { dataset } = flow;
  const toPoint = createPointReader(flow);
  const selection: ObservationSelection = {
    kind: 'observations',
    dataset,
    asOf,
    limit: PAGE_RECORDS,
    asNdjson: true,
    isBySeries: true,
    dimensions: values,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(!dataset.declaration?.status && { includesStatus: true }),
  };
  let codes: readonly string[] | undefined;
  let buffer = new PointBuffer(cut);
  let after: ObservationSelection['after'];
  do {
    const page = await reader.read({ ...selection, ...(after && { after }) });
    for (const text of page.count === 0 ? [] : page.records.split('\n')) {
      const { codes: own, label, point } = toPoint(text);
      if (includes && !includes(label)) continue;
      if (codes && (buffer.isFull || (codes !== own && !isSameKey(codes, own)))) {
        yield { codes, points: buffer.points };
        buffer = new PointBuffer(cut);
      }
      codes = own;
      buffer.add(point);
    }
    after = page.lastKey;
  } while (after);
  if (codes) yield { codes, points: buffer.points };
}

/** The points of one series, or the first and the last of them. */
class PointBuffer {
  readonly #first: Point[] = [];
  #last: Point[] = [];

  constructor(private readonly cut: ReadOptions['cut']) {}

  get isFull(): boolean {
    return !this.cut && this.#first.length >= MAX_HELD_RECORDS;
  }

  get points(): readonly Point[] {
    const { cut } = this;
    return cut && cut.last > 0 ? [...this.#first, ...this.#last.slice(-cut.last)] : this.#first;
  }

  add(point: Point): void {
    const { first, last } = this.cut ?? { first: Infinity, last: 0 };
    if (this.#first.length < first) this.#first.push(point);
    else if (last > 0) this.#last.push(point);
    if (this.#last.length > 2 * last) this.#last = this.#last.slice(-last);
  }
}

/** Those whose records differ since a revision, without retired ones; a long series comes in parts. */
async function* readChangedSeries(options: ReadOptions, since: number): AsyncGenerator<SeriesPart> {
  const { cut } = options;
  const totals = new Map<string, number>();
  const count = (key: string) => {
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
  let counts = totals;
  if (cut && cut.first > 0)
    for await (const { codes } of readChangedPoints(options, since)) count(codes.join());
  counts = new Map();
  let held = new Map<string, { codes: readonly string[]; points: Point[] }>();
  let size = 0;
  for await (const { codes, point } of readChangedPoints(options, since)) {
    const key = codes.join();
    if (cut) {
      // The newest come first.
      const newer = count(key);
      const older = (totals.get(key) ?? Infinity) - newer;
      if (newer >= cut.last && older > cut.first) continue;
    }
    const series = held.getOrInsertComputed(key, () => ({ codes, points: [] }));
    series.points.push(point);
    if (++size < MAX_HELD_RECORDS) continue;
    yield* reversePoints(held.values());
    held = new Map();
    size = 0;
  }
  yield* reversePoints(held.values());
}

function* reversePoints(parts: Iterable<SeriesPart>): Generator<SeriesPart> {
  for (const { codes, points } of parts) yield { codes, points: points.toReversed() };
}

/** The records that differ since a revision and are selected, newest first. */
async function* readChangedPoints(
  { reader, flow, matcher, periods, asOf }: ReadOptions,
  since: number,
) {
  const { dataset } = flow;
  const toPoint = createPointReader(flow);
  const { from = -Infinity, to = Infinity, includes = () => true } = periods;
  let after: NetChangesFilter['after'];
  do {
    const filter = { since, until: asOf, limit: PAGE_RECORDS, after };
    const { changes, last } = await reader.netChanges(dataset, filter);
    for (const { new: text, key } of changes) {
      const ordinal = Number(key[0]);
      if (text === null || ordinal < from || ordinal > to) continue;
      const { json, status } = splitSealedText(text);
      const read = toPoint(json, status);
      if (includes(read.label) && matcher.findMeasures(read.codes).length > 0) yield read;
    }
    after = last;
  } while (after);
}

function isSameKey(a: readonly string[], b: readonly string[]): boolean {
  return a.every((code, index) => code === b[index]);
}

/** Reads the texts of records; a status that they have wins over the given one. */
function createPointReader({ dataset, dimensions }: Flow) {
  const { field, kind } = getPeriod(dataset);
  const formatPeriod = createPeriodFormatter(kind);
  const declared = dimensions.slice(1, -1).map(({ field = '', ids }) => ({ field, ids }));
  // Of most records, these are those of the record before.
  let values: readonly unknown[] = [];
  let codes: readonly string[] = [];
  return (text: string, sealedStatus?: string) => {
    const record = JSON.parse(text) as AnyRecord;
    const label = String(record[field]);
    const { status = sealedStatus ?? NORMAL_STATUS } = record;
    if (
      codes.length === 0 ||
      declared.some((each, index) => record[each.field] !== values[index])
    ) {
      values = declared.map((each) => record[each.field]);
      codes = declared.map((each, index) => each.ids.get(String(values[index])) ?? '');
    }
    const point: Point = { period: formatPeriod(label), status: String(status), record };
    return { codes, label, point };
  };
}
