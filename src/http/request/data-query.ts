import type { Parameters } from '../../catalogue/model/parameter.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import { HttpError } from '../http-error.ts';
import type { CursorCodec } from './cursor-codec.ts';
import { parseQuery, type SentParameter } from './parse-query.ts';
import type { RequestTarget } from './request-target.ts';

/** The values of a query: what it selects, its page, and how it is to be sent. */
export interface DataQuery {
  /** A cursor is valid with these alone. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly cursor?: string | undefined;
  /** That of the parameter, which wins over `Accept`. */
  readonly format: ResponseFormatName;
  readonly fields?: readonly string[] | undefined;
}

/** The values of a query; JSON has all fields. */
export function parseDataQuery(
  sent: readonly SentParameter[],
  parameters: Parameters,
  acceptedFormat: ResponseFormatName = 'json',
): DataQuery | HttpError {
  const values = parseQuery(sent, parameters);
  if (values instanceof HttpError) return values;
  const { cursor, as_of: _, format = acceptedFormat, fields, ...filters } = values;
  if (fields && !FLAT_FORMATS.includes(format as ResponseFormatName))
    return new HttpError('fields_of_json', { allowed: FLAT_FORMATS.join(', ') });
  return { filters, format, cursor, fields } as DataQuery;
}

export const FLAT_FORMATS = (Object.keys(RESPONSE_FORMATS) as ResponseFormatName[]).filter(
  (name) => RESPONSE_FORMATS[name].traits.isFlat,
);

/** The parameters of a request for a page of an operation's list. */
export interface PageRequest extends Omit<DataQuery, 'cursor'> {
  /** The text that cursors are signed for: each is valid for its own path and filters alone. */
  readonly cursorScope: string;
  /** Where the page begins; absent on the first. */
  readonly position?: readonly (string | number)[];
}

/** The parts of a request that a page is parsed from. */
export interface PageTarget {
  readonly target: RequestTarget;
  readonly cursors: CursorCodec;
  readonly acceptedFormat: ResponseFormatName;
}

/** The parameters of a request for a page; an error where one is invalid. Cursors are signed for `cursorPath`. */
export function parsePageRequest(
  { target, cursors, acceptedFormat }: PageTarget,
  parameters: Parameters,
  cursorPath = target.path,
): PageRequest | HttpError {
  const parsed = parseDataQuery(target.parameters, parameters, acceptedFormat);
  if (parsed instanceof HttpError) return parsed;
  const { cursor, filters, format, fields } = parsed;
  const cursorScope = `${cursorPath} ${JSON.stringify(filters)}`;
  const page = { filters, format, fields, cursorScope };
  if (cursor === undefined) return page;
  const decoded = cursors.decode(page.cursorScope, cursor);
  if (decoded instanceof HttpError) return decoded;
  // The revision, which is that of the view, and when it was published come first.
  const [, , ...position] = decoded;
  return { ...page, position };
}
