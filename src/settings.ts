import { readFileSync } from 'node:fs';
import { parseDuration } from './shared/duration.ts';
import { getEditDistance } from './shared/edit-distance.ts';
import { parseAddressRanges } from './shared/ip-address.ts';
import { isUsablePostgresUrl } from './shared/postgres-url.ts';
import { isProviderUrl } from './shared/provider-url.ts';
import { parseRate, RATE_REQUIREMENT } from './shared/request-rate.ts';
import { isWebOrigin } from './shared/web-origin.ts';
import { TOKEN_PATTERN } from './tokens/token-secret.ts';

const ADDRESS_LOG_LEVELS = ['errors', 'all'] as const;
const LOG_FORMATS = ['auto', 'json', 'text'] as const;
const REQUEST_LOG_LEVELS = ['all', 'errors', 'off'] as const;

/** Timers cannot run for longer. */
const MAX_SCRUB_INTERVAL_MS = 24 * 86_400_000;

const AGENCY_PATTERN = /^(?=.{1,100}$)[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*$/;

/** A setting, for parsing, `tenor settings` and the docs. */
export interface Setting<T = unknown> {
  readonly variable: string;
  readonly defaultText: string | undefined;
  readonly description: string;
  /** Follows "must be" in messages. */
  readonly requirement: string;
  /** Whether its value is never shown. */
  readonly secret?: true;
  /** Whether it may be, or contain, a secret: `NAME_FILE` can then name a file with its value. */
  readonly mayBeInFile?: true;
  /** The value, or undefined if the text is invalid. */
  readonly parse: (text: string) => T | undefined;
}

export const SETTINGS = defineSettings({
  host: {
    defaultText: '127.0.0.1',
    description: 'Address to listen on',
    requirement: 'a host name or an address',
    parse: parseHost,
  },
  port: {
    defaultText: '8080',
    description: 'Port to listen on; 0 for any free one',
    requirement: 'a whole number from 0 to 65535',
    parse: parsePort,
  },
  adminPort: {
    defaultText: 'off',
    description: 'Port of /metrics, /live and /ready for operators; 0 for any free one',
    requirement: 'off, or a whole number from 0 to 65535 other than PORT',
    parse: (text) => (text === 'off' ? null : parsePort(text)),
  },
  adminHost: {
    defaultText: '127.0.0.1',
    description: 'Address that ADMIN_PORT listens on; no token is needed',
    requirement: 'a host name or an address',
    parse: parseHost,
  },
  workers: {
    defaultText: '1',
    description: 'Processes that share the port',
    requirement: 'a whole number from 1 to 64, or 1 if the system is not Linux',
    // On other systems, one process would get every connection.
    parse: (text) => parseCount(text, process.platform === 'linux' ? 64 : 1),
  },
  drainSeconds: {
    defaultText: '0',
    description:
      'Seconds for which a stopping server responds 503 on /ready and serves all other requests, so that load balancers switch to other servers; a second signal ends the wait',
    requirement: 'a whole number from 0 to 300',
    parse: (text) => (text === '0' ? 0 : parseCount(text, 300)),
  },
  tlsCert: {
    defaultText: '',
    description:
      'PEM file with the server certificate and those of its issuers; with TLS_KEY, the server uses HTTPS. Reloaded when it changes',
    requirement: 'the path of a file',
    parse: (text) => text,
  },
  tlsKey: {
    defaultText: '',
    description: 'PEM file with the private key of the certificate in TLS_CERT',
    requirement: 'the path of a file',
    parse: (text) => text,
  },
  trustedProxies: {
    defaultText: '',
    description:
      'Proxies whose X-Forwarded-For or Forwarded headers are trusted for limits and logs',
    requirement: 'comma-separated addresses or ranges such as 10.0.0.0/8 or ::1',
    parse: (text) => (text === '' ? null : parseAddressRanges(text)),
  },
  mcpOrigins: {
    defaultText: 'https://pro.openbb.co',
    description:
      'Origins of web pages, besides those of this computer, that may send messages to /mcp, such as OpenBB Workspace. Programs send no origin',
    requirement: 'comma-separated origins such as https://example.com',
    parse: parseOrigins,
  },
  sdmxAgency: {
    defaultText: 'TENOR',
    description: 'Agency that maintains the dataflows and code lists of /sdmx, by its id in SDMX',
    requirement:
      'letters, digits, _ and -, beginning with a letter, or several such with dots between',
    parse: (text) => (AGENCY_PATTERN.test(text) ? text : undefined),
  },
  databaseUrl: {
    defaultText: 'sqlite:data/tenor.db',
    description:
      'The database; a path is relative to the working directory, and only the default folder is created',
    requirement:
      'sqlite: followed by the path of a file, such as sqlite:data/tenor.db, or postgres://user:password@host:port/database',
    mayBeInFile: true,
    parse: (text) => (/^sqlite:[^:?]+$/.test(text) || isUsablePostgresUrl(text) ? text : undefined),
  },
  databaseReplicas: {
    defaultText: '',
    description: 'Replicas of the server in DATABASE_URL, used for reading',
    requirement: 'comma-separated PostgreSQL addresses as in DATABASE_URL',
    mayBeInFile: true,
    parse: (text) => parseList(text, isUsablePostgresUrl),
  },
  databasePool: {
    defaultText: '8',
    description: 'Connections from each process to each PostgreSQL server',
    requirement: 'a whole number from 1 to 500',
    parse: (text) => parseCount(text, 500),
  },
  ledgerName: {
    defaultText: '',
    description:
      'Name of the transparency log, such as prices.example.org/ledger, for the publication that creates it; by default tenor/ and 16 random digits',
    requirement: 'up to 200 characters without spaces or +',
    parse: (text) => (/^[^\s+\p{Cc}]{0,200}$/u.test(text) ? text : undefined),
  },
  follow: {
    defaultText: '',
    description:
      'Server or mirror to follow: this server applies its revisions, verified against its transparency log, and publishes nothing of its own',
    requirement:
      'an address such as https://tenor.example without a user or password, s3://bucket/prefix, or the path of a folder',
    parse: (text) => (/^(?!\w+:)|^(https?|s3):\/\/[^@/?#]+[^@?#]*$/i.test(text) ? text : undefined),
  },
  followToken: {
    defaultText: undefined,
    description: 'Token for the server in FOLLOW; its scopes decide which datasets are followed',
    requirement: 'letters, digits and . _ ~ + / - only, optionally followed by =',
    secret: true,
    mayBeInFile: true,
    parse: (text) => (TOKEN_PATTERN.test(text) ? text : undefined),
  },
  followKey: {
    defaultText: '',
    description:
      'Verifier key that the publisher of FOLLOW has announced; by default, the first one seen',
    requirement: 'a verifier key such as name+12345678+AbCd…',
    parse: (text) => (/^([^\s+]+\+[0-9a-f]{8}\+[\w+/=]+)?$/.test(text) ? text : undefined),
  },
  apiToken: {
    defaultText: undefined,
    description:
      'A token that is accepted in addition to the issued ones; at least 16 characters unless HOST is local',
    requirement: 'letters, digits and . _ ~ + / - only, optionally followed by =',
    secret: true,
    mayBeInFile: true,
    parse: (text) => (TOKEN_PATTERN.test(text) ? text : undefined),
  },
  oidcIssuer: {
    defaultText: '',
    description:
      'OpenID providers whose access tokens are accepted, if they are JWTs (RS256, ES256 or EdDSA) for OIDC_AUDIENCE',
    requirement:
      'comma-separated issuers such as https://id.example.org; http only on this machine',
    parse: (text) => parseList(text, isProviderUrl),
  },
  oidcAudience: {
    defaultText: '',
    description: 'The audience (aud) that tokens of OIDC_ISSUER must have',
    requirement: 'a text without spaces, which OIDC_ISSUER needs',
    parse: (text) => (/^[!-~]*$/.test(text) ? text : undefined),
  },
  oidcScopes: {
    defaultText: 'scope',
    description:
      'The claim of tokens of OIDC_ISSUER whose words are their scopes, or what its values stand for',
    requirement:
      'a claim such as scope or realm_access.roles, or claim:value=scope,value=scope, where * stands for every scope',
    parse: parseScopeClaim,
  },
  oidcClientId: {
    defaultText: '',
    description:
      'The client (client_id) as which the explorer signs in at the first provider of OIDC_ISSUER, by authorization code with PKCE',
    requirement: 'a text without spaces',
    parse: (text) => (/^[!-~]*$/.test(text) ? text : undefined),
  },
  sampleData: {
    defaultText: 'on',
    description: 'Whether an empty database is filled with made-up data',
    requirement: 'on or off',
    parse: parseSwitch,
  },
  scrubInterval: {
    defaultText: '15min',
    description:
      'How often all stored data is checked against its checksums in the background, by 2 % of a core',
    requirement: 'a time from 1s to 24d such as 15min or 12h, or off',
    parse: (text) => {
      if (text === 'off') return null;
      const ms = parseDuration(text) ?? 0;
      return ms >= 1_000 && ms <= MAX_SCRUB_INTERVAL_MS ? ms : undefined;
    },
  },
  logRequests: {
    defaultText: 'all',
    description: 'Which requests are logged: all, errors (status 400 and above), or none with off',
    requirement: 'all, errors or off',
    parse: (text) => REQUEST_LOG_LEVELS.find((level) => level === text),
  },
  logAddresses: {
    defaultText: 'all',
    description:
      'Which request log lines have the client address: all, or only those of errors, slow requests and requests without a token, which saves a microsecond',
    requirement: 'all or errors',
    parse: (text) => ADDRESS_LOG_LEVELS.find((level) => level === text),
  },
  logSlowMs: {
    defaultText: '1000',
    description:
      'Requests that take at least this many milliseconds are logged with the time of each phase, whatever LOG_REQUESTS is; off for none',
    requirement: 'a whole number from 1 to 999999, or off',
    parse: (text) => (text === 'off' ? Number.POSITIVE_INFINITY : parseCount(text, 999_999)),
  },
  logFormat: {
    defaultText: 'auto',
    description:
      'Log lines as json, or as text for people; auto is text on a terminal, json elsewhere',
    requirement: 'auto, json or text',
    parse: (text) => LOG_FORMATS.find((format) => format === text),
  },
  exportCache: {
    defaultText: '2GB',
    description:
      'How much disk space the files of /exports may take, each of which is created once, and their folder; by default, exports in the cache folder of the database',
    requirement:
      'off, a size such as 500MB or 2GB, or a folder and a size such as /var/cache/tenor,10GB',
    parse: parseExportCache,
  },
  auditLog: {
    defaultText: '',
    description:
      'File that gets one line for each read or refused request, before its response is sent; while it cannot be written, reads get 503. It is opened again when it was renamed',
    requirement: 'the path of a file',
    parse: (text) => text,
  },
  rateLimit: {
    defaultText: '60000/min',
    description: "Requests that each token may make; a token's own rate takes precedence",
    requirement: RATE_REQUIREMENT,
    parse: parseRate,
  },
  strictSettings: {
    defaultText: 'off',
    description:
      'Whether an environment variable whose name is nearly that of a setting stops the command, instead of being named',
    requirement: 'on or off',
    parse: parseSwitch,
  },
});

type SettingValues = {
  readonly [Name in keyof typeof SETTINGS]: SettingValue<(typeof SETTINGS)[Name]>;
};
type SettingValue<S> = S extends Setting<infer T> ? T : never;
type SecretName = 'apiToken' | 'followToken';
export type Settings = Omit<SettingValues, SecretName> & {
  readonly [Name in SecretName]?: string;
};

/** An invalid setting; the message is one line that names it. */
export class InvalidSettingError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every setting from the environment; empty variables count as absent. */
export function parseSettings(environment: Environment): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const text = readSetting(setting, environment);
    if (text !== undefined) values[name] = parseSetting(setting, text);
  }
  return values as unknown as Settings;
}

/** The value of a setting; throws an InvalidSettingError that says what is allowed. */
export function parseSetting({ variable, requirement, secret, parse }: Setting, text: string) {
  const value = parse(text);
  if (value !== undefined) return value;
  const suffix = secret ? '' : `, not "${redactCredentials(text)}"`;
  throw new InvalidSettingError(`${variable} must be ${requirement}${suffix}`);
}

/** The text of a setting: that of its variable, of the file that `NAME_FILE` names, or the default. */
export function readSetting(
  { variable, defaultText, mayBeInFile }: Setting,
  environment: Environment,
): string | undefined {
  const text = environment[variable] || undefined;
  const file = mayBeInFile && environment[getFileVariable(variable)];
  if (!file) return text ?? defaultText;
  if (text !== undefined)
    throw new InvalidSettingError(
      `${variable} and ${getFileVariable(variable)} are both set; set one of them`,
    );
  return readSettingFile(getFileVariable(variable), file);
}

export function getFileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** Line ends at the end of the file, which editors and commands write, are not part of the value. */
function readSettingFile(variable: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
    if (text !== '') return text;
  } catch (cause) {
    throw new InvalidSettingError(
      `${variable}: ${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`,
    );
  }
  throw new InvalidSettingError(`${variable}: ${file} is empty`);
}

