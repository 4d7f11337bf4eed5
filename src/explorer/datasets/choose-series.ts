import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { buildSeriesData } from '../series/series-data.ts';
import { combineSeries, parseChoices, splitByDimensions } from './dimensions.ts';
import { parseTransform, transformEntry } from './transforms.ts';

/** The maximum number of lines on one chart, and of charts beside each other. */
export const MAX_LINES = 8;
const MAX_SMALL_CHARTS = 48;

/**
 * The series of a dataset in the URL, from the records that the service has transformed. Those that are offered
 * tell which values there are.
 */
export function chooseSeries(
  declared: DatasetEntry,
  records: readonly JsonRecord[],
  params: Readonly<Record<string, string>>,
  offered = records,
) {
  const transform = parseTransform(declared, params);
  const choices = parseChoices(declared, offered, params.of);
  const isChosen = (record: JsonRecord) =>
    choices.every(({ field, chosen }) => chosen?.includes(String(record[field])) ?? true);
  const matching = records.filter(isChosen);
  const all = splitByDimensions(declared, matching);
  const varying = choices.filter(
    ({ field }) => new Set(all.map(({ dimensions }) => dimensions[field])).size > 1,
  );
  const combinations = all
    .map((combination) => {
      const options = choices.map(({ field, options: known }) => {
        const index = known.findIndex(({ key }) => key === combination.dimensions[field]);
        return { field, index, text: known[index]?.text ?? '' };
      });
      const titles = options.filter(({ field }) => varying.some((each) => each.field === field));
      const title = titles.map(({ text }) => text).join(', ');
      return { ...combination, title, rank: options.map(({ index }) => index) };
    })
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .slice(0, MAX_SMALL_CHARTS);
  const isMerged = combinations.length > 1;
  const kind = combinations.length > MAX_LINES ? 'multiples' : 'lines';
  const drawn = isMerged
    ? combineSeries(declared, combinations, kind, params.measure)
    : { entry: declared, records: matching, measure: undefined };
  const entry = transformEntry(drawn.entry, transform);
  const shared = choices.filter((choice) => !varying.includes(choice));
  const values = shared.flatMap(({ options, chosen }) =>
    chosen?.length === 1 ? (options.find(({ key }) => key === chosen[0])?.text ?? []) : [],
  );
  return {
    entry,
    choices,
    isChosen,
    isMerged,
    /** The figure of each combination, if there are several. */
    measure: drawn.measure,
    leftOut: all.length - combinations.length,
    series: buildSeriesData(entry, drawn.records),
    title: transform.title,
    // Values that all figures have in common belong to the name of what is shown.
    shownTitle: [
      declared.title,
      ...values,
      ...(isMerged && kind === 'lines'
        ? [combinations.map(({ title }) => title).join(' and ')]
        : []),
    ].join(', '),
  };
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((rank, position) => rank !== b[position]);
  return (a[index] ?? 0) - (b[index] ?? 0);
}
