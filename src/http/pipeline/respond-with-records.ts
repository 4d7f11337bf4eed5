import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import type { CursorCodec } from '../request/cursor-codec.ts';
import { createPaginationLinks } from '../responses/links.ts';
import { createRecordsResponse } from '../responses/records-response.ts';
import type { HttpResponse } from '../responses/response.ts';
import type { LastChange } from '../responses/store-lookups.ts';
import type { DataContext } from './request-context.ts';
import type { OperationQuery, OperationResult, PageQuery, PageResult } from './route.ts';

/** Responds with a page of records, in the format of its query. */
export function respondWithRecords(
  data: DataContext,
  { source, datasets, format, includesDataset }: PageQuery,
  page: PageResult,
  links: string | undefined,
): Awaitable<HttpResponse> {
  return whenReady(findLastChangeOfAny(data, datasets, page.revision), (modified) =>
    createRecordsResponse({ source, page, format, modified, links, includesDataset }),
  );
}

/** The links of a page that is not the last one. */
export function createPageLinks(
  cursors: CursorCodec,
  target: string,
  { cursorScope = '' }: OperationQuery,
  { next }: OperationResult,
): string | undefined {
  return next && createPaginationLinks(target, cursors.encode(cursorScope, next));
}

/** The last change of several datasets; most records are of one. */
function findLastChangeOfAny(
  { findLastChange }: Pick<DataContext, 'findLastChange'>,
  [dataset = '', ...others]: readonly string[],
  revision: number,
): Awaitable<LastChange | undefined> {
  const first = findLastChange(dataset, revision);
  if (others.length === 0) return first;
  const changes = [first, ...others.map((other) => findLastChange(other, revision))];
  return Promise.all(changes).then((all) => {
    const [last, earlier] = all
      .filter((change) => change !== undefined)
      .toSorted((a, b) => b.revision - a.revision);
    return last && { ...last, isAmbiguous: last.isAmbiguous || last.atMs === earlier?.atMs };
  });
}
