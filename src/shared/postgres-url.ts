/** Whether a text is a PostgreSQL URL with a host and a database, so that it can be connected to. */
export function isUsablePostgresUrl(text: string): boolean {
  return isPostgresUrl(text) && listServerUrls(text).every(hasHostAndDatabase);
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** A URL may name several comma-separated hosts: returns one URL for each. */
export function listServerUrls(url: string): string[] {
  const [, start = '', hosts = '', end = ''] = AUTHORITY_PATTERN.exec(url) ?? [];
  return hosts.split(',').map((host) => `${start}${host}${end}`);
}

/** The scheme and credentials; the hosts; the path and the parameters. */
const AUTHORITY_PATTERN = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

function hasHostAndDatabase(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, searchParams } = new URL(url);
  const hasHost = hostname !== '' || searchParams.get('host')?.startsWith('/') === true;
  return hasHost && /^\/[^/@]+$/.test(pathname);
}

/** The host, or the folder of the socket, and the database of a URL, without credentials. */
export function formatPublicAddress(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${(searchParams.get('host') ?? host).replace(/%2f/gi, '/')}${pathname}`;
}

type Role = 'primary' | 'standby';

/** The roles that a URL allows its server to have, by `target_session_attrs`. */
export function findAllowedRoles(url: string): readonly Role[] {
  return SESSION_ATTRIBUTES.get(getSessionAttribute(url)) ?? [];
}

/** The value of `target_session_attrs` if PostgreSQL's own clients do not know it. */
export function findInvalidSessionAttribute(url: string): string | undefined {
  const attribute = getSessionAttribute(url);
  return SESSION_ATTRIBUTES.has(attribute) ? undefined : attribute;
}

function getSessionAttribute(url: string): string {
  return new URL(url).searchParams.get('target_session_attrs') ?? 'any';
}

const SESSION_ATTRIBUTES = new Map<string, readonly Role[]>([
  ['any', ['primary', 'standby']],
  // Standbys are read first in any case.
  ['prefer-standby', ['primary', 'standby']],
  ['primary', ['primary']],
  ['read-write', ['primary']],
  ['standby', ['standby']],
  ['read-only', ['standby']],
]);

/** The seconds that a connection attempt may take, by `connect_timeout`; 0 means the default. */
export function getConnectTimeout(url: string, defaultSeconds: number): number {
  return Number(new URL(url).searchParams.get('connect_timeout') ?? 0) || defaultSeconds;
}

/** The name of the folders of a database on this machine, after the first server in its URL. */
export function getLocalName(url: string): string {
  const [firstNamed = ''] = listServerUrls(url);
  return `data/${formatPublicAddress(firstNamed).replace(/[^\w.-]+/g, '-')}`;
}
