import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { EmitEvent } from '../../event-log.ts';
import { InvalidSettingError } from '../../settings.ts';
import { stringifyEscaped } from '../../shared/control-characters.ts';
import { formatCause } from '../../shared/format-cause.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../../store/open-store.ts';
import type { SentParameter } from '../request/parse-query.ts';
import { countBodyBytes, type HttpResponse } from '../responses/response.ts';

/** A request, as far as its lines tell of it. */
interface AuditedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly principal: { readonly id: string };
  readonly route: { readonly path: string } | undefined;
  readonly target: { readonly path: string; readonly parameters: readonly SentParameter[] };
  getAddress(): string;
}

/** How soon a renamed file is noticed. */
const CHECK_INTERVAL_MS = 1_000;

/** Values that no reader of the log may see. */
const MASKED_PARAMETERS = new Set(['positions', 'signature']);

/**
 * One line for each read, written before its response is sent, and one more at the end of a stream.
 * While a line cannot be written, no read is answered.
 */
export class AuditLog {
  #file: number;
  #checkedMs = system.monotonicNow();
  /** Ends of streams that could not be written yet. */
  #unwritten = '';
  /** Whether the last line was cut by an error. */
  #isCut = false;
  #isFailing = false;

  /** Throws an InvalidSettingError if the file cannot be opened. */
  constructor(
    private readonly path: string,
    private readonly emit: EmitEvent,
  ) {
    try {
      this.#file = openFile(path);
    } catch (cause) {
      throw createUnwritableError(path, cause);
    }
  }

  /** Throws a StoreUnavailableError if the line cannot be written. */
  recordRead(request: AuditedRequest, response: HttpResponse): void {
    const { method, route, target } = request;
    const { body, revision, status, stream, records = null } = response;
    this.#write({
      event: 'read',
      ...describeClient(request),
      method,
      route: route?.path ?? target.path,
      parameters: Object.fromEntries(target.parameters.map(maskParameter)),
      status,
      revision,
      records,
      bytes: stream ? null : method === 'HEAD' || !body ? 0 : countBodyBytes(body),
    });
  }

  recordEnd(request: AuditedRequest, bytes: number, isComplete: boolean): void {
    const line = { event: 'sent', ...describeClient(request) };
    try {
      this.#write({ ...line, bytes, isComplete });
    } catch {
      this.#unwritten += formatLine({ ...line, bytes, isComplete });
    }
  }

  #write(line: object): void {
    try {
      this.#reopenIfRenamed();
      const text = `${this.#isCut ? '\n' : ''}${this.#unwritten}${formatLine(line)}`;
      const bytes = Buffer.from(text);
      const written = writeSync(this.#file, bytes);
      this.#isCut = written > 0 && written < bytes.length;
      if (written < bytes.length) throw new Error('no space is left for it');
      this.#unwritten = '';
      this.#isFailing = false;
    } catch (cause) {
      if (!this.#isFailing) this.emit({ event: 'audit.failed', cause: formatCause(cause) });
      this.#isFailing = true;
      throw new StoreUnavailableError('the audit log cannot be written', { cause });
    }
  }

  /** A file that was renamed, as by logrotate, keeps what it has; a new one takes its place. */
  #reopenIfRenamed(): void {
    const nowMs = system.monotonicNow();
    if (!this.#isFailing && nowMs - this.#checkedMs < CHECK_INTERVAL_MS) return;
    this.#checkedMs = nowMs;
    const [current, open] = [statSync(this.path, { throwIfNoEntry: false }), fstatSync(this.#file)];
    if (current?.ino === open.ino && current.dev === open.dev) return;
    const file = openFile(this.path);
    closeSync(this.#file);
    this.#file = file;
    this.#isCut = false;
  }
}

/** Throws an InvalidSettingError if the file of `AUDIT_LOG` cannot be opened; creates none. */
export function assertAuditLogWritable(path: string): void {
  if (path === '') return;
  let isFolder: boolean;
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    isFolder = file?.isDirectory() ?? false;
    accessSync(file ? path : dirname(path), constants.W_OK);
  } catch (cause) {
    throw createUnwritableError(path, cause);
  }
  if (isFolder) throw createUnwritableError(path, { code: 'EISDIR' });
}

function createUnwritableError(path: string, cause: unknown): InvalidSettingError {
  const { code } = cause as NodeJS.ErrnoException;
  return new InvalidSettingError(`AUDIT_LOG: ${path} cannot be written (${code})`);
}

/** Each line is written by one call, so that several processes can share the file. */
function openFile(path: string): number {
  return openSync(path, 'a', 0o600);
}

function describeClient(request: AuditedRequest) {
  const { requestId, principal } = request;
  return { requestId, address: request.getAddress() || null, subject: principal.id };
}

function maskParameter({ name, value, rawName, rawValue }: SentParameter) {
  const shown = name ?? rawName;
  return [shown, MASKED_PARAMETERS.has(shown) ? '***' : (value ?? rawValue)];
}

function formatLine(line: object): string {
  return `${stringifyEscaped({ time: new Date(system.now()).toISOString(), ...line })}\n`;
}
