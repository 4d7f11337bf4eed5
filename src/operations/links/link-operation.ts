/** Before the secret of a link. */
export const LINK_PATH_PREFIX = '/links/';

/** Responds to the secret of a link with its target, without a token. */
export const linkOperation = {
  name: 'link',
  path: `${LINK_PATH_PREFIX}{secret}`,
  title: 'The target of a link',
  description:
    'What `tenor link create` made the link for: one request for data, for programs that can send no token. The response is the one that the target gets with a token, whatever `Accept`, `Accept-Datetime` and `Prefer` say: in the format that the target names, else as JSON. Where more records match than were sent, `Link` has `<>; rel="first"`, and no cursor: give the target a higher `limit`. A link takes no parameters and has a rate limit of its own. One that is revoked, has expired or never was gets the same 404.',
} as const;
