import type { CustomRoute } from '../../http/pipeline/route.ts';
import {
  computeEtag,
  createJsonHeaders,
  FORBIDDEN_RESPONSE,
} from '../../http/responses/response.ts';
import { listSharedTokens } from '../../tokens/shared-tokens.ts';
import type { TokenRegistry } from '../../tokens/token-registry.ts';
import { followOperation } from './follow-operation.ts';

/** Shares keys with followers, and tokens with those whose token was made for that. */
export function createFollowRoute({ readAll }: Pick<TokenRegistry, 'readAll'>): CustomRoute {
  const { path, parameters } = followOperation;
  return {
    path,
    parameters,
    isPolled: true,
    async respond({ principal, database }) {
      if (principal.isOfProvider) return FORBIDDEN_RESPONSE;
      const { cursors, links } = database;
      const data = {
        cursorKey: encode(cursors.key),
        linkKeys: links.verifyingKeys.map(encode),
        ...(principal.mayFollowTokens && { tokens: listSharedTokens(await readAll(), principal) }),
      };
      const body = JSON.stringify({ status: 'ok', data });
      const etag = computeEtag(body);
      const headers = createJsonHeaders('no-store');
      headers.set('ETag', etag);
      return { status: 200, body, headers, revision: null, validators: { etag } };
    },
  };
}

const encode = (key: Uint8Array) => Buffer.from(key).toString('base64url');
