import type { JsonSchema } from './field.ts';
import type { Parameters } from './parameter.ts';

/** An operation beside those of the datasets, declared once: its route and OpenAPI follow from it. */
export interface Operation<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  /** Names in braces stand for the segments. */
  readonly path: string;
  /** What stands in the braces of the path; a text that is not allowed there makes it unknown. */
  readonly segments: Parameters;
  readonly parameters: P;
  /** The JSON Schema of `data` in a success body. */
  readonly data: JsonSchema;
  /** An example of `data`. */
  readonly example: unknown;
}
