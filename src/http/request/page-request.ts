import type { Parameters } from '../../catalogue/model/parameter.ts';
import { HttpError } from '../http-error.ts';
import type { CursorCodec } from './cursor-codec.ts';
import { type DataQuery, parseDataQuery } from './data-query.ts';
import type { RequestTarget } from './request-target.ts';

/** The parameters of a request for a page of an operation's list. */
export interface PageRequest extends Omit<DataQuery, 'cursor'> {
  /** The text that cursors are signed for: each is valid for its own path and filters alone. */
  readonly cursorScope: string;
  /** The revision of the first page, and where this one begins; absent on the first page. */
  readonly pinnedRevision?: number;
  readonly position?: readonly (string | number)[];
}

/** The parameters of a request for a page; an error where one is invalid. */
export function parsePageRequest(
  { path, query, cursors }: RequestTarget & { readonly cursors: CursorCodec },
  parameters: Parameters,
): PageRequest | HttpError {
  const parsed = parseDataQuery(query, parameters);
  if (parsed instanceof HttpError) return parsed;
  const { cursor, ...values } = parsed;
  const page = { ...values, cursorScope: `${path} ${JSON.stringify(values.filters)}` };
  if (cursor === undefined) return page;
  const decoded = cursors.decode(page.cursorScope, cursor);
  if (decoded instanceof HttpError) return decoded;
  const [pinnedRevision, ...position] = decoded;
  return { ...page, pinnedRevision, position };
}
