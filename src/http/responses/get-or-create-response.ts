import type { ServerContext } from '../server-context.ts';
import type { HttpResponse } from './response.ts';

/** The answer that was given before, as long as its revision stands, or a new one. */
export function getOrCreateResponse(
  {
    responseCache,
    reportAllocatedBytes,
  }: Pick<ServerContext, 'responseCache' | 'reportAllocatedBytes'>,
  key: string,
  make: () => Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  const cached = responseCache.get(key);
  if (cached) return cached;
  return make().then((response) => {
    responseCache.set(key, response);
    reportAllocatedBytes(response.body?.size ?? 0);
    return response;
  });
}
