import { formatAllowedNames } from '../../../catalogue/model/api-errors.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { schema } from '../../../catalogue/model/json-schema.ts';
import { getObservationsPath } from '../../../catalogue/model/observations.ts';
import { type Parameter, parameter } from '../../../catalogue/model/parameter.ts';
import { TRANSFORM_PARAMETERS } from '../../../catalogue/model/transform-parameters.ts';
import { isPlainObject } from '../../../shared/is-plain-object.ts';
import { quoteListItem } from '../../../shared/quoted-list.ts';
import {
  type DatasetTransform,
  transformDataset,
} from '../../../transforms/transformed-dataset.ts';
import {
  isSendable,
  MAX_LISTED_DATASETS,
  type Tool,
  type ToolArguments,
  ToolError,
} from '../tool.ts';
import { createPagedTool, getUnits } from './paged-tool.ts';

/** The tool that reads a series: one of the specification, or one that a publisher declared. */
export function createGetSeriesTool(catalogue: readonly Dataset[]): Tool {
  const series = catalogue.filter(({ shape }) => shape === 'series');
  const findSeries = (values: ToolArguments) =>
    series.find(({ name }) => name === values.dataset) as Dataset;
  const parameters = {
    dataset: { ...parameter.namedItem('Name of the series', series), isRequired: true },
    from: periodParameter('First period, inclusive'),
    to: periodParameter('Last period, inclusive'),
    dimensions: dimensionsParameter,
    ...TRANSFORM_PARAMETERS,
  } as const;
  const dataSchema = schema.array('Records, with the fields that describe_datasets lists', {
    type: 'object',
  });
  const list = { path: getObservationsPath('{dataset}'), parameters, dataSchema };
  const listed = series
    .slice(0, MAX_LISTED_DATASETS)
    .map(({ name, title }) => `${name} (${title})`);
  const others = series.length > listed.length ? ', and those that describe_datasets lists' : '';
  const tool = createPagedTool(list, {
    name: 'get_series',
    title: 'Get a series',
    description: `A statistical series, newest period first: ${listed.join(', ')}${others}.`,
    items: 'records',
    defaultLimit: 40,
    getUnits(values) {
      const { units = 'lin', frequency } = values as Partial<DatasetTransform>;
      return getUnits(transformDataset(findSeries(values), { units, frequency }));
    },
  });
  return withDimensions(tool, findSeries);
}

/** A tool whose argument `dimensions` has parameters of the dataset. */
export function withDimensions(tool: Tool, findDataset: (values: ToolArguments) => Dataset): Tool {
  return {
    ...tool,
    async call({ dimensions: json, ...values }, getTarget) {
      const dimensions = parseDimensions(json ?? '{}') ?? {};
      assertKnown(findDataset(values), Object.keys(dimensions));
      const { next, ...result } = await tool.call({ ...values, ...dimensions }, getTarget);
      if (!next || json === undefined) return { ...result, next };
      const { limit = '', cursor = '' } = next;
      return { ...result, next: { ...values, dimensions: JSON.parse(json), limit, cursor } };
    },
  };
}

const periodParameter = (description: string) =>
  parameter.text(`${description}: such as Jan 2026, Q1 2026 or 2026, or a day in it`, '2026-01-31');

export const dimensionsParameter: Parameter = {
  description:
    'Values of dimensions by their names, such as {"tenor": ["1M", "6M"]}; describe_datasets lists them',
  requirement: 'an object of names of dimensions, each with a value or a list of values',
  schema: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  example: '{"tenor": ["6M"]}',
  parse: parseDimensions,
};

/** The parameters of a request by the JSON of dimensions; undefined if it is invalid. */
function parseDimensions(json: string): Readonly<Record<string, string>> | undefined {
  const values = readJson(json);
  if (!isPlainObject(values)) return undefined;
  const entries = Object.entries(values);
  const isValid = entries.every(([, value]) => {
    const items = [value].flat();
    return items.length > 0 && items.every(isSendable);
  });
  if (!isValid) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name, formatValues(value)]));
}

/** A text is sent as it is, as the parameter of the dataset takes it. */
function formatValues(value: unknown): string {
  return Array.isArray(value)
    ? value.map((item) => quoteListItem(String(item))).join()
    : String(value);
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function assertKnown({ name, declaration }: Dataset, dimensions: readonly string[]): void {
  const known = declaration?.dimensions?.map(({ field }) => field) ?? [];
  const unknown = dimensions.find((dimension) => !known.includes(dimension));
  if (unknown === undefined) return;
  const allowed = formatAllowedNames(known);
  throw new ToolError(`unknown dimension "${unknown.slice(0, 60)}" of ${name}; ${allowed}`);
}
