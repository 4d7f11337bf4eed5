import type { Scope } from './dataset.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import type { ResponseFormat } from './response-format.ts';

/** An operation that serves no single dataset; its route and OpenAPI follow from this. */
export interface Operation<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its tag in the OpenAPI document; revisions by default. */
  readonly tag?: string;
  /** The scope that it needs; without one, the response is limited to the token's scopes. */
  readonly scope?: Scope;
  /** Whether it needs no token. */
  readonly isOpen?: true;
  /** Whether it takes `Accept-Datetime`. */
  readonly supportsAsOf?: true;
  /** Names in braces are path parameters. */
  readonly path: string;
  /** An invalid value answers 404. */
  readonly pathParameters?: Parameters;
  readonly parameters: P;
  /** The formats of the file that it sends instead of the envelope, if it does. */
  readonly fileFormats?: readonly ResponseFormat[];
  /** Whether its body is the data itself, without the envelope. */
  readonly isDocument?: true;
  /** The media type of its body, if that is no JSON; the schema and the example are of the body. */
  readonly mediaType?: string;
  /** Whether it sends events for as long as the client listens, instead of the envelope. */
  readonly isEventStream?: true;
  /** Whether its data is a table, which comes in every format as a dataset does. */
  readonly isTabular?: true;
  /** Whether its table is not counted by `Prefer: count=exact`. */
  readonly hasNoTotal?: true;
  /** Whether `Tenor-Units` has the unit of each column. */
  readonly hasUnits?: true;
  /** The list in each object of its data whose items are the rows of a table. */
  readonly rowList?: string;
  /** The JSON Schema of `data` in a success body; of the whole body if that is a file. */
  readonly dataSchema: JsonSchema;
  readonly example: unknown;
}
