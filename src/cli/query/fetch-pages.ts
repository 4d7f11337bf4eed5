import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { CommandError } from '../command.ts';
import { escapeControls } from '../terminal/text.ts';
import { printNote } from './print-note.ts';
import type { QueryTarget } from './query-target.ts';
import type { ApiReply, SendRequest } from './transport.ts';

/** One answer: the body as it was sent, and what its headers say. */
export interface ResponsePage {
  readonly text: string;
  /** Whether more records match than were sent so far. */
  readonly hasNext: boolean;
  /** How many records match in all, where that is told. */
  readonly total?: number;
  readonly revision?: number;
  /** Of when it is, where the past was asked for. */
  readonly mementoDatetime?: Date;
}

export interface FetchOptions {
  /** The media type that the answer must have. */
  readonly accept: string;
  /** Whether to go on to the last page. */
  readonly allPages: boolean;
  readonly asOf?: AsOfInstant;
}

/** A time that an answer is asked as of. */
export interface AsOfInstant {
  /** As `Accept-Datetime` takes it. */
  readonly instant: string;
  /** Where it was named by its number. */
  readonly revision?: number;
}

/** The answer in pages: the first, or all of them. What is refused throws. */
export async function* fetchPages(
  ask: SendRequest,
  asked: Pick<QueryTarget, 'path' | 'query'>,
  { accept, allPages, asOf }: FetchOptions,
): AsyncGenerator<ResponsePage> {
  const headers = {
    Accept: accept,
    Prefer: 'count=exact',
    ...(asOf && { [ACCEPT_DATETIME]: asOf.instant }),
  };
  const revisions = new Set<number | undefined>();
  for (let query: string | undefined = asked.query; query !== undefined; ) {
    const target = query === '' ? asked.path : `${asked.path}?${query}`;
    const reply = await sendWithRetry(ask, target, headers);
    assertSuccess(accept, reply, target);
    const next = parseNextQuery(reply.headers.get('Link'));
    const page = {
      text: reply.text,
      hasNext: next !== undefined,
      ...parsePageHeaders(reply.headers),
    };
    if (asOf) assertRequestedInstant(page, asOf, target);
    revisions.add(page.revision);
    yield page;
    query = allPages ? next : undefined;
  }
  if (revisions.size < 2) return;
  const [first] = revisions;
  printNote(`a revision was published meanwhile; --as-of ${first} reads a single one`);
}

/** An answer that does not know the past, or not that of one revision alone, is no answer. */
function assertRequestedInstant(
  { mementoDatetime, revision }: ResponsePage,
  asOf: AsOfInstant,
  target: string,
): void {
  if (!mementoDatetime)
    throw new CommandError(`${target} is always of the present; leave out --as-of`);
  if (asOf.revision === undefined || asOf.revision === revision) return;
  throw new CommandError(
    `revision ${revision} was published at the same instant as ${asOf.revision}`,
  );
}

const MAX_RETRY_AFTER_SECONDS = 60;

/** Waits where a server asks for it, as one does that limits how often it is asked. */
async function sendWithRetry(
  ask: SendRequest,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<ApiReply> {
  for (;;) {
    const reply = await ask(target, headers);
    const seconds = Number(reply.headers.get('Retry-After') ?? Number.NaN);
    if (reply.status !== 429 || !(seconds <= MAX_RETRY_AFTER_SECONDS)) return reply;
    printNote(`the server asks to wait for ${seconds} s`);
    await Bun.sleep(seconds * 1_000);
  }
}

/** A refusal has a JSON body, whatever was asked for; two of them have status 200. */
function assertSuccess(accept: string, { status, headers, text }: ApiReply, target: string): void {
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
  const message = type === 'application/json' ? parseErrorMessage(text) : undefined;
  if (message !== undefined) {
    // A bare code says little without what it is about.
    const about = /\s/.test(message) ? '' : ` for ${target}`;
    throw new ApiResponseError(escapeControls(`${message}${about}`), text);
  }
  if (status !== 200) throw new CommandError(`${target} was answered with status ${status}`);
  if (type === accept) return;
  throw new CommandError(
    escapeControls(`${target} is answered as ${type || 'nothing known'}, not ${accept}`),
  );
}

/** A refusal by the service itself, with the body that says so. */
export class ApiResponseError extends CommandError {
  constructor(
    message: string,
    readonly body: string,
  ) {
    super(message, true);
  }
}

function parseErrorMessage(text: string): string | undefined {
  if (!text.startsWith('{"status":"error"')) return undefined;
  const { message } = JSON.parse(text) as { message?: unknown };
  return typeof message === 'string' ? message : text;
}

/** The query of the next page. Its path is the one that was asked for, behind any proxy. */
function parseNextQuery(link: string | null): string | undefined {
  return /<[^>?]*\?([^>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1];
}

function parsePageHeaders(
  headers: Headers,
): Pick<ResponsePage, 'total' | 'revision' | 'mementoDatetime'> {
  const numberIn = (name: string) => {
    const text = headers.get(name);
    return text === null ? undefined : Number(text);
  };
  const [total, revision] = [numberIn('Tenor-Total-Count'), numberIn('Tenor-Revision')];
  const memento = headers.get('Memento-Datetime');
  return {
    ...(total !== undefined && { total }),
    ...(revision !== undefined && { revision }),
    ...(memento !== null && { mementoDatetime: new Date(memento) }),
  };
}
