import type { SignIn } from '../../shared/sign-in.ts';
import { signIn, signOut } from './session.ts';
import { StoredItem } from './stored-item.ts';

/** What the tab has to remember while its visitor is at the provider. */
const storedAttempt = new StoredItem(() => sessionStorage, 'tenor-sign-in');

interface Attempt {
  readonly state: string;
  readonly verifier: string;
  /** Path, query and fragment of the page that asked to sign in. */
  readonly returnTo: string;
}

/** How to sign in at an OpenID provider; undefined if the service has none. */
export async function fetchSignIn(): Promise<SignIn | undefined> {
  const response = await fetch('sign-in.json').catch(() => undefined);
  if (!response?.ok) return undefined;
  return ((await response.json()) as SignIn | null) ?? undefined;
}

/** Leaves for the provider, which leads back with a code (OAuth 2.0 with PKCE, RFC 7636). */
export async function leaveForProvider(options: SignIn): Promise<void> {
  const [state, verifier] = [createRandomText(), createRandomText()];
  const returnTo = location.pathname + location.search + location.hash;
  storedAttempt.set(JSON.stringify({ state, verifier, returnTo } satisfies Attempt));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(options.authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: getRedirectUri(),
    scope: options.scope,
    state,
    code_challenge: encodeBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...getAudience(options),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Signs in with the code in the URL, if the provider has led back to this page. */
export async function signInFromProvider(): Promise<void> {
  const answer = new URLSearchParams(location.search);
  const attempt = JSON.parse(storedAttempt.get() ?? 'null') as Attempt | null;
  if (!attempt || answer.get('state') !== attempt.state) return;
  storedAttempt.set(undefined);
  history.replaceState(history.state, '', attempt.returnTo);
  const code = answer.get('code');
  if (code === null) return signOut(describeRefusal(answer));
  const options = await fetchSignIn();
  const token = options && (await fetchToken(options, code, attempt.verifier));
  if (token === undefined) signOut('The provider did not give a token. Try again in a moment.');
  else signIn(token);
}

async function fetchToken(
  options: SignIn,
  code: string,
  verifier: string,
): Promise<string | undefined> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: getRedirectUri(),
    client_id: options.clientId,
    code_verifier: verifier,
    ...getAudience(options),
  });
  const response = await fetch(options.tokenEndpoint, { method: 'POST', body }).catch(
    () => undefined,
  );
  if (!response?.ok) return undefined;
  const { access_token } = (await response.json()) as { readonly access_token?: unknown };
  return typeof access_token === 'string' ? access_token : undefined;
}

/** Providers know either of the two (RFC 8707), and ignore the other. */
function getAudience({ audience }: SignIn): Readonly<Record<string, string>> {
  return URL.canParse(audience) ? { audience, resource: audience } : { audience };
}

function describeRefusal(answer: URLSearchParams): string {
  const reason = answer.get('error_description') ?? answer.get('error');
  return `The provider did not sign you in${reason === null ? '' : `: ${reason.slice(0, 200)}`}.`;
}

/** The page itself, without query: a provider knows it as the only address that it leads back to. */
function getRedirectUri(): string {
  return location.origin + location.pathname;
}

function createRandomText(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function encodeBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
