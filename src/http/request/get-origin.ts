/**
 * Scheme and host by which a client reached the service. Behind a proxy, the scheme that the client
 * used: whoever claims another one deceives itself.
 */
export function getOrigin({ url, headers }: Request): string {
  const { protocol, host } = new URL(url);
  return headers.get('x-forwarded-proto') === 'https' ? `https://${host}` : `${protocol}//${host}`;
}
