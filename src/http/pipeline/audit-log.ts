import type { EmitEvent } from '../../event-log.ts';
import { system, type Timer } from '../../shared/system.ts';
import type { SentParameter } from '../request/parse-query.ts';
import { countBodyBytes, type HttpResponse } from '../responses/response.ts';
import { AuditFile } from './audit-file.ts';
import { maskValue } from './mask-secrets.ts';

/** A request, as far as its lines tell of it. */
interface AuditedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly principal: { readonly id: string };
  readonly route: { readonly path: string } | undefined;
  readonly target: { readonly path: string; readonly parameters: readonly SentParameter[] };
  getAddress(): string;
  getCredential(): string | undefined;
}

/** Guesses, which anybody can send in any number, get so many lines a minute; the others are counted. */
const WINDOW_MS = 60_000;
const MAX_GUESSES_PER_WINDOW = 2_000;

/**
 * One line for each read and each refused request, written before its response is sent, and one more
 * at the end of a stream. While a line cannot be written, no read is answered.
 */
export class AuditLog {
  readonly #file: AuditFile;
  #guesses = 0;
  #uncounted = 0;
  #window: Timer | undefined;

  /** Throws an InvalidSettingError if the file cannot be opened. */
  constructor(path: string, emit: EmitEvent) {
    this.#file = new AuditFile(path, emit);
  }

  /** Throws a StoreUnavailableError if the line cannot be written. */
  recordRead(request: AuditedRequest, response: HttpResponse): void {
    const { method } = request;
    const { body, revision, status, stream, records = null } = response;
    this.#file.append('read', {
      ...describeRequest(request),
      status,
      revision,
      records,
      bytes: stream ? null : method === 'HEAD' || !body ? 0 : countBodyBytes(body),
    });
  }

  /** A request that its token may not make; throws a StoreUnavailableError as for a read. */
  recordRefusal(request: AuditedRequest, { status }: HttpResponse): void {
    this.#file.append('refused', { ...describeRequest(request), status });
  }

  /**
   * A request without a valid token or link, or with too many of them: a line or a count, later if
   * need be. It has no parameters, which can be anything.
   */
  recordGuess(request: AuditedRequest, { status }: HttpResponse): void {
    this.#window ??= system.setTimeout(() => this.#closeWindow(), WINDOW_MS).unref();
    const { method, route } = request;
    const line = { ...describeClient(request), subject: null, method, route: route?.path ?? null };
    const hasLine =
      status !== 429 && this.#guesses < MAX_GUESSES_PER_WINDOW && this.#file.hasRoom();
    if (hasLine && this.#isWritten('refused', { ...line, status })) this.#guesses++;
    else this.#uncounted++;
  }

  recordEnd(request: AuditedRequest, bytes: number, isComplete: boolean): void {
    this.#file.appendLater('sent', { ...describeClient(request), bytes, isComplete });
  }

  close(): void {
    this.#closeWindow();
    this.#window?.cancel();
    this.#file.close();
  }

  #closeWindow(): void {
    this.#window?.cancel();
    this.#window = undefined;
    this.#guesses = 0;
    if (this.#uncounted === 0) return;
    if (this.#isWritten('refusals', { count: this.#uncounted })) this.#uncounted = 0;
    else this.#window = system.setTimeout(() => this.#closeWindow(), WINDOW_MS).unref();
  }

  #isWritten(event: string, values: object): boolean {
    try {
      this.#file.append(event, values);
      return true;
    } catch {
      return false;
    }
  }
}

function describeClient(request: AuditedRequest) {
  const { requestId, principal } = request;
  const address = request.getAddress() || null;
  return {
    requestId: maskValue('', requestId, request.getCredential()),
    address,
    subject: principal.id,
  };
}

function describeRequest(request: AuditedRequest) {
  const { method, route, target } = request;
  const credential = request.getCredential();
  const path = maskValue('', target.path, credential);
  return {
    ...describeClient(request),
    method,
    route: route?.path ?? path,
    ...(route?.path.includes('{') && { path }),
    parameters: Object.fromEntries(
      target.parameters.map((parameter) => maskParameter(parameter, credential)),
    ),
  };
}

function maskParameter(
  { name, value, rawName, rawValue }: SentParameter,
  credential: string | undefined,
) {
  const shown = name ?? rawName;
  return [maskValue('', shown, credential), maskValue(shown, value ?? rawValue, credential)];
}