/** Variables of the environment that are no settings, but whose names are nearly those of settings. */
export function findMistypedSettings(environment: Environment): MistypedSetting[] {
  return Object.keys(environment).flatMap((variable) => {
    if (KNOWN_VARIABLES.has(variable)) return [];
    const name = variable.toUpperCase();
    const nameOfFile = /^(.+)_FILE$/.exec(name)?.[1];
    if (nameOfFile !== undefined && KNOWN_VARIABLES.has(nameOfFile))
      return [{ variable, nearest: nameOfFile }];
    const maxDistance = name.length > LONGEST_SHORT_NAME ? 2 : 1;
    const candidates = [...KNOWN_VARIABLES]
      .filter(({ length }) => Math.abs(length - name.length) <= maxDistance)
      .map((setting) => ({ setting, distance: getEditDistance(name, setting) }))
      .filter(({ distance }) => distance <= maxDistance)
      .sort((a, b) => a.distance - b.distance);
    const [nearest] = candidates;
    return nearest ? [{ variable, nearest: nearest.setting }] : [];
  });
}

export interface MistypedSetting {
  readonly variable: string;
  readonly nearest: string;
}

export function formatMistyped({ variable, nearest }: MistypedSetting): string {
  return `${variable} is not a setting; did you mean ${nearest}?`;
}

