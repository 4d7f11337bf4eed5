import { pickLastingHeaders } from '../../test/support/fetch-raw.ts';
import { findLink } from '../../test/support/follow-links.ts';
import { AUTHORIZATION_HEADERS } from '../server-processes.ts';
import type { ReleaseRequest } from './release-request.ts';

/** What was compared. Failures of the server are differences, even if equal; other ETags are none. */
export class Comparison {
  requests = 0;
  readonly statuses: Record<number, number> = {};
  readonly differences: Difference[] = [];
  /** How many responses differ by what: a header, the status or the body. */
  readonly differing: Record<string, number> = {};

  constructor(
    readonly earlier: string,
    readonly later: string,
    private readonly ignoredHeaders: readonly string[] = [],
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

  record(request: ReleaseRequest, ...replies: readonly [Reply, Reply]): void {
    const [earlier, later] = [this.#omitIgnored(replies[0]), this.#omitIgnored(replies[1])];
    this.requests++;
    this.statuses[earlier.status] = (this.statuses[earlier.status] ?? 0) + 1;
    const parts = listDifferingParts(earlier, later);
    if (parts.length === 0) return;
    for (const part of parts) this.differing[part] = (this.differing[part] ?? 0) + 1;
    if (parts.join() === 'etag') return;
    this.differences.push({ request, text: formatDifference(request, earlier, later) });
  }

  #omitIgnored(reply: Reply): Reply {
    const headers = Object.entries(reply.headers).filter(
      ([name]) => !this.ignoredHeaders.includes(name),
    );
    return { ...reply, headers: Object.fromEntries(headers) };
  }
}

function listDifferingParts(earlier: Reply, later: Reply): string[] {
  const names = new Set([...Object.keys(earlier.headers), ...Object.keys(later.headers)]);
  return [
    ...(earlier.status === later.status ? [] : ['status']),
    ...(earlier.status >= 500 ? ['failure'] : []),
    ...(earlier.body.equals(later.body) ? [] : ['body']),
    ...[...names].filter((name) => earlier.headers[name] !== later.headers[name]),
  ];
}

export interface Difference {
  readonly request: ReleaseRequest;
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  /** Those that equal responses share. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly next?: string | undefined;
}

const MOST_TRIES = 120;
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
    status: response.status,
    headers: pickLastingHeaders(response.headers),
    body: Buffer.from(await response.bytes()),
    next: findLink(response.headers, 'next'),
  };
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
  const { status, headers } = response;
  return { status, headers: pickLastingHeaders(headers), body: Buffer.from(text) };
}

const MOST_BODY_CHARACTERS = 400;

/** A request, and where its responses differ. */
function formatDifference(request: ReleaseRequest, earlier: Reply, later: Reply): string {
  const { method, target, headers, body } = request;
  const offset = findFirstDifference(earlier.body, later.body);
  return [
    `${method} ${target} ${JSON.stringify(headers)} ${body ?? ''}`,
    ...listMissingLines(earlier, later).map((line) => `- ${line}`),
    ...listMissingLines(later, earlier).map((line) => `+ ${line}`),
    ...(offset === undefined
      ? [`  ${earlier.status} with equal bodies: ${formatBody(earlier.body, 0)}`]
      : [
          `  bodies differ at byte ${offset} of ${earlier.body.length} and ${later.body.length}:`,
          `- ${formatBody(earlier.body, offset)}`,
          `+ ${formatBody(later.body, offset)}`,
        ]),
  ].join('\n');
}

/** The status and headers of a response that another one has not. */
function listMissingLines(reply: Reply, other: Reply): string[] {
  const list = ({ status, headers }: Reply) => [
    String(status),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const lines = new Set(list(other));
  return list(reply).filter((line) => !lines.has(line));
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
