import type { Parameters } from '../../catalogue/model/parameter.ts';
import { type HttpError, isHttpError } from '../http-error.ts';
import type { CursorCodec, CursorValues } from '../request/cursor-codec.ts';
import { type DataQuery, parseDataQuery } from '../request/data-query.ts';
import type { RequestTarget } from '../request/request-target.ts';
import { createPaginationLinks } from '../responses/links.ts';

/** A request for a page of an operation's list. */
export interface PageRequest extends Omit<DataQuery, 'cursor'> {
  readonly target: string;
  /** The pinned revision and where the page begins; absent on the first page. */
  readonly position?: CursorValues;
}

/** The parameters of a request for a page; an error where one is invalid. */
export function parsePageRequest(
  { path, query }: RequestTarget,
  parameters: Parameters,
  cursors: CursorCodec,
): PageRequest | HttpError {
  const parsed = parseDataQuery(query, parameters);
  if (isHttpError(parsed)) return parsed;
  const { cursor, ...values } = parsed;
  const page = { target: query === '' ? path : `${path}?${query}`, ...values };
  if (cursor === undefined) return page;
  const position = cursors.decode(toCursorScope(page), cursor);
  return isHttpError(position) ? position : { ...page, position };
}

/** The links of a page that is not the last one. */
export function createPageLinks(
  page: PageRequest,
  next: CursorValues,
  cursors: CursorCodec,
): string {
  return createPaginationLinks(page.target, cursors.encode(toCursorScope(page), next));
}

/** A cursor is valid for its own path and filters alone. */
function toCursorScope({ target, filters }: Pick<PageRequest, 'target' | 'filters'>): string {
  return `${target.split('?')[0]} ${JSON.stringify(filters)}`;
}