/** Of names up to this length, two changed letters would match variables of other programs. */
const LONGEST_SHORT_NAME = 8;

/** Settings, the files of those that may be in one, and the variables of `tenor query`. */
const KNOWN_VARIABLES: ReadonlySet<string> = new Set([
  ...Object.values<Setting>(SETTINGS).flatMap(({ variable, mayBeInFile }) =>
    mayBeInFile ? [variable, getFileVariable(variable)] : [variable],
  ),
  'TENOR_URL',
  'TENOR_TOKEN',
]);

/** Rejects providers without an audience: their tokens for any other service would be accepted. */
export function checkSingleSignOn({ oidcIssuer, oidcAudience, oidcClientId }: Settings): void {
  if (oidcIssuer.length > 0 && oidcAudience === '')
    throw new InvalidSettingError('OIDC_ISSUER needs OIDC_AUDIENCE');
  if (oidcIssuer.length === 0 && (oidcAudience !== '' || oidcClientId !== ''))
    throw new InvalidSettingError('OIDC_AUDIENCE and OIDC_CLIENT_ID need OIDC_ISSUER');
}

const MIN_API_TOKEN_CHARACTERS = 16;
const LOOPBACK_HOST = /^(localhost|::1|127(\.\d{1,3}){3})$/i;

/** Rejects an `API_TOKEN` that others can guess over the network; on a loopback address, returns a warning. */
export function checkApiToken({ apiToken, host }: Settings): string | undefined {
  if (apiToken === undefined || apiToken.length >= MIN_API_TOKEN_CHARACTERS) return undefined;
  const problem = `API_TOKEN is shorter than ${MIN_API_TOKEN_CHARACTERS} characters and can be guessed`;
  if (LOOPBACK_HOST.test(host)) return `${problem}; it is accepted because HOST is ${host}`;
  throw new InvalidSettingError(
    `${problem}; use a longer one, such as the output of: openssl rand -hex 32`,
  );
}

