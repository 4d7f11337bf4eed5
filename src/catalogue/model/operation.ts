import type { Scope } from './dataset.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import type { ResponseFormat } from './response-format.ts';

/** An operation that does not belong to a single dataset; its route and OpenAPI derive from this. */
export interface Operation<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its tag in the OpenAPI document; revisions by default. */
  readonly tag?: string;
  /** The required scope; without one, the response is limited to the token's scopes. */
  readonly scope?: Scope;
  /** Whether it needs no token; `partly` if it tells those with one more. */
  readonly isOpen?: true | 'partly';
  readonly supportsAsOf?: true;
  /** How long path and query may be; a longer address gets 414. */
  readonly maxAddressBytes?: number;
  /** Names in braces are path parameters. */
  readonly path: string;
  /** An invalid value gets 404. */
  readonly pathParameters?: Parameters;
  readonly parameters: P;
  /** The formats of the file that it sends instead of the envelope, if any. */
  readonly fileFormats?: readonly ResponseFormat[];
  /** The formats that its parameter `format` offers beside JSON. */
  readonly otherFormats?: readonly Pick<ResponseFormat, 'mediaType' | 'description'>[];
  /** Whether its body is the data itself, without the envelope. */
  readonly isDocument?: true;
  /** The media type of its body, if not JSON; the schema and the example describe that body. */
  readonly mediaType?: string;
  /** Whether it sends events for as long as the client listens, instead of the envelope. */
  readonly isEventStream?: true;
  /** Whether its data is a table, available in every format like a dataset. */
  readonly isTabular?: true;
  /** Whether `Prefer: count=exact` does not count its table. */
  readonly hasNoTotal?: true;
  /** Whether `Tenor-Units` has the unit of each column. */
  readonly hasUnits?: true;
  /** The list in each object of its data whose items are the rows of a table. */
  readonly rowList?: string;
  /** The JSON Schema of `data` in a success body; of the whole body if it is a file. */
  readonly dataSchema: JsonSchema;
  readonly example: unknown;
}
