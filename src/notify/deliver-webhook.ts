import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { system } from '../shared/system.ts';
import { isPrivateAddress } from './is-private-address.ts';
import { createWebhookHeaders, type WebhookMessage } from './sign-webhook.ts';

export interface WebhookTarget {
  readonly url: string;
  readonly secrets: readonly Uint8Array[];
  /** Whether it may have an address that is not of the Internet. */
  readonly allowsPrivate: boolean;
  readonly timeoutMs?: number;
}

/** What became of a delivery; `gone` if the receiver wants no more of them. */
export type Delivery =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly kind: 'gone' };

const TIMEOUT_MS = 15_000;
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Sends a message once. A redirect is a failure: it could lead anywhere. */
export async function deliverWebhook(
  { url, secrets, allowsPrivate, timeoutMs = TIMEOUT_MS }: WebhookTarget,
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<Delivery> {
  try {
    const address = allowsPrivate ? undefined : await findPrivateAddress(new URL(url).hostname);
    if (address !== undefined)
      return {
        kind: 'failed',
        reason: `its address ${address} is private, which --allow-private allows`,
      };
    const response = await fetch(url, {
      method: 'POST',
      headers: createWebhookHeaders(message, secrets, system.now()),
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    // Its body is of no interest, however long it is.
    await response.body?.cancel();
    if (response.ok) return { kind: 'delivered' };
    if (response.status === 410) return { kind: 'gone' };
    const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000;
    const reason = `it responds with ${response.status}`;
    return retryAfterMs > 0
      ? { kind: 'failed', reason, retryAfterMs: Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) }
      : { kind: 'failed', reason };
  } catch (cause) {
    signal.throwIfAborted();
    const { name, message: text } = cause as Error;
    const reason = name === 'TimeoutError' ? `it does not respond within ${timeoutMs} ms` : text;
    return { kind: 'failed', reason };
  }
}

/** An address of a host that is not of the Internet, if it has one. */
async function findPrivateAddress(hostname: string): Promise<string | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host)
    ? [host]
    : (await lookup(host, { all: true })).map(({ address }) => address);
  return addresses.find(isPrivateAddress);
}
