import { schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Parameter } from '../../catalogue/model/parameter.ts';
import { parseDuration } from '../../shared/duration.ts';

/** Before the secret of a link. */
export const LINK_PATH_PREFIX = '/links/';

/** Responds to the secret of a link with its target, without a token. */
export const linkOperation = {
  name: 'link',
  path: `${LINK_PATH_PREFIX}{secret}`,
  title: 'The target of a link',
  description:
    'What `tenor link create` made the link for: one request for data, for programs that can send no token. The response is the one that the target gets with a token, whatever `Accept`, `Accept-Datetime` and `Prefer` say: in the format that the target names, else as JSON. Where more records match than were sent, `Link` has `<>; rel="first"`, and no cursor: give the target a higher `limit`. A link takes no parameters and has a rate limit of its own. One that is revoked, has expired or never was gets the same 404. An address that a token has signed (`/links/sign`) is the same, but draws on the rate of its token and needs its scopes.',
} as const;

const MAX_LIFETIME_MS = 3_650 * 86_400_000;

/** Gives an address that serves a target without a token, and stores nothing. */
export const signLinkOperation = {
  name: 'link-signature',
  path: `${LINK_PATH_PREFIX}sign`,
  tag: 'links',
  title: 'An address that serves a target without a token',
  description:
    'Signs an address for that target and this token, until it expires: for spreadsheets, frames and colleagues. It ends with its token, needs the scopes of the token at each use, and draws on its rate. Nothing is stored, so that it cannot be revoked alone. Only tokens that may share can sign (`tenor token create --may-share`); subjects of single sign-on cannot.',
  parameters: {
    target: {
      description: 'A request for data, as `tenor link create` takes it',
      requirement: 'path and query of a request, percent-encoded as one value',
      schema: { type: 'string', minLength: 1 },
      example: '/2.0/bnb/quote?type=tbill&format=csv',
      isRequired: true,
      parse: (text) => (/^\/[!-~]{0,2000}$/.test(text) ? text : undefined),
    } satisfies Parameter<string>,
    expires: {
      description: 'How long the address serves; never longer than the token is valid',
      requirement: 'a time such as 90d, 12h or 30min, up to 3650d',
      schema: { type: 'string', pattern: '^[0-9]{1,6}(s|sec|min|h|hour|d|day)$' },
      example: '90d',
      isRequired: true,
      parse(text) {
        const ms = parseDuration(text);
        return ms && ms <= MAX_LIFETIME_MS ? ms : undefined;
      },
    } satisfies Parameter<number>,
  },
  dataSchema: schema.object({
    address: schema.string('Path of the address on this server'),
    expires: schema.instant('Until when it serves'),
  }),
  example: { address: '/links/signed.WyJ0a18…', expires: '2027-02-17T09:00:00.000Z' },
} as const satisfies Operation;
