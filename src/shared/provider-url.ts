/** An address that a provider may have: `http` only on this machine. */
export function isProviderUrl(text: unknown): text is string {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url?.username !== '' || url.hash !== '') return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
  );
}