/** Rejects an `ADMIN_PORT` that equals `PORT`. */
export function checkAdminPort({ adminPort, port }: Settings): void {
  if (adminPort === null || adminPort === 0 || adminPort !== port) return;
  throw new InvalidSettingError(`ADMIN_PORT must differ from PORT, which is also ${port}`);
}

/** A value whose URLs have no user or password. */
export function redactCredentials(value: string): string {
  // A password may contain unescaped characters: everything up to the last @ is removed.
  const urls = value.split(/,(?=\s*postgres)/).map((url) => url.replace(/\/\/.*@/s, '//***@'));
  return urls.join(',').replace(/(password=)[^&,]*/gi, '$1***');
}

function parseExportCache(text: string) {
  if (text === 'off') return null;
  const [, folder, size, unit] = /^(?:(.+),)?([1-9]\d{0,5})([MGT])B$/i.exec(text) ?? [];
  const exponent = 'MGT'.indexOf(unit?.toUpperCase() ?? '') + 2;
  return size === undefined ? undefined : { folder, maxBytes: Number(size) * 1_000 ** exponent };
}

/** The claim of a token that says its scopes. */
export interface ScopeClaim {
  readonly claim: string;
  /** The scopes that its words stand for; the words themselves if it is absent. */
  readonly scopes?: ReadonlyMap<string, string[]>;
}

