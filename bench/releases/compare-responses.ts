import { pickLastingHeaders } from '../../test/support/fetch-raw.ts';
import { findLink } from '../../test/support/follow-links.ts';
import { AUTHORIZATION_HEADERS } from '../server-processes.ts';
import type { ReleaseRequest } from './release-request.ts';

/** What was compared; responses that are errors of the server are differences, even if equal. */
export class Comparison {
  requests = 0;
  etagDifferences = 0;
  readonly statuses: Record<number, number> = {};
  readonly differences: Difference[] = [];

  constructor(
    private readonly earlier: string,
    private readonly later: string,
  ) {}

  /** Sends a request to both, and follows the links of the earlier one, whose cursors are the other's too. */
  async compare(request: ReleaseRequest, mostPages: number): Promise<void> {
    let target: string | undefined = request.target;
    for (let page = 0; target !== undefined && page < mostPages; page++) {
      const pageRequest: ReleaseRequest = { ...request, target };
      const [earlier, later] = await Promise.all([
        fetchReply(this.earlier, pageRequest),
        fetchReply(this.later, pageRequest),
      ]);
      this.record(pageRequest, earlier, later);
      target = earlier.next;
    }
  }

  record(request: ReleaseRequest, earlier: Reply, later: Reply): void {
    this.requests++;
    this.statuses[earlier.status] = (this.statuses[earlier.status] ?? 0) + 1;
    if (earlier.etag !== later.etag) this.etagDifferences++;
    if (earlier.head === later.head && earlier.body.equals(later.body) && earlier.status < 500)
      return;
    this.differences.push({ request, text: formatDifference(request, earlier, later) });
  }
}

export interface Difference {
  readonly request: ReleaseRequest;
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  readonly etag: string | null;
  /** The status and the headers that equal responses share, but for the ETag. */
  readonly head: string;
  readonly body: Buffer;
  readonly next?: string | undefined;
}

const MOST_TRIES = 30;
const RETRY_MS = 500;
/** Some bodies have the address that the client used. */
const COMMON_HEADERS = { ...AUTHORIZATION_HEADERS, host: 'tenor.example' };

/** A server that has too much work to do says so, and is asked again. */
async function fetchReply(address: string, request: ReleaseRequest): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await fetchOnce(address, request);
    if (reply.status !== 503 || tries === MOST_TRIES) return reply;
    await Bun.sleep(RETRY_MS);
  }
}

async function fetchOnce(
  address: string,
  { method, target, headers, body }: ReleaseRequest,
): Promise<Reply> {
  const response = await fetch(address + target, {
    method,
    headers: { ...COMMON_HEADERS, 'accept-encoding': 'identity', ...headers },
    decompress: false,
    ...(body !== undefined && { body }),
  });
  return {
    ...describeHead(response),
    body: Buffer.from(await response.bytes()),
    next: findLink(response.headers, 'next'),
  };
}

function describeHead({ status, headers }: Response) {
  const { etag = null, ...lasting } = pickLastingHeaders(headers);
  const lines = Object.entries(lasting).map(([name, value]) => `${name}: ${value}`);
  return { status, etag, head: [String(status), ...lines.toSorted()].join('\n') };
}

/** Reads the events after a revision, up to the newest. */
export async function fetchEvents(address: string, after: number, newest: number): Promise<Reply> {
  const abort = new AbortController();
  const response = await fetch(`${address}/events`, {
    headers: { ...COMMON_HEADERS, 'last-event-id': String(after) },
    signal: abort.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (new RegExp(`^id: ${newest}\n.*\n\n`, 'm').test(text)) break;
  }
  abort.abort();
  return { ...describeHead(response), body: Buffer.from(text) };
}

const MOST_BODY_CHARACTERS = 400;

/** A request, and where its responses differ. */
function formatDifference(request: ReleaseRequest, earlier: Reply, later: Reply): string {
  const { method, target, headers, body } = request;
  const offset = findFirstDifference(earlier.body, later.body);
  return [
    `${method} ${target} ${JSON.stringify(headers)} ${body ?? ''}`,
    ...listMissingLines(earlier.head, later.head).map((line) => `- ${line}`),
    ...listMissingLines(later.head, earlier.head).map((line) => `+ ${line}`),
    ...(offset === undefined
      ? [`  ${earlier.status} with equal bodies: ${formatBody(earlier.body, 0)}`]
      : [
          `  bodies differ at byte ${offset} of ${earlier.body.length} and ${later.body.length}:`,
          `- ${formatBody(earlier.body, offset)}`,
          `+ ${formatBody(later.body, offset)}`,
        ]),
  ].join('\n');
}

/** The lines of a text that another one has not. */
function listMissingLines(text: string, other: string): string[] {
  const lines = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !lines.has(line));
}

function findFirstDifference(a: Buffer, b: Buffer): number | undefined {
  if (a.equals(b)) return undefined;
  const index = a.findIndex((byte, position) => byte !== b[position]);
  return index === -1 ? a.length : index;
}

function formatBody(body: Buffer, offset: number): string {
  const start = Math.max(0, offset - MOST_BODY_CHARACTERS / 2);
  return JSON.stringify(body.subarray(start, start + MOST_BODY_CHARACTERS).toString());
}
