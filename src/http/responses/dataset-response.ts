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
  readonly form: ResponseFormatName;
  /** Whether it is to be told how many records match in all. */
  readonly counted: boolean;
}

/** What an answer is remembered under. No target has a space, so none is taken for another. */
export function getResponseCacheKey({
  target,
  form,
  counted,
}: Omit<DatasetRequest, 'plan' | 'dataset'>): string {
  if (form === 'json' && !counted) return target;
  return `${target} ${form}${counted ? ' counted' : ''}`;
}

/**
 * An answer, read and made anew: as the data stands, or as it stood at a revision. Other forms than
 * JSON wait for their turn; another request may have made the same one until then.
 */
export function createDatasetResponse(
  service: ServerContext,
  wanted: DatasetRequest,
  at?: number,
): Promise<HttpResponse> {
  return enqueueUnlessJson(service, wanted.form, async () => {
    const known = at === undefined ? service.memory.get(getResponseCacheKey(wanted)) : undefined;
    return known ?? readDataset(service, wanted, at);
  });
}

/** Makes an answer in a form: JSON at once, the others a few at a time. */
export function enqueueUnlessJson(
  { making }: Pick<ServerContext, 'making'>,
  form: ResponseFormatName,
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return form === 'json' ? make() : making(make);
}

/** A walk stays with the revision that it began with; at an earlier one it is refused. */
async function readDataset(
  service: ServerContext,
  wanted: DatasetRequest,
  at?: number,
): Promise<HttpResponse> {
  const { dataset, target, plan, form, counted } = wanted;
  const { selection } = plan;
  const { asOf = at } = selection;
  if (at !== undefined && asOf !== undefined && at < asOf) return CURSOR_TOO_NEW_RESPONSE;
  const lines = form !== 'json';
  const past = asOf === undefined ? {} : { asOf };
  const found = await service.reader.read({ ...selection, lines, ...past });
  const total = counted ? await service.totals(selection, found.revision) : undefined;
  const reading = total === undefined ? found : { ...found, total };
  const modified = await service.changed(dataset.name, reading.revision);
  const links = createCursorLinks(target, plan, reading, service.cursors);
  return createDataResponse({ origin: dataset, reading, form, modified, links });
}

const CURSOR_TOO_NEW_RESPONSE = errorResponse(createHttpError('later_cursor'));
