const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Whether a page of that origin may send messages. A page whose name was made to resolve to this
 * server has its own origin, whatever the Host; programs send none.
 */
export function isAllowedOrigin(origin: string | null, allowed: ReadonlySet<string>): boolean {
  return origin === null || LOCAL_ORIGIN.test(origin) || allowed.has(origin);
}
