import type { Dataset } from '../../../../catalogue/model/dataset.ts';
import { schema } from '../../../../catalogue/model/json-schema.ts';
import { parameter } from '../../../../catalogue/model/parameter.ts';
import type { TextRow, Tool } from '../tool.ts';
import { getUnits, sliceParameters, sliceRecords } from './paged-tool.ts';

const DEFAULT_PERIODS = 40;

/** The tool that reads a statistical series. */
export function createGetSeriesTool(catalogue: readonly Dataset[]): Tool {
  const series = catalogue.filter(({ shape }) => shape === 'series');
  return {
    name: 'get_series',
    title: 'Get a series',
    description: `A statistical series of payments and banking, newest period first: ${series.map(({ name, title }) => `${name} (${title})`).join(', ')}.`,
    parameters: {
      dataset: { ...parameter.namedItem('Name of the series', series), isRequired: true },
      ...sliceParameters('periods', DEFAULT_PERIODS),
    },
    dataSchema: schema.array('Records, with the fields that describe_datasets lists', {
      type: 'object',
    }),
    async call(values, getTarget) {
      const dataset = series.find(({ name }) => name === values.dataset) as Dataset;
      const target = await getTarget(dataset.paths[0], { as_of: values.as_of });
      const { revision, address } = target;
      const records = target.data as readonly TextRow[];
      const { length: count } = records;
      const { start, end, next } = sliceRecords(values, count, DEFAULT_PERIODS, revision);
      const data = records.slice(start, end);
      const summary = `${data.length} of ${count} periods of ${dataset.title}`;
      return { revision, units: getUnits(dataset), next, address, data, summary, rows: data };
    },
  };
}
