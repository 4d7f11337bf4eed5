export interface LinkResponses {
  readonly data: readonly unknown[];
  readonly revision: number;
  /** Whether more records match than a link serves. */
  readonly isCut: boolean;
}

export interface LinksState {
  readonly responses?: LinkResponses;
  readonly problem?: string;
  /** Whether the next attempt may succeed. */
  readonly isTransient?: boolean;
}

/** Reads access links of the service below a URL; reports problems instead of throwing. */
export async function readLinks(baseUrl: URL, secrets: readonly string[]): Promise<LinksState> {
  try {
    const responses = await Promise.all(
      secrets.map((secret) => readLink(new URL(`links/${encodeURIComponent(secret)}`, baseUrl))),
    );
    return {
      responses: {
        data: responses.map(({ data }) => data),
        revision: Math.max(...responses.map(({ revision }) => revision)),
        isCut: responses.some(({ isCut }) => isCut),
      },
    };
  } catch (cause) {
    if (cause instanceof LinkError) return { problem: cause.message };
    return { problem: 'The service does not respond; retrying.', isTransient: true };
  }
}

/** A problem that retrying cannot solve. */
class LinkError extends Error {}

async function readLink(url: URL) {
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { headers, credentials: 'omit', cache: 'no-cache' });
  // The response may be a proxy's own page.
  if (response.status >= 500 || response.status === 429) throw new Error(response.statusText);
  if (response.status === 404)
    throw new LinkError('This link is unknown: it may be mistyped, revoked or expired.');
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    throw new LinkError('This link serves a format other than JSON: create it without “format”.');
  const { status, message, data } = (await response.json()) as {
    readonly status: string;
    readonly message?: string;
    readonly data?: unknown;
  };
  if (status !== 'ok') throw new LinkError(`The service says: ${message}.`);
  return {
    data,
    revision: Number(response.headers.get('tenor-revision')),
    // The first of several pages.
    isCut: response.headers.get('link')?.includes('rel="first"') ?? false,
  };
}
