import { createHmac } from 'node:crypto';

/** A message, as Standard Webhooks (https://www.standardwebhooks.com) have it. */
export interface WebhookMessage {
  /** The same whenever it is sent again. */
  readonly id: string;
  readonly body: string;
}

/** The headers of a message that is sent now, with a signature by each secret. */
export function createWebhookHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly Uint8Array[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

const SECRET_PATTERN = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** As the specification has it. */
const [MIN_SECRET_BYTES, MAX_SECRET_BYTES] = [24, 64];

/** The secrets of a file, a line each; undefined if one of them is invalid. */
export function parseWebhookSecrets(text: string): readonly Uint8Array[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const secrets = lines.map((line) =>
    Buffer.from(SECRET_PATTERN.exec(line.trim())?.[1] ?? '', 'base64'),
  );
  const isValid = ({ length }: Uint8Array) =>
    length >= MIN_SECRET_BYTES && length <= MAX_SECRET_BYTES;
  return secrets.length > 0 && secrets.every(isValid) ? secrets : undefined;
}
