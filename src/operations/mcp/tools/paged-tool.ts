import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { Fields } from '../../../catalogue/model/field.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import {
  asOfParameter,
  cursorParameter,
  type Parameters,
  parameter,
} from '../../../catalogue/model/parameter.ts';
import {
  formatCount,
  type TextRow,
  type Tool,
  type ToolArguments,
  type ToolResult,
} from '../tool.ts';

const MAX_LIMIT = 200;

interface PagedToolOptions extends Pick<Tool, 'name' | 'title' | 'description'> {
  /** The name of the items of its list, such as `quotes`. */
  readonly items: string;
  readonly defaultLimit?: number;
  getUnits(values: ToolArguments): Readonly<Record<string, string>>;
  /** The rows of the table for reading; by default the items. */
  getRows?(values: ToolArguments, data: readonly TextRow[]): readonly TextRow[];
}

/** A tool that reads a page of a list, whose arguments are the parameters of the operation. */
export function createPagedTool(
  { path, parameters, dataSchema }: Pick<Operation, 'path' | 'parameters' | 'dataSchema'>,
  options: PagedToolOptions,
): Tool {
  const { name, title, description, items, defaultLimit = 20 } = options;
  const { getUnits, getRows = (_, data) => data } = options;
  return {
    name,
    title,
    description,
    dataSchema,
    parameters: {
      ...selectFilters(parameters),
      limit: limitParameter(items, defaultLimit),
      cursor: { ...cursorParameter, description: 'From next of the call before' },
      as_of: AS_OF_ARGUMENT,
    },
    async call(values, getTarget) {
      const { dataset = '', ...query } = values;
      const target = path.replace('{dataset}', dataset);
      const get = (limit: number) => getTarget(target, { ...query, limit: String(limit) });
      let limit = Number(values.limit ?? defaultLimit);
      let page = await get(limit);
      if (values.limit === undefined && page.bytes > MAX_DEFAULT_BYTES && limit > 1) {
        limit = Math.max(1, Math.floor((limit * MAX_DEFAULT_BYTES) / page.bytes));
        page = await get(limit);
      }
      const data = page.data as readonly TextRow[];
      const { revision, address, cursor } = page;
      const next = cursor === undefined ? null : { ...values, limit, cursor };
      const summary = formatCount(data.length, items);
      const rows = getRows(values, data);
      return { revision, units: getUnits(values), next, address, data, summary, rows };
    },
  };
}

/** If a call asks for no limit, its result is to fit into a few thousand tokens. */
const MAX_DEFAULT_BYTES = 16_000;

export const limitParameter = (items: string, defaultValue: number) =>
  parameter.integer(`Maximum number of ${items}`, { max: MAX_LIMIT, defaultValue });

export const AS_OF_ARGUMENT = {
  ...asOfParameter,
  // It is in every tool, so it is to be short.
  schema: { type: 'string', minLength: 1 },
  description:
    'The data as it was known then, before later corrections: the number of a revision, a day, or an ISO 8601 instant',
};

const NO_FILTERS = ['limit', 'cursor', 'fields', 'as_of', 'format', 'order', 'compare'];

/** The parameters of an operation that select its data. */
export function selectFilters(parameters: Parameters): Parameters {
  const isFilter = ([name]: [string, unknown]) => !NO_FILTERS.includes(name);
  return Object.fromEntries(Object.entries(parameters).filter(isFilter));
}

/** The arguments of `sliceRecords`, for tools whose operation has no pages. */
export const sliceParameters = (
  items: string,
  defaultLimit: number,
  leftOut = `of the newest ${items}`,
): Parameters => ({
  limit: limitParameter(items, defaultLimit),
  offset: {
    ...parameter.revision(`How many ${leftOut} to leave out`),
    requirement: 'a whole number from 0, in plain digits',
    example: '0',
  },
  as_of: AS_OF_ARGUMENT,
});

/** Where the records that a call asks for begin and end, and the arguments of the next call. */
export function sliceRecords(
  values: ToolArguments,
  count: number,
  defaultLimit: number,
  revision: number,
): { start: number; end: number; next: ToolResult['next'] } {
  const limit = Number(values.limit ?? defaultLimit);
  const start = Number(values.offset ?? 0);
  const end = start + limit;
  // The next call reads the same revision, in which the records have the same positions.
  const next = end < count ? { ...values, limit, offset: end, as_of: String(revision) } : null;
  return { start, end, next };
}

type Units = Readonly<Record<string, string>>;

/** They are declared once, and needed by every call. */
const unitsByDataset = new WeakMap<Pick<Dataset, 'fields'>, Units>();

/** The unit of each field of a dataset that has one; of an item of a list, after a point. */
export function getUnits(dataset: Pick<Dataset, 'fields'>): Units {
  const units = unitsByDataset.get(dataset) ?? Object.fromEntries(listUnits(dataset.fields));
  unitsByDataset.set(dataset, units);
  return units;
}

function listUnits(fields: Fields, prefix = ''): [name: string, unit: string][] {
  return Object.entries(fields).flatMap(([name, { unit, itemFields }]) => [
    ...(unit === undefined ? [] : [[`${prefix}${name}`, unit] as [string, string]]),
    ...(itemFields ? listUnits(itemFields, `${prefix}${name}.`) : []),
  ]);
}
