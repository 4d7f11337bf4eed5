import { Connection } from '../../clients/typescript/src/connection.ts';
import type { TenorError } from '../../clients/typescript/src/errors.ts';
import { resolveOptions } from '../../clients/typescript/src/options.ts';
import type { FollowSource } from './follower.ts';

const TIMEOUT_MS = 30_000;

/** The source of a URL. */
export function openSource(url: string, token = 'none'): FollowSource {
  const options = resolveOptions({
    baseUrl: url,
    token,
    timeoutMs: TIMEOUT_MS,
    cacheCharacters: 0,
    fetch: fetchBody,
  });
  const limits = { tries: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY };
  const connection = new Connection({ ...options, ...limits, shouldRetry });
  return {
    name: options.base.href,
    async open() {
      // An older one may have taken its place, which its log tells.
      const current = connection.withoutSeenRevision();
      return (path, mediaType) => current.open(new URL(`.${path}`, options.base), mediaType, {});
    },
  };
}

/** Everything else is tried again by looking at the source again. */
function shouldRetry({ kind }: TenorError): boolean {
  return kind === 'too_many_requests';
}

/** With the whole body, so that the timeout holds for it too. */
async function fetchBody(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
}
