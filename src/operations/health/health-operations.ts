import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';

/** Why a service cannot answer requests with data. Anybody may read it: it names no server. */
export const UNAVAILABLE_REASONS = {
  starting: 'The service is starting',
  unresponsive: 'None of its worker processes responds',
  stopping: 'The service is stopping; it answers what arrives on open connections',
  store_unreachable: 'The database cannot be read: no server answers, or the file is missing',
  store_migrated:
    'A newer version has migrated the database; the service ends, to be started in it',
  data_damaged:
    'Some of the stored data is damaged, which requests get 503 for; tenor check lists the faults',
  catching_up: 'The service follows another one, and has no revision of it yet',
  threads_hung:
    'Background threads hang: large pages and exports get 503 until the service is started again',
} as const;

export type UnavailableReason = keyof typeof UNAVAILABLE_REASONS;

/** How a service that follows another one may be. */
export const FOLLOW_STATES = {
  following: 'It serves all that its source had when it last looked',
  behind: 'It gets what it lacks, or has not looked yet',
  unreachable: 'The source does not answer, rejects the token, or has nothing yet',
  stopped: 'What the source has is not taken up; a person has to look',
} as const;

export type FollowState = keyof typeof FOLLOW_STATES;

/** What is valid on a service that follows another one, besides its own tokens and links. */
export const SHARING_STATES = {
  tokens: 'Tokens, links and cursors of the source',
  cursors:
    'Cursors of the source; its tokens and links are not, because FOLLOW_TOKEN was made without --may-follow-tokens',
  nothing: 'Nothing of the source, which is a mirror, or of an earlier release',
  unconfirmed:
    'Tokens, links and cursors of the source, which cannot be asked: once that has lasted 15 minutes, its tokens and links get 503',
} as const;

export type SharingState = keyof typeof SHARING_STATES;

/** Present if the service follows another one. */
const FOLLOW_SCHEMA = schema.object(
  {
    state: schema.choice(Object.keys(FOLLOW_STATES)),
    sourceRevision: {
      ...schema.integer('The newest revision of the source when it last looked; null before'),
      type: ['integer', 'null'],
    },
    problem: { type: 'string', description: 'What is wrong, if it is unreachable or stopped' },
    sharing: schema.choice(
      Object.keys(SHARING_STATES),
      'What else than its own is valid here; absent until it is known',
    ),
  },
  ['problem', 'sharing'],
);

/** What is amiss while most requests, or all, can be answered. */
export const READINESS_WARNINGS = {
  reserve_missing:
    'The file that keeps space for revoking a token on a full disk is missing or too small; the next start, or use of a token, makes it again if there is space',
  worker_lost:
    'A worker of the database cluster does not answer; requests for what it holds get 503, all others their responses',
} as const;

export type ReadinessWarning = keyof typeof READINESS_WARNINGS;

const WARNINGS_SCHEMA = schema.array(
  listTexts(READINESS_WARNINGS).join('\n'),
  schema.choice(Object.keys(READINESS_WARNINGS)),
);

/** The health checks of balancers and orchestrators; they need no token. */
export interface HealthOperation
  extends Pick<Operation, 'name' | 'path' | 'title' | 'description'> {
  /** Body and schema by HTTP status. */
  readonly responses: Readonly<
    Record<number, { readonly schema: JsonSchema; readonly example: object }>
  >;
}

export const liveOperation: HealthOperation = {
  name: 'live',
  path: '/live',
  title: 'Whether the process runs',
  description: 'For whoever restarts a process that hangs: 200 while it answers at all.',
  responses: {
    200: { schema: schema.object({ status: { const: 'live' } }), example: { status: 'live' } },
  },
};

export const readyOperation: HealthOperation = {
  name: 'ready',
  path: '/ready',
  title: 'Whether requests can be answered with data',
  description: [
    'For balancers: 200 with the newest revision, or 503 with the reasons:',
    ...listTexts(UNAVAILABLE_REASONS),
    '',
    'Either may have `warnings`:',
    ...listTexts(READINESS_WARNINGS),
    '',
    'A service that follows another one has `follow`, also with 200, whose state is one of:',
    ...listTexts(FOLLOW_STATES),
    '',
    'Its `sharing` says what is valid besides tokens and links that were made here:',
    ...listTexts(SHARING_STATES),
  ].join('\n'),
  responses: {
    200: {
      schema: schema.object(
        {
          status: { const: 'ready' },
          revision: schema.integer('The newest revision; 0 before the first'),
          warnings: WARNINGS_SCHEMA,
          follow: FOLLOW_SCHEMA,
        },
        ['warnings', 'follow'],
      ),
      example: { status: 'ready', revision: 42 },
    },
    503: {
      schema: schema.object(
        {
          status: { const: 'unavailable' },
          reasons: {
            type: 'array',
            minItems: 1,
            items: schema.choice(Object.keys(UNAVAILABLE_REASONS)),
          },
          damaged: schema.array(
            'The names of damaged datasets; ledger for reads as of a revision, * for everything',
            { type: 'string' },
          ),
          warnings: WARNINGS_SCHEMA,
          follow: FOLLOW_SCHEMA,
        },
        ['damaged', 'warnings', 'follow'],
      ),
      example: { status: 'unavailable', reasons: ['store_unreachable'] },
    },
  },
};

function listTexts(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).map(([name, text]) => `- \`${name}\`: ${text}.`);
}

export const HEALTH_OPERATIONS: readonly HealthOperation[] = [liveOperation, readyOperation];
