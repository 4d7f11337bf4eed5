import { type TestServer, TOKEN } from './test-server.ts';

/** A response without content decoding. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Sends a request with the operator's token, for an uncompressed body by default. */
export async function fetchRaw(
  { address, awaitPublished }: Pick<TestServer, 'address'> & Partial<TestServer>,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawResponse> {
  const sent = { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'identity', ...headers };
  const kept = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
  await awaitPublished?.();
  const asked = { method, headers: kept, decompress: false };
  const response = await fetch(`${address}${target}`, asked);
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, bytes, text };
}

/** The headers that equal responses share. */
export function pickLastingHeaders(headers: Headers): Record<string, string> {
  const perResponse = ['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive'];
  return Object.fromEntries([...headers].filter(([name]) => !perResponse.includes(name)));
}
