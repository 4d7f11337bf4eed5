/** Whether a database URL is one of PostgreSQL's. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** Where a database is, without the password to it. */
export function formatPublicAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
