import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Parameter, Parameters } from '../../catalogue/model/parameter.ts';

/** A tool: what a model reads about it, and what a call does. */
export interface Tool extends Pick<Operation, 'name' | 'title' | 'description'> {
  /** Its arguments. */
  readonly parameters: Parameters;
  /** The JSON Schema of `data` in its result. */
  readonly dataSchema: JsonSchema;
  /** JSON Schemas of fields that only its result has. */
  readonly extraSchemas?: Readonly<Record<string, JsonSchema>>;
  /** Called with valid arguments. */
  call(values: ToolArguments, getTarget: GetTarget): Promise<ToolResult>;
}

/** The texts of the arguments of a call, by name. */
export type ToolArguments = Readonly<Record<string, string>>;

/** Requests a target of this service, as HTTP does. Rejects with a ToolError if that fails. */
export type GetTarget = (
  path: string,
  query: Readonly<Record<string, string | undefined>>,
) => Promise<TargetResult>;

export interface TargetResult {
  readonly data: unknown;
  /** How long the response is. */
  readonly bytes: number;
  readonly revision: number;
  /** The cursor of the next page, if there is one. */
  readonly cursor: string | undefined;
  /** The URL of the same response: at that revision, if the operation takes one. */
  readonly address: string;
}

export interface ToolResult extends Pick<TargetResult, 'data' | 'revision' | 'address'> {
  /** The unit of each field that has one. */
  readonly units: Readonly<Record<string, string>>;
  /** The arguments of the call that continues this one; null if nothing was left out. */
  readonly next: Readonly<Record<string, unknown>> | null;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Its data in a few words: `20 quotes`. */
  readonly summary: string;
  /** The same data for reading, a table. */
  readonly rows: readonly TextRow[];
}

export type TextRow = Readonly<Record<string, unknown>>;

/** Whether a value can be written in an address: half of a pair of surrogates cannot. */
export function isSendable(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed();
}

/** An error that the model can read, and try again. */
export class ToolError extends Error {}

/** A tool as `tools/list` describes it. */
export function describeTool({ name, title, description, parameters, ...tool }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: buildInputSchema(parameters),
    outputSchema: buildOutputSchema(tool),
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  };
}

function buildInputSchema(parameters: Parameters) {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return {
    type: 'object' as const,
    properties: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [name, argumentSchema(parameter)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** A client sends the tools to its model with every request: so many datasets are listed there. */
export const MAX_LISTED_DATASETS = 100;

/** If the schema of a text says little, the requirement says what is valid. */
function argumentSchema({ schema, description, requirement }: Parameter): JsonSchema {
  if (Array.isArray(schema.enum) && schema.enum.length > MAX_LISTED_DATASETS)
    return { type: 'string', description: `${description}; describe_datasets lists them` };
  const isExplicit = schema.type !== 'string' || 'enum' in schema || schema.minLength === 1;
  return { ...schema, description: isExplicit ? description : `${description}: ${requirement}` };
}

function buildOutputSchema(tool: Pick<Tool, 'dataSchema' | 'extraSchemas'>) {
  const output = schema.object({
    revision: schema.integer('The revision of the data that this was read from'),
    units: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The unit of each field that has one',
    },
    truncated: { type: 'boolean', description: 'Whether there is more than this' },
    next: {
      type: ['object', 'null'],
      description: 'The arguments of the call that continues this one; null at the end',
    },
    address: schema.string('The URL of the records over HTTP, at that revision'),
    ...tool.extraSchemas,
    data: tool.dataSchema,
  });
  return { ...output, type: 'object' as const };
}

/** A result for programs and, in short, for models that read text alone. */
export function formatResult({ revision, units, next, address, data, ...result }: ToolResult) {
  const { summary, rows, extra } = result;
  const truncated = next !== null;
  const continuation = truncated ? `; there is more: call again with ${JSON.stringify(next)}` : '';
  const lines = [`${summary} (revision ${revision})${continuation}`, ...formatTable(rows)];
  return {
    content: [{ type: 'text' as const, text: lines.join('\n') }],
    structuredContent: { revision, units, truncated, next, address, ...extra, data },
  };
}

/** `1 quote`, `2 quotes`. */
export function formatCount(count: number, items: string): string {
  return `${count} ${count === 1 ? items.replace(/ies$/, 'y').replace(/s$/, '') : items}`;
}

/** The lines of a table as CSV, which takes the fewest tokens. */
function formatTable(rows: readonly TextRow[]): string[] {
  const flatRows = rows.some(hasNested) ? rows.map(flattenRow) : rows;
  const columns = listColumns(flatRows);
  if (columns.length === 0) return [];
  const lines = flatRows.map((row) => columns.map((column) => formatCell(row[column])).join());
  return [columns.map(formatCell).join(), ...lines];
}

function listColumns(rows: readonly TextRow[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const column in row) columns.add(column);
  return [...columns];
}

function hasNested(row: TextRow): boolean {
  for (const column in row) if (isObject(row[column])) return true;
  return false;
}

/** A row in which each nested value has a column: `lastPeriod.label`, `provinces.punjab`. */
function flattenRow(row: TextRow): TextRow {
  const pairs = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (isKeyedList(value)) return value.map((item) => [`${name}.${item.key}`, item.value]);
    if (!isObject(value) || Array.isArray(value)) return [[name, value]];
    return Object.entries(value).map(([key, nested]) => [`${name}.${key}`, nested]);
  });
  return Object.fromEntries(pairs);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isKeyedList(value: unknown): value is { key: string; value: unknown }[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && 'key' in item);
}

function formatCell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
