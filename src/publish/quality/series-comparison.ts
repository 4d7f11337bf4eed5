import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { NeighbourRow } from '../../store/open-store.ts';
import { findSetWarnings } from './period-set-warnings.ts';
import {
  comparePeriods,
  countGap,
  type PeriodWarning,
  toPeriodFigures,
} from './period-warnings.ts';
import { nameRecord, type ReadPast, type SeriesPair, type SeriesRecord } from './series-record.ts';
import { createSmallFilter, type Jump } from './small-series.ts';
import {
  type ComparedMeasure,
  findUnusualChange,
  findUsualMove,
  isUsualChange,
  isWithinPast,
  listComparedMeasures,
} from './unusual-changes.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** What may be unusual in a pair: measures that moved, or stayed although a check limits that. */
interface Change extends SeriesPair {
  readonly moved: readonly ComparedMeasure[];
  readonly stuck: readonly ComparedMeasure[];
  /** By rules that look at a record as a whole. */
  readonly warnings: readonly PeriodWarning[];
}

export interface ComparisonResult {
  readonly warnings: readonly PeriodWarning[];
  /** What was not compared, and why; for people. */
  readonly notCompared: readonly string[];
}

/** Compares the records that a load changed with those before and after them in their series. */
export class SeriesComparison {
  readonly #measures: readonly ComparedMeasure[];
  readonly #warnings: PeriodWarning[] = [];
  readonly #newest: SeriesPair[] = [];
  /** Those of the newest period, of which only all of its records tell whether they matter. */
  readonly #jumps: Jump[] = [];
  readonly #toOrdinal: (label: string) => number | undefined;
  readonly #periodField: string;
  readonly #dimensions: readonly string[];
  readonly #pastLength: number;
  readonly #hasLists: boolean;
  #reads = 0;
  #unread = 0;
  #alone = 0;

  constructor(
    private readonly dataset: Dataset,
    /** The revision that is being made, which changed records have. */
    private readonly revision: number,
    private readonly newestPlace: number,
    private readonly readPast: ReadPast,
    /** Whether there were records before the load. */
    private readonly hasEarlier: boolean,
  ) {
    this.#measures = listComparedMeasures(dataset);
    const limits = this.#measures.map(({ maxUnchanged = 0 }) => maxUnchanged);
    this.#pastLength = Math.max(WARNING_THRESHOLDS.pastPeriods, ...limits);
    const { period, declaration } = dataset;
    this.#periodField = period?.field ?? '';
    this.#dimensions = (declaration?.dimensions ?? []).map(({ field }) => field);
    this.#toOrdinal = (label) => period?.kind.toOrdinal(label);
    this.#hasLists = dataset.declaration?.keyedList !== undefined;
  }

