const CREDENTIAL_PATTERN = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;
const hashSha256 = (token: string) => Bun.SHA256.hash(token, 'hex');

/**
 * Creates a check whether a request has a token, as Tenor has it: a token is hashed until it was
 * accepted once. `hash` is replaced in tests.
 */
export function createTokenCheck(
  acceptedToken: string,
  hash: (token: string) => string = hashSha256,
): (request: Request) => boolean {
  const digests = new Set([hash(acceptedToken)]);
  const accepted = new Set<string>();
  const isAccepted = (token: string) => {
    const isKnown = digests.has(hash(token));
    if (isKnown) accepted.add(token);
    return isKnown;
  };
  return (request) => {
    const token = CREDENTIAL_PATTERN.exec(request.headers.get('authorization') ?? '')?.[1];
    return token !== undefined && (accepted.has(token) || isAccepted(token));
  };
}

/** Serves on a free port, whose address it prints, what a handler responds to the token in TOKEN. */
export function serveBaseline(
  respond: (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>,
): void {
  const isAuthorized = createTokenCheck(process.env.TOKEN ?? '');
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    fetch: (request, server) =>
      isAuthorized(request) ? respond(request, server) : new Response(null, { status: 401 }),
  });
  console.log(`http://127.0.0.1:${server.port}`);
}
