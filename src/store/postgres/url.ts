export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The host and database of a URL, without credentials. */
export function formatPublicAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