/** Such as `scope`, or `roles:analyst=quotes,analyst=funds`; the name of a claim may be a URL. */
function parseScopeClaim(text: string): ScopeClaim | undefined {
  const [, claim = '', mapping] = /^([!-~]+?)(?::(?!\/\/)(.+=.+))?$/.exec(text) ?? [];
  if (claim === '' || claim.endsWith(':') || claim.includes('=')) return undefined;
  if (mapping === undefined) return { claim };
  const scopes = new Map<string, string[]>();
  for (const pair of mapping.split(',')) {
    const [, value, scope] = /^([^\s=]+)=(\*|[a-z][a-z0-9-]{0,39})$/.exec(pair.trim()) ?? [];
    if (value === undefined || scope === undefined) return undefined;
    scopes.set(value, [...(scopes.get(value) ?? []), scope]);
  }
  return { claim, scopes };
}

function parseSwitch(text: string): boolean | undefined {
  return text === 'on' ? true : text === 'off' ? false : undefined;
}

function parseHost(text: string): string | undefined {
  return /^[\w.:-]+$/.test(text) ? text : undefined;
}

/** As browsers send them: without a path, and without the default port of the scheme. */
function parseOrigins(text: string): ReadonlySet<string> | undefined {
  const origins = parseList(text, isWebOrigin);
  return origins && new Set(origins);
}

function parseList(text: string, isValid: (item: string) => boolean): string[] | undefined {
  const items = text === '' ? [] : text.split(',').map((item) => item.trim());
  return items.every(isValid) ? items : undefined;
}

/** A positive whole number. */
function parseCount(text: string, max: number): number | undefined {
  return /^[1-9]\d*$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** Derives the variable of each setting from its name: `adminPort` is `ADMIN_PORT`. */
function defineSettings<Values extends Readonly<Record<string, unknown>>>(
  declarations: {
    readonly [Name in keyof Values]: Omit<Setting<Values[Name]>, 'variable'>;
  },
) {
  const settings = Object.entries(declarations).map(([name, declaration]) => {
    const variable = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return [name, { variable, ...declaration }];
  });
  return Object.fromEntries(settings) as { readonly [N in keyof Values]: Setting<Values[N]> };
}
