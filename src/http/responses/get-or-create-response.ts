import type { ServerContext } from '../server-context.ts';
import type { HttpResponse } from './response.ts';

/** The answer that was given before, as long as its revision stands, or a new one. */
export function getOrCreateResponse(
  { memory, collect }: Pick<ServerContext, 'memory' | 'collect'>,
  key: string,
  make: () => Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  const known = memory.get(key);
  if (known) return known;
  return make().then((answer) => {
    memory.keep(key, answer);
    collect(answer.body?.size ?? 0);
    return answer;
  });
}
