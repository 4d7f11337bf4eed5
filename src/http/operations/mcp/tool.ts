import type { JsonSchema } from '../../../catalogue/model/json-schema.ts';
import type { Parameters } from '../../../catalogue/model/parameter.ts';

/** A tool: what a model reads about it, and what a call does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its arguments. */
  readonly parameters: Parameters;
  /** The JSON Schema of `data` in its result. */
  readonly dataSchema: JsonSchema;
  /** JSON Schemas of what its result has beside what all have. */
  readonly extraSchemas?: Readonly<Record<string, JsonSchema>>;
  /** Called with valid arguments. */
  call(values: ToolArguments, getTarget: GetTarget): Promise<ToolResult>;
}

/** The texts of the arguments of a call, by name. */
export type ToolArguments = Readonly<Record<string, string>>;

/** Requests a target of this service, as HTTP does. Rejects with a ToolError where that fails. */
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

export interface ToolResult {
  readonly revision: number;
  /** The unit of each field that has one. */
  readonly units: Readonly<Record<string, string>>;
  /** The arguments of the call that continues this one; null where nothing was left out. */
  readonly next: Readonly<Record<string, string | number>> | null;
  readonly address: string;
  readonly data: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What it is, in a few words: `20 quotes`. */
  readonly summary: string;
  /** The same data for reading, a table. */
  readonly rows: readonly TextRow[];
}

export type TextRow = Readonly<Record<string, unknown>>;

/** An error that the model can read, and try again. */
export class ToolError extends Error {}
