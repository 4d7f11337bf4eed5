import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { posTransactionsQuarterlyVolume } from '../../src/catalogue/datasets/series/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { Random } from './random.ts';

/** The datasets of the simulation: quotes have the most complex statements, series the simplest. */
export const series = posTransactionsQuarterlyVolume;
export const simulatedCatalogue: readonly Dataset[] = [quotes, series, securities];
export type DatasetName = 'quotes' | 'series';

/** A publication, as plain data: the same in any history but for its figures. */
export interface SimulatedChange {
  readonly dataset: DatasetName;
  /** Records to add or to correct. An old figure may make a record what it was before. */
  readonly put: readonly { readonly slot: number; readonly isOld?: boolean }[];
  readonly retired: readonly number[];
}

export const SLOTS = 18;
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];
const DAYS = ['2026-08-26', '2026-08-27', '2026-08-28'];

interface ModelRecord {
  readonly key: readonly string[];
  readonly json: string;
}

interface ModelEntry {
  readonly dataset: DatasetName;
  readonly publishedAtMs: number;
}

type Records = ReadonlyMap<number, ModelRecord>;

/**
 * What a revision has, as plainly as it can be written. It knows nothing of tables and statements:
 * responses are compared with it.
 */
export class Model {
  constructor(
    readonly revision: number,
    private readonly records: Readonly<Record<DatasetName, Records>>,
    /** The first revision first. */
    readonly ledger: readonly ModelEntry[],
  ) {}

  static readonly empty = new Model(0, { quotes: new Map(), series: new Map() }, []);

  /** The next revision; itself where the change changes nothing. */
  apply(change: SimulatedChange, stamp: number, publishedAtMs = 0): Model {
    const { dataset } = change;
    const before = this.records[dataset];
    const after = new Map(before);
    for (const { slot, isOld } of change.put)
      after.set(slot, buildModelRecord(dataset, slot, isOld ? 1 : stamp));
    for (const slot of change.retired) after.delete(slot);
    if (isSame(before, after)) return this;
    const records = { ...this.records, [dataset]: after };
    const ledger = [...this.ledger, { dataset, publishedAtMs }];
    return new Model(this.revision + 1, records, ledger);
  }

  has(dataset: DatasetName, slot: number): boolean {
    return this.records[dataset].has(slot);
  }

  /** The texts of records, in the order of responses. */
  list(dataset: DatasetName): readonly string[] {
    return sortRecords([...this.records[dataset].values()]).map(({ json }) => json);
  }

  /** All records, as the lines of an export. */
  formatExport(dataset: DatasetName): string {
    return this.list(dataset)
      .map((json) => `${json}\n`)
      .join('');
  }

  /** Those of the newest day. */
  listNewestDay(): readonly string[] {
    const sorted = sortRecords([...this.records.quotes.values()]);
    return sorted.filter(({ key }) => key[0] === sorted[0]?.key[0]).map(({ json }) => json);
  }

  /** The newest quote of a security. */
  findNewest(symbol: string): readonly string[] {
    const sorted = sortRecords([...this.records.quotes.values()]);
    return sorted
      .filter(({ key }) => key[1] === symbol)
      .map(({ json }) => json)
      .slice(0, 1);
  }

  /** What must be done to a copy of an earlier revision, as texts in the order of the dataset. */
  listChangesSince(earlier: Model, dataset: DatasetName): readonly string[] {
    const [before, after] = [earlier.records[dataset], this.records[dataset]];
    const slots = [...new Set([...before.keys(), ...after.keys()])];
    const changes = slots.flatMap((slot) => {
      const [old, current] = [before.get(slot), after.get(slot)];
      if (old?.json === current?.json) return [];
      const change = old ? (current ? 'corrected' : 'retired') : 'added';
      const { key = [], json = '' } = current ?? old ?? {};
      return [{ key, json: `{"change":"${change}","record":${json}}` }];
    });
    return sortRecords(changes).map(({ json }) => json);
  }
}

function isSame(before: Records, after: Records): boolean {
  if (before.size !== after.size) return false;
  return [...after].every(([slot, { json }]) => before.get(slot)?.json === json);
}

/** The newest first, then by symbol. */
function sortRecords(records: readonly ModelRecord[]): readonly ModelRecord[] {
  return records.toSorted((a, b) => {
    const [[aDay = '', aSymbol = ''], [bDay = '', bSymbol = '']] = [a.key, b.key];
    if (aDay !== bDay) return aDay < bDay ? 1 : -1;
    return aSymbol < bSymbol ? -1 : 1;
  });
}

function buildModelRecord(dataset: DatasetName, slot: number, stamp: number): ModelRecord {
  const record = buildRecord(dataset, slot, stamp);
  const key =
    dataset === 'quotes'
      ? [String(record.date), String(record.symbol)]
      : [String(slot).padStart(2, '0')];
  return { key, json: serializeRecord(getDataset(dataset), record) };
}

/** Slots are keys; the stamp is a figure that no other publication has. */
export function buildRecord(dataset: DatasetName, slot: number, stamp: number): AnyRecord {
  if (dataset === 'series') {
    const period = `Q${(slot % 4) + 1} ${2010 + Math.floor(slot / 4)}`;
    return { ...series.example, period, atm: stamp };
  }
  const [date, symbol] = [DAYS[slot % DAYS.length], SYMBOLS[Math.floor(slot / DAYS.length)]];
  return { ...quotes.example, date, symbol, isin: `ZZ000000${symbol}0`, volume: stamp };
}

/** A change that a seed decides. */
export function drawChange(random: Random): SimulatedChange {
  const slots = Array.from({ length: random.integer(1, 5) }, () => random.integer(0, SLOTS - 1));
  const [retired, put] = [new Set<number>(), new Set(slots)];
  for (let index = random.integer(0, 2); index > 0; index--) {
    const slot = random.integer(0, SLOTS - 1);
    if (!put.has(slot)) retired.add(slot);
  }
  return {
    dataset: random.isLikely(0.75) ? 'quotes' : 'series',
    put: [...put].map((slot) => ({ slot, ...(random.isLikely(0.2) && { isOld: true }) })),
    retired: [...retired],
  };
}

export function getDataset(name: DatasetName): Dataset {
  return name === 'quotes' ? quotes : series;
}

export const QUOTE_SYMBOLS: readonly string[] = SYMBOLS;
