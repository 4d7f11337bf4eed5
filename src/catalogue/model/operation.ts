import type { Scope } from './dataset.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import type { ResponseFormat } from './response-format.ts';

/** An operation beside those of the datasets, declared once: its route and OpenAPI follow from it. */
export interface Operation<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it is listed under in the OpenAPI document; revisions where absent. */
  readonly tag?: string;
  /** The scope that it takes; without it, a token gets what its scopes open. */
  readonly scope?: Scope;
  /** Whether it can be asked for as it stood at an instant, with `Accept-Datetime`. */
  readonly supportsAsOf?: true;
  /** Names in braces stand for the segments. */
  readonly path: string;
  /** What stands in the braces of the path; a text that is not allowed there makes it unknown. */
  readonly pathParameters: Parameters;
  readonly parameters: P;
  /** Where it answers with a file in the place of the envelope: the forms that the file may have. */
  readonly fileFormats?: readonly ResponseFormat[];
  /** Whether its data is a list that makes a table, and comes in every form as a dataset does. */
  readonly isTabular?: true;
  /** The JSON Schema of `data` in a success body; of the whole body where that is a file. */
  readonly dataSchema: JsonSchema;
  /** An example of `data`. */
  readonly example: unknown;
}
