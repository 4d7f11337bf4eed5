import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { buildSeriesData } from '../series/series-data.ts';
import {
  ALL_COMBINATIONS,
  type Combination,
  combineSeries,
  formatCombination,
  splitByDimensions,
} from './dimensions.ts';
import { parseTransform, transformEntry } from './transforms.ts';

/** The maximum number of charts beside each other. */
export const MAX_SMALL_CHARTS = 48;

const NO_COMBINATION: Combination = { key: '', dimensions: {}, records: [] };

/**
 * The series of a dataset in the URL, from the records that the service has transformed. Those that are offered
 * tell which series there are.
 */
export function chooseSeries(
  declared: DatasetEntry,
  records: readonly JsonRecord[],
  params: Readonly<Record<string, string>>,
  offered = records,
) {
  const transform = parseTransform(declared, params);
  const combinations = splitByDimensions(declared, offered);
  const isMerged = params.of === ALL_COMBINATIONS && combinations.length <= MAX_SMALL_CHARTS;
  const chosen =
    combinations.find(({ key }) => key === params.of) ?? combinations[0] ?? NO_COMBINATION;
  const isOf = (record: JsonRecord, key: string) => formatCombination(declared, record) === key;
  const drawn = isMerged
    ? combineSeries(declared, combinations)
    : { entry: declared, records: records.filter((each) => isOf(each, chosen.key)) };
  const entry = transformEntry(drawn.entry, transform);
  return {
    entry,
    combinations,
    isMerged,
    key: chosen.key,
    dimensions: isMerged ? {} : chosen.dimensions,
    series: buildSeriesData(entry, drawn.records),
    title: transform.title,
    // Of one combination, its values belong to the name of what is shown.
    shownTitle: [declared.title, ...(isMerged ? [] : Object.values(chosen.dimensions))].join(', '),
  };
}
