import type { SignIn } from '../../../shared/sign-in.ts';
import type { DocumentRoute } from '../../pipeline/route.ts';
import { createJsonHeaders } from '../../responses/response.ts';

/** How a page signs in at an OpenID provider: null if it cannot. */
export function createSignInRoute(
  getSignIn: () => SignIn | undefined = () => undefined,
): DocumentRoute {
  return {
    path: '/sign-in.json',
    getDocument() {
      const body = new Blob([JSON.stringify(getSignIn() ?? null)]);
      return { status: 200, body, headers: createJsonHeaders('no-cache'), revision: null };
    },
  };
}
