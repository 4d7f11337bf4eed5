import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { createHttpError } from '../http-error.ts';
import type { QueryPlan } from '../request/plan-query.ts';
import type { ServerContext } from '../server-context.ts';
import { createDataResponse } from './data-response.ts';
import { createCursorLinks } from './links.ts';
import type { HttpResponse } from './response.ts';
import { errorResponse } from './response.ts';

/** What a request wants of a dataset. */
export interface DatasetRequest {
  readonly dataset: Dataset;
  /** To the letter. */
  readonly target: string;
  readonly plan: QueryPlan;
  readonly format: ResponseFormatName;
  /** Whether it is to be told how many records match in all. */
  readonly includeTotal: boolean;
}

/** What an answer is remembered under. No target has a space, so none is taken for another. */
export function getResponseCacheKey({
  target,
  format,
  includeTotal,
}: Omit<DatasetRequest, 'plan' | 'dataset'>): string {
  if (format === 'json' && !includeTotal) return target;
  return `${target} ${format}${includeTotal ? ' counted' : ''}`;
}

/**
 * An answer, read and made anew: as the data stands, or as it stood at a revision. Other forms than
 * JSON wait for their turn; another request may have made the same one until then.
 */
export function createDatasetResponse(
  context: ServerContext,
  request: DatasetRequest,
  at?: number,
): Promise<HttpResponse> {
  return enqueueUnlessJson(context, request.format, async () => {
    const cached =
      at === undefined ? context.responseCache.get(getResponseCacheKey(request)) : undefined;
    return cached ?? readDataset(context, request, at);
  });
}

/** Makes an answer in a form: JSON at once, the others a few at a time. */
export function enqueueUnlessJson(
  { encodingQueue }: Pick<ServerContext, 'encodingQueue'>,
  form: ResponseFormatName,
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return form === 'json' ? make() : encodingQueue(make);
}

/** A walk stays with the revision that it began with; at an earlier one it is refused. */
async function readDataset(
  context: ServerContext,
  request: DatasetRequest,
  at?: number,
): Promise<HttpResponse> {
  const { dataset, target, plan, format, includeTotal } = request;
  const { selection } = plan;
  const { asOf = at } = selection;
  if (at !== undefined && asOf !== undefined && at < asOf) return CURSOR_TOO_NEW_RESPONSE;
  const lines = format !== 'json';
  const past = asOf === undefined ? {} : { asOf };
  const found = await context.reader.read({ ...selection, asNdjson: lines, ...past });
  const total = includeTotal ? await context.countTotal(selection, found.revision) : undefined;
  const result = total === undefined ? found : { ...found, total };
  const modified = await context.findLastChange(dataset.name, result.revision);
  const links = createCursorLinks(target, plan, result, context.cursors);
  return createDataResponse({ source: dataset, result, format, modified, links });
}

const CURSOR_TOO_NEW_RESPONSE = errorResponse(createHttpError('later_cursor'));
