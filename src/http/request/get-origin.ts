/**
 * Scheme and host by which a client reached the service. Behind a proxy, the scheme that the client
 * used: whoever claims another one deceives itself. Empty where the request names no valid host.
 */
export function getOrigin({ url, headers }: Request): string {
  const parsed = URL.parse(url);
  if (!parsed) return '';
  const { protocol, host } = parsed;
  return headers.get('x-forwarded-proto') === 'https' ? `https://${host}` : `${protocol}//${host}`;
}