  async compare(batches: AsyncIterable<readonly NeighbourRow[]>): Promise<ComparisonResult> {
    let past: SeriesRecord[] = [];
    for await (const rows of batches) {
      for (const row of rows) {
        const isChanged = Number(row.since) === this.revision;
        const current = this.#parse(row.record, isChanged, row.place);
        if (row.previous === undefined) {
          const last = past.at(-1);
          if (last && !this.#isSameSeries(last, current)) past = [];
          const change = this.#findChange(past.at(-1), current);
          const start = -this.#pastLength - 1;
          if (change) this.#judge(change, past.slice(start, -1).map(toRecord));
          past.push(current);
          if (past.length > 2 * this.#pastLength) past = past.slice(-this.#pastLength - 1);
          continue;
        }
        const previous = row.previous === null ? undefined : this.#parse(row.previous, false);
        const next = row.next ? this.#parse(row.next, false) : undefined;
        for (const change of [
          this.#findChange(previous, current),
          next && this.#findChange(current, next),
        ])
          if (change) this.#judge(change, await this.#read(change.previous));
      }
    }
    const sets = await findSetWarnings(this.dataset, this.#newest, this.readPast);
    const named = new Set(sets.map(({ warning: { rule } }) => rule));
    const isSmall = createSmallFilter(this.#measures, this.#newest);
    const jumps = this.#jumps.filter((jump) => !isSmall(jump)).map(({ warning }) => warning);
    const single = [...this.#warnings, ...jumps].filter(
      ({ warning: { rule } }) => !named.has(rule),
    );
    return { warnings: [...single, ...sets], notCompared: this.#explainRest() };
  }

  #explainRest(): string[] {
    const flows = this.#measures.filter(({ isDailyFlow }) => isDailyFlow).map(({ name }) => name);
    const { scalePeriods, minMoves } = WARNING_THRESHOLDS;
    return [
      ...(this.#alone > 0 && this.hasEarlier
        ? [
            `records without one of the same dimension values in the ${scalePeriods} periods before: ${this.#alone}`,
          ]
        : []),
      ...(flows.length > 0 && this.dataset.declared
        ? [
            `${flows.join(', ')} with the day before alone: flows of days may have any size that ${minMoves} days before do not exclude`,
          ]
        : []),
      ...(this.#unread > 0
        ? [
            `${this.#unread} changes with the earlier ones of their series: only the first ${MAX_READS} were`,
          ]
        : []),
    ];
  }

  /** The measures that the rules must look at; undefined if nothing is unusual, as nearly always. */
  #findChange(previous: SeriesRecord | undefined, current: SeriesRecord): Change | undefined {
    const { dataset } = this;
    if (!current.isChanged && !previous?.isChanged) return undefined;
    const { scalePeriods } = WARNING_THRESHOLDS;
    if (!previous || countGap(dataset, current.place - previous.place) > scalePeriods) {
      if (current.isChanged) this.#alone++;
      if (!dataset.declared) this.#warnings.push(...this.#compareFigures(undefined, current));
      return undefined;
    }
    if (current.place === this.newestPlace) this.#newest.push({ previous, current });
    let [moved, stuck] = [NO_MEASURES, NO_MEASURES];
    // Rules that look at a record as a whole decide on those that stay, or become 0.
    let [isSame, isZero] = [true, true];
    for (const measure of this.#measures) {
      const before = previous.record[measure.name];
      const after = current.record[measure.name];
      isSame &&= before === after;
      isZero &&= !after;
      if (typeof before !== 'number' || typeof after !== 'number') continue;
      if (!isUsualChange(measure, before, after)) moved = [...moved, measure];
      if (before === after && measure.maxUnchanged !== undefined) stuck = [...stuck, measure];
    }
    const needsFigures = moved.length > 0 || this.#hasLists || isSame || isZero;
    if (!needsFigures && stuck.length === 0) return undefined;
    const warnings = needsFigures ? this.#compareFigures(previous, current) : [];
    if (warnings.length + moved.length + stuck.length === 0) return undefined;
    return { previous, current, moved, stuck, warnings };
  }

  /** Compares a change with those before it in its series. */
  #judge(change: Change, past: readonly AnyRecord[]): void {
    const { previous, current, moved, stuck, warnings } = change;
    const { label } = nameRecord(this.dataset, current);
    const previousLabel = nameRecord(this.dataset, previous).label;
    const toFigures = (name: string) => past.map((record) => record[name]).filter(isNumber);
    const kept = warnings.filter(({ warning: { rule, field, value } }) => {
      if (rule !== 'scale-jump' || current.record[field] !== value) return true;
      const before = previous.record[field] as number;
      const usual = findUsualMove([...toFigures(field), before]) ?? 0;
      const move = Math.abs(Math.log((value as number) / before));
      return (
        !isWithinPast(toFigures(field), value as number) &&
        move > WARNING_THRESHOLDS.usualMultiple * usual
      );
    });
    const judged = new Set(kept.map(({ warning }) => warning.field));
    const unusual = moved.flatMap((measure) => {
      const { name } = measure;
      if (judged.has(name)) return [];
      const before = previous.record[name] as number;
      const after = current.record[name] as number;
      const history = { label, previousLabel, before, after, past: toFigures(name) };
      return findUnusualChange(measure, history) ?? [];
    });
    const unchanged = stuck.flatMap(
      (measure) => findStuck(measure, { label, record: current.record }, past) ?? [],
    );
    const keys = [toKey(this.dataset, current), toKey(this.dataset, previous)];
    const isNewest = current.place === this.newestPlace && this.#dimensions.length > 0;
    const jumps = kept.filter(
      ({ warning: { rule } }) => isNewest && (rule === 'scale-jump' || rule === 'all-zero'),
    );
    for (const warning of jumps) {
      const { rule, field } = warning.warning;
      const values = [...toFigures(field), previous.record[field]].filter(isNumber);
      const usual = rule === 'all-zero' ? 0 : findUsualMove(values);
      this.#jumps.push({ previous, current, warning, usual });
    }
    this.#warnings.push(...kept.filter((warning) => !jumps.includes(warning)));
    const toNamed = (warning: Warning) => ({ keys, warning: this.#nameSeries(warning, current) });
    this.#warnings.push(...unchanged.map(toNamed));
    for (const warning of unusual) {
      const named = toNamed(warning);
      if (isNewest && warning.rule === 'unusual-change')
        this.#jumps.push({ previous, current, warning: named, usual: 0 });
      else this.#warnings.push(named);
    }
  }

  #compareFigures(previous: SeriesRecord | undefined, current: SeriesRecord): PeriodWarning[] {
    const before = previous && toPeriodFigures(this.dataset, previous.record);
    return comparePeriods(this.dataset, before, toPeriodFigures(this.dataset, current.record));
  }

  #nameSeries(warning: Warning, record: SeriesRecord): Warning {
    const { values } = nameRecord(this.dataset, record);
    return values.length === 0
      ? warning
      : { ...warning, text: `${values.join(' ')}: ${warning.text}` };
  }

  async #read(previous: SeriesRecord): Promise<readonly AnyRecord[]> {
    if (this.#reads >= MAX_READS) {
      this.#unread++;
      return [];
    }
    this.#reads++;
    return this.readPast(
      nameRecord(this.dataset, previous).values,
      previous.place,
      this.#pastLength,
    );
  }

  #parse(text: string, isChanged: boolean, knownPlace?: number): SeriesRecord {
    const record = JSON.parse(text) as AnyRecord;
    const place = knownPlace ?? this.#toOrdinal(String(record[this.#periodField])) ?? Number.NaN;
    return { record, place, isChanged };
  }

