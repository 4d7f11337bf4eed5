import type { Parameters } from '../../catalogue/model/parameter.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import type { AsOf } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../http-error.ts';
import { parseQuery } from './parse-query.ts';

/** The values of a query: what it selects, apart from the page and from how it is to be sent. */
export interface DataQuery {
  /** A cursor is valid with these alone. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly cursor?: string;
  /** Wins over `Accept-Datetime`. */
  readonly asOf?: AsOf;
  /** Wins over `Accept`. */
  readonly format?: ResponseFormatName;
  readonly fields?: readonly string[];
}

export function parseDataQuery(query: string, parameters: Parameters): DataQuery | HttpError {
  const values = parseQuery(query, parameters);
  if (values instanceof HttpError) return values;
  const { cursor, as_of: asOf, format, fields, ...filters } = values;
  return {
    filters,
    ...(cursor !== undefined && { cursor }),
    ...(asOf !== undefined && { asOf }),
    ...(format !== undefined && { format }),
    ...(fields !== undefined && { fields }),
  } as DataQuery;
}

/** The query with the format of its response, which has all fields where it is JSON. */
export function withFormat<Query extends Pick<DataQuery, 'format' | 'fields'>>(
  query: Query | HttpError,
  acceptedFormat: ResponseFormatName,
): (Query & { readonly format: ResponseFormatName }) | HttpError {
  if (query instanceof HttpError) return query;
  const { format = acceptedFormat, fields } = query;
  if (fields && format === 'json')
    return new HttpError('fields_of_json', { allowed: FLAT_FORMATS.join(', ') });
  return { ...query, format };
}

const FLAT_FORMATS = Object.keys(RESPONSE_FORMATS).filter((name) => name !== 'json');
