import { schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';

/** Gives followers what makes them agree with their source on cursors, tokens and links. */
export const followOperation = {
  name: 'shared-keys',
  path: '/follow',
  title: 'Keys, tokens and links for followers',
  description:
    'What a server needs that follows this one (`FOLLOW`), so that clients can go from one to the other: the key that signs cursors, the keys that verify signed links, and, for a token that was made by `tenor token create … --may-follow-tokens`, all tokens and links, as digests of secrets that are 256 random bits. Their scopes are limited to those of that token; links that need more are left out. `API_TOKEN` is not among them, since it may be guessed by its digest; nor are subjects of single sign-on, who get 403 here. A holder of the first key can make cursors, and with them gets nothing that its token may not read; nothing else can be signed with what is here.',
  parameters: {},
  dataSchema: schema.object(
    {
      cursorKey: schema.string('Signs cursors, in base64url'),
      linkKeys: schema.array(
        'Verify signed links: public keys of Ed25519, in base64url',
        schema.string('A key'),
      ),
      tokens: schema.array('Tokens and links; absent without that right', {
        type: 'object',
        description:
          'Id, name, digest (SHA-256 of the secret), scopes, rate, when it expires and was revoked, the target of a link, rights, and whether it ends because its own source was not reached',
      }),
    },
    ['tokens'],
  ),
  example: {
    cursorKey: 'qVZ0…',
    linkKeys: ['11qY…'],
    tokens: [{ id: 'tk_4f1c0d2e9a7b', name: 'ann', digest: 'e3b0c442…', scopes: ['quotes'] }],
  },
} as const satisfies Operation;
