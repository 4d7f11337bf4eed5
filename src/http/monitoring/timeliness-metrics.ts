import {
  findNewestDay,
  findNextDue,
  judgeTimeliness,
  type NewestData,
} from '../../catalogue/model/next-due.ts';
import { buildGauge, type MetricFamily } from '../../metrics/metric-family.ts';

/** How new the data of each dataset is, and how late the next. */
export function buildTimelinessMetrics(datasets: readonly NewestData[], now: Date): MetricFamily[] {
  const newest = datasets.map((data) => ({
    labels: { dataset: data.dataset.name },
    day: findNewestDay(data),
    nextDue: findNextDue(data),
  }));
  return [
    buildGauge(
      'tenor_dataset_newest_date_timestamp_seconds',
      'The newest date in a dataset, or the last day of its newest period, at its start in UTC, in seconds since 1970.',
      'min',
      newest.flatMap(({ labels, day }) =>
        day === undefined ? [] : [[labels, Date.parse(day) / 1_000] as const],
      ),
    ),
    buildGauge(
      'tenor_dataset_due_timestamp_seconds',
      'From when on the next data of a dataset is due, in seconds since 1970.',
      'min',
      newest.flatMap(({ labels, nextDue }) =>
        nextDue ? [[labels, Date.parse(nextDue.dueAt) / 1_000] as const] : [],
      ),
    ),
    buildGauge(
      'tenor_dataset_late_seconds',
      'For how long data of a dataset has been due; 0 until it is late.',
      'max',
      newest.map(({ labels, nextDue }) => {
        const isLate = nextDue && judgeTimeliness(nextDue, now).timeliness === 'late';
        return [labels, isLate ? (now.getTime() - Date.parse(nextDue.dueAt)) / 1_000 : 0] as const;
      }),
    ),
  ];
}