  #isSameSeries({ record: one }: SeriesRecord, { record: other }: SeriesRecord): boolean {
    for (const field of this.#dimensions) if (one[field] !== other[field]) return false;
    return true;
  }
}

/** Each read finds a few records by an index. */
const MAX_READS = 2_000;

const NO_MEASURES: readonly ComparedMeasure[] = [];

const toRecord = ({ record }: SeriesRecord) => record;

const isNumber = (value: unknown): value is number => typeof value === 'number';

const toKey = (dataset: Dataset, { record }: SeriesRecord) =>
  getKeyValues(getStorageTable(dataset), record).join('\0');

/** Warns about a figure that has stayed the same for more periods than its declaration allows. */
function findStuck(
  { name, maxUnchanged = 0 }: ComparedMeasure,
  { record, label }: { readonly record: AnyRecord; readonly label: string },
  past: readonly AnyRecord[],
): Warning | undefined {
  const value = record[name];
  const other = past.findLastIndex((each) => each[name] !== value);
  // The period before has the same figure, too.
  const count = past.length - other;
  if (count <= maxUnchanged) return undefined;
  const text = `${name} ${value} of ${label} is that of the ${count} periods before; at most ${maxUnchanged} are declared`;
  return { rule: 'unchanged-above-max', field: name, value, text };
}
