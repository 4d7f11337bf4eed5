import type { Parameters } from '../../catalogue/model/parameter.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import type { AsOf } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../http-error.ts';
import type { CursorCodec } from './cursor-codec.ts';
import { parseQuery } from './parse-query.ts';
import type { RequestTarget } from './request-target.ts';

/** The values of a query: what it selects, its page, and how it is to be sent. */
export interface DataQuery {
  /** A cursor is valid with these alone. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly cursor?: string | undefined;
  /** Wins over `Accept-Datetime`. */
  readonly asOf?: AsOf | undefined;
  /** That of the parameter, which wins over `Accept`. */
  readonly format: ResponseFormatName;
  readonly fields?: readonly string[] | undefined;
}

/** The values of a query; JSON has all fields. */
export function parseDataQuery(
  query: string,
  parameters: Parameters,
  acceptedFormat: ResponseFormatName = 'json',
): DataQuery | HttpError {
  const values = parseQuery(query, parameters);
  if (values instanceof HttpError) return values;
  const { cursor, as_of: asOf, format = acceptedFormat, fields, ...filters } = values;
  if (fields && format === 'json')
    return new HttpError('fields_of_json', { allowed: FLAT_FORMATS.join(', ') });
  return { filters, format, cursor, asOf, fields } as DataQuery;
}

export const FLAT_FORMATS = Object.keys(RESPONSE_FORMATS).filter((name) => name !== 'json');

/** The parameters of a request for a page of an operation's list. */
export interface PageRequest extends Omit<DataQuery, 'cursor'> {
  /** The text that cursors are signed for: each is valid for its own path and filters alone. */
  readonly cursorScope: string;
  /** The revision of the first page, and where this one begins; absent on the first page. */
  readonly pinnedRevision?: number;
  readonly pinnedMs?: number;
  readonly position?: readonly (string | number)[];
}

export type PageTarget = RequestTarget & {
  readonly cursors: CursorCodec;
  readonly acceptedFormat: ResponseFormatName;
};

/** The parameters of a request for a page; an error where one is invalid. Cursors are signed for `cursorPath`. */
export function parsePageRequest(
  { path, query, cursors, acceptedFormat }: PageTarget,
  parameters: Parameters,
  cursorPath = path,
): PageRequest | HttpError {
  const parsed = parseDataQuery(query, parameters, acceptedFormat);
  if (parsed instanceof HttpError) return parsed;
  const { cursor, filters, format, asOf, fields } = parsed;
  const cursorScope = `${cursorPath} ${JSON.stringify(filters)}`;
  const page = { filters, format, asOf, fields, cursorScope };
  if (cursor === undefined) return page;
  const decoded = cursors.decode(page.cursorScope, cursor);
  if (decoded instanceof HttpError) return decoded;
  const [pinnedRevision, pinnedMs, ...position] = decoded;
  return { ...page, pinnedRevision, pinnedMs, position };
}
