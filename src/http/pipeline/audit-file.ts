import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { EmitEvent } from '../../event-log.ts';
import { InvalidSettingError } from '../../settings.ts';
import { CLOSED_EVENT, digestAuditLine, OPENED_EVENT } from '../../shared/audit-line.ts';
import { stringifyEscaped } from '../../shared/control-characters.ts';
import { formatCause } from '../../shared/format-cause.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../../store/open-store.ts';

/** How soon a renamed file is noticed. */
const CHECK_INTERVAL_MS = 1_000;

/** Left to reads by what anybody may write: a tenth of the disk, or a gigabyte of a large one. */
const RESERVED_SHARE = 0.1;
const MAX_RESERVED_BYTES = 1024 ** 3;

/** A line, before it has its place in the chain. */
type Line = Readonly<Record<'time' | 'event', string>>;

/**
 * Appends lines to a file, which several processes may share. The lines of each are a chain: a line
 * that was cut out, moved or changed is found by `tenor check --audit`.
 */
export class AuditFile {
  #file: number;
  #checkedMs = system.monotonicNow();
  readonly #chain = randomBytes(9).toString('base64url');
  #number = 0;
  #previous: string | null = null;
  /** Whether the file that is open has a line of this chain. */
  #isBegun = false;
  /** Whether the last line of the file was cut by an error. */
  #isCut = false;
  #isFailing = false;
  /** Lines that could not be written yet. */
  #unwritten: readonly Line[] = [];

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

  /** Throws a StoreUnavailableError if the line cannot be written; it is then dropped. */
  append(event: string, values: object): void {
    this.#append(createLine(event, values));
  }

  /** Appends a line now, or with the next one that can be written. */
  appendLater(event: string, values: object): void {
    const line = createLine(event, values);
    try {
      this.#append(line);
    } catch {
      this.#unwritten = [...this.#unwritten, line];
    }
  }

  /** Whether the disk has more space than is left to reads. */
  hasRoom(): boolean {
    try {
      const { bavail, blocks, bsize } = statfsSync(dirname(this.path));
      return bavail * bsize > Math.min(blocks * bsize * RESERVED_SHARE, MAX_RESERVED_BYTES);
    } catch {
      return false;
    }
  }

  /** Ends the chain, if it has begun: a file that is cut afterwards lacks this line. */
  close(): void {
    if (this.#number > 0) this.appendLater(CLOSED_EVENT, {});
    closeSync(this.#file);
    // Another file may get its number.
    [this.#file, this.#isFailing] = [-1, true];
  }

  #append(line: Line): void {
    try {
      this.#reopenIfRenamed();
      const lines = [...this.#unwritten, line];
      const count = this.#write(lines);
      // The last one is not repeated: its request gets an error.
      this.#unwritten = this.#unwritten.slice(count);
      if (count < lines.length) throw new Error('no space is left for it');
      this.#isFailing = false;
    } catch (cause) {
      if (!this.#isFailing) this.emit({ event: 'audit.failed', cause: formatCause(cause) });
      this.#isFailing = true;
      throw new StoreUnavailableError('the audit log cannot be written', { cause });
    }
  }

  /** Writes lines by one call; returns how many are complete in the file. */
  #write(lines: readonly Line[]): number {
    if (this.#number === 0) this.#previous = findLastDigest(this.path, this.#file);
    const openings = lines.slice(0, 1).map(({ time }) => ({ time, event: OPENED_EVENT }));
    const added = this.#isBegun ? lines : [...openings, ...lines];
    const places = this.#placeLines(added);
    const start = this.#isCut ? '\n' : '';
    const bytes = Buffer.from(start + places.map(({ text }) => `${text}\n`).join(''));
    const written = writeSync(this.#file, bytes);
    if (written > 0) this.#isCut = bytes[written - 1] !== LINE_END;
    let end = start.length;
    let count = 0;
    for (const { text, digest } of places) {
      end += Buffer.byteLength(text);
      if (written < end) break;
      [this.#number, this.#previous, this.#isBegun] = [this.#number + 1, digest, true];
      end++;
      count++;
    }
    return Math.max(0, count - (added.length - lines.length));
  }

  #placeLines(lines: readonly Line[]) {
    let [number, previous] = [this.#number, this.#previous];
    return lines.map(({ time, ...values }) => {
      const place = { chain: this.#chain, number: ++number, previous };
      const text = stringifyEscaped({ time, ...place, ...values });
      previous = digestAuditLine(text);
      return { text, digest: previous };
    });
  }

  /** A file that was renamed, as by logrotate, keeps what it has; a new one takes its place. */
  #reopenIfRenamed(): void {
    const nowMs = system.monotonicNow();
    const isChecked = this.#number > 0 && !this.#isFailing;
    if (isChecked && nowMs - this.#checkedMs < CHECK_INTERVAL_MS) return;
    this.#checkedMs = nowMs;
    const [current, open] = [statSync(this.path, { throwIfNoEntry: false }), fstatSync(this.#file)];
    const isSame = current?.ino === open.ino && current.dev === open.dev;
    if (!isSame) {
      const file = openFile(this.path);
      closeSync(this.#file);
      this.#file = file;
      this.#isBegun = false;
    }
    // By this process, or by another one that was killed.
    if (this.#isFailing || !this.#isBegun) this.#isCut = hasCutEnd(this.path, this.#file);
  }
}

const LINE_END = 0x0a;

/** Each write is one call, so that several processes can share the file. */
function openFile(path: string): number {
  return openSync(path, 'a', 0o600);
}

function createLine(event: string, values: object): Line {
  return { time: new Date(system.now()).toISOString(), event, ...values };
}

function hasCutEnd(path: string, file: number): boolean {
  const [last = LINE_END] = readTail(path, file, 1);
  return last !== LINE_END;
}

/** Longer than any line. */
const TAIL_BYTES = 1024 ** 2;

/** Links the chain to what is there: a process may write one line, and the lines before are many. */
function findLastDigest(path: string, file: number): string | null {
  const tail = readTail(path, file, TAIL_BYTES);
  const end = tail.lastIndexOf(LINE_END);
  const lines = tail.subarray(0, Math.max(0, end)).toString('latin1').split('\n');
  const last = lines.findLast((line) => line !== '');
  return last === undefined ? null : digestAuditLine(Buffer.from(last, 'latin1'));
}

/** The last bytes of a file; none of one that cannot be read, or is a pipe, which would never end. */
function readTail(path: string, file: number, maxBytes: number): Buffer {
  if (!fstatSync(file).isFile()) return Buffer.alloc(0);
  let reader: number | undefined;
  try {
    reader = openSync(path, 'r');
    const { size } = fstatSync(reader);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    return bytes.subarray(0, readSync(reader, bytes, 0, bytes.length, size - bytes.length));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (reader !== undefined) closeSync(reader);
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
