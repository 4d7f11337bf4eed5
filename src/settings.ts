import { parseRate, RATE_REQUIREMENT } from './rate.ts';
import { TOKEN_PATTERN } from './tokens/token-secret.ts';

/** A setting, declared once: this list feeds parsing, `tenor settings` and the docs. */
export interface Setting<T = unknown> {
  readonly variable: string;
  readonly fallback: string | undefined;
  readonly help: string;
  /** What is allowed, in words that follow "must be". */
  readonly rule: string;
  readonly secret?: true;
  /** The value, or undefined where the text is not allowed. */
  readonly read: (text: string) => T | undefined;
}

export const SETTINGS = {
  host: defineSetting({
    variable: 'HOST',
    fallback: '127.0.0.1',
    help: 'Address to listen on',
    rule: 'a host name or an address',
    read: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  port: defineSetting({
    variable: 'PORT',
    fallback: '8080',
    help: 'Port to listen on; 0 for any free one',
    rule: 'a whole number from 0 to 65535',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  }),
  workers: defineSetting({
    variable: 'WORKERS',
    fallback: '1',
    help: 'Processes that serve together on the one port',
    rule: 'a whole number from 1 to 64, and 1 where the system is not Linux',
    read: (text) => {
      const isAllowed = /^([1-9]|[1-5]\d|6[0-4])$/.test(text);
      // Elsewhere one process would get every connection, and the others none.
      return isAllowed && (text === '1' || process.platform === 'linux') ? Number(text) : undefined;
    },
  }),
  databaseUrl: defineSetting({
    variable: 'DATABASE_URL',
    fallback: 'sqlite:data/tenor.db',
    help: 'Where the data is kept',
    rule: 'sqlite: and the path of a file, such as sqlite:data/tenor.db, or postgres://user:password@host:port/database',
    read: (text) => (/^sqlite:[^:?]+$/.test(text) || isPostgresUrl(text) ? text : undefined),
  }),
  databaseReplicas: defineSetting({
    variable: 'DATABASE_REPLICAS',
    fallback: '',
    help: 'Servers that follow the one in DATABASE_URL, and are read from',
    rule: 'addresses of PostgreSQL as in DATABASE_URL, with a comma between two',
    read: (text) => {
      const urls = text === '' ? [] : text.split(',').map((url) => url.trim());
      return urls.every(isPostgresUrl) ? urls : undefined;
    },
  }),
  databasePool: defineSetting({
    variable: 'DATABASE_POOL',
    fallback: '8',
    help: 'Connections to each PostgreSQL server that the requests of a process share',
    rule: 'a whole number from 1 to 500',
    read: (text) => (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 500 ? Number(text) : undefined),
  }),
  apiToken: defineSetting({
    variable: 'API_TOKEN',
    fallback: undefined,
    help: 'A token that is accepted beside the issued ones',
    rule: 'letters, digits and . _ ~ + / - only, with = at the end at most',
    secret: true,
    read: (text) => (TOKEN_PATTERN.test(text) ? text : undefined),
  }),
  sampleData: defineSetting({
    variable: 'SAMPLE_DATA',
    fallback: 'on',
    help: 'Whether an empty database is filled with made-up data',
    rule: 'on or off',
    read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
  }),
  rateLimit: defineSetting({
    variable: 'RATE_LIMIT',
    fallback: '60000/min',
    help: "Requests that each token may make; a token's own rate wins",
    rule: RATE_REQUIREMENT,
    read: parseRate,
  }),
} as const;

type SettingValues = {
  readonly [Name in keyof typeof SETTINGS]: SettingValue<(typeof SETTINGS)[Name]>;
};
type SettingValue<S> = S extends Setting<infer T> ? T : never;
export type Settings = Omit<SettingValues, 'apiToken'> & { readonly apiToken?: string };

/** A setting that is not allowed; the message is one line that names it. */
export class InvalidSettingError extends Error {}

/** Reads every setting from the environment; an empty variable counts as absent. */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, { variable, fallback, rule, secret, read }] of Object.entries(SETTINGS)) {
    const text = environment[variable] || fallback;
    if (text === undefined) continue;
    const value = (read as Setting['read'])(text);
    if (value === undefined) {
      const given = secret ? '' : `, not "${redactCredentials(text)}"`;
      throw new InvalidSettingError(`${variable} must be ${rule}${given}`);
    }
    values[name] = value;
  }
  return values as unknown as Settings;
}

/** A value as it may be shown: without the users and passwords of addresses. */
export function redactCredentials(value: string): string {
  // A password may have been written with anything in it, so that all goes up to the last @.
  const shown = value.split(/,(?=\s*postgres)/).map((url) => url.replace(/\/\/.*@/s, '//***@'));
  return shown.join(',').replace(/(password=)[^&,]*/gi, '$1***');
}

/** Whether a text is the address of a database on a PostgreSQL server. */
function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\/./.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return hostname !== '' && /^\/[^/@]+$/.test(pathname);
}

function defineSetting<T>(declaration: Setting<T>): Setting<T> {
  return declaration;
}
