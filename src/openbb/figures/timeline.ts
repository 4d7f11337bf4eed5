import type { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { escapeText } from './figure.ts';

/** Values over periods, oldest first. */
export interface Timeline {
  readonly labels: readonly string[];
  readonly lines: readonly TimelineLine[];
  /** Of which the lines are components. */
  readonly total?: TimelineLine;
  readonly unit: string;
}

/** A value for each label; null where there is none. */
export interface TimelineLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The lines that the chart of a dataset shows of its records, which come newest first. */
export function buildTimeline(dataset: Dataset, records: readonly AnyRecord[]): Timeline {
  return dataset.shape === 'fund'
    ? buildFundTimeline(records)
    : buildSeriesTimeline(dataset, records);
}

function buildSeriesTimeline(dataset: Dataset, records: readonly AnyRecord[]): Timeline {
  const { fields, chart, period } = dataset;
  const getLabel = (record: AnyRecord) => String(record[period?.field ?? '']);
  const known = [...new Set(records.toReversed().map(getLabel))];
  // Most figures of days are of business days: a weekend is no gap.
  const labels = period && !period.kind.hasHolidays ? fillGaps(known, period.kind) : known;
  const groups = Array.from(groupByDimensions(dataset, records), ([title, members]) => {
    const byLabel = new Map(members.map((record) => [getLabel(record), record]));
    return { title, columns: labels.map((label) => byLabel.get(label)) };
  });
  const readField = (name: string, { title, columns }: (typeof groups)[number]): TimelineLine => ({
    name: escapeText([title, fields[name]?.description ?? name].filter(Boolean).join(': ')),
    values: columns.map((record) => (record?.[name] ?? null) as number | null),
  });
  const names = chart?.fields ?? [];
  const total = chart?.total ?? null;
  const [field] = names.map((name) => fields[name]?.itemFields?.value ?? fields[name]);
  const lines = groups.flatMap((group) =>
    names.flatMap((name) =>
      fields[name]?.itemFields ? readKeyedList(name, group.columns) : [readField(name, group)],
    ),
  );
  const [all] = groups;
  return {
    labels,
    lines: lines.slice(0, MAX_LINES),
    ...(total !== null && all && { total: readField(total, all) }),
    unit: field?.unit ?? '',
  };
}

/** More lines cannot be distinguished; a user chooses values of dimensions. */
const MAX_LINES = 40;

/** The records of each combination of values of dimensions. */
function groupByDimensions({ declaration }: Dataset, records: readonly AnyRecord[]) {
  const names = declaration?.dimensions?.map(({ field }) => field) ?? [];
  return Map.groupBy(records, (record) => names.map((name) => record[name]).join(', '));
}

/** A line for each key that any record has. */
function readKeyedList(name: string, records: readonly (AnyRecord | undefined)[]): TimelineLine[] {
  const lists = records.map((record) => {
    const list = (record?.[name] ?? []) as readonly KeyedValue[];
    return new Map(list.map(({ key, value }) => [key, value]));
  });
  const keys = new Set(lists.flatMap((list) => [...list.keys()]));
  return [...keys].map((key) => ({
    name: escapeText(key),
    values: lists.map((list) => list.get(key) ?? null),
  }));
}

/** More than any series has: a label that is far off, such as a year 9999, fills no axis. */
const MAX_GAP = 120;

/** The labels with those of missing periods between them, so that a gap is seen. */
function fillGaps(labels: readonly string[], kind: PeriodKind): string[] {
  return labels.flatMap((label, index) => {
    const gap = [label];
    const end = kind.toOrdinal(labels[index + 1] ?? label) ?? 0;
    const missing = end - (kind.toOrdinal(label) ?? 0) - 1;
    for (let count = 0; missing <= MAX_GAP && count < missing; count++)
      gap.push(kind.getNextLabel(gap.at(-1) ?? label));
    return gap;
  });
}

type Fund = DatasetRecord<typeof fundAllocation>;

/** A line for each class of a fund. */
function buildFundTimeline([fund]: readonly AnyRecord[]): Timeline {
  const { periods, rows } = (fund ?? { periods: [], rows: [] }) as Fund;
  return {
    labels: periods.map(({ label }) => escapeText(label)).toReversed(),
    lines: rows.map(({ label, values }) => ({
      name: escapeText(label),
      values: values.toReversed(),
    })),
    unit: 'percent',
  };
}
