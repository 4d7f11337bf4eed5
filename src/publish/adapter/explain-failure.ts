import { InvalidFileError } from '../../formats/read-contents.ts';
import { formatLocation } from '../load/file-problems.ts';
import { type AdapterFailure, decodePosition, encodePosition } from './messages.ts';
import type { ReadingFile } from './opened-file.ts';
import { InvalidAdapterError } from './record-batches.ts';

/** One line about what an adapter threw: its line, and where in the file it was. */
export function explainFailure(
  cause: unknown,
  adapter: { readonly path: string; readonly name: string },
  file?: ReadingFile,
): AdapterFailure {
  if (cause instanceof InvalidFileError)
    return { kind: 'failure', isOfAdapter: false, message: cause.message };
  if (cause instanceof InvalidAdapterError)
    return { kind: 'failure', isOfAdapter: true, message: `${adapter.name} ${cause.message}` };
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  const line = findLine(first, adapter.path);
  const prefix = line === undefined ? adapter.name : `${adapter.name} line ${line}`;
  const location = file && formatCurrentLocation(file);
  const message = `${prefix}: ${describeCause(first)}${location ? ` (at ${location})` : ''}`;
  return { kind: 'failure', isOfAdapter: true, message };
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error) && !isBuildMessage(cause)) return `threw ${String(cause)}`;
  const { name = '', message } = cause as Error;
  const isPlain = ['Error', 'BuildMessage', 'ResolveMessage', ''].includes(name);
  return isPlain ? message : `${name}: ${message}`;
}

interface BuildMessage {
  readonly message: string;
  readonly position: { readonly line: number; readonly file: string } | null;
}

/** The error that Bun throws if it cannot read a module, or one that it imports. */
function isBuildMessage(cause: unknown): cause is BuildMessage {
  return typeof cause === 'object' && cause !== null && 'message' in cause && 'position' in cause;
}

/** The line of the adapter that threw, or that called what threw. */
function findLine(cause: unknown, path: string): string | undefined {
  if (isBuildMessage(cause))
    return cause.position?.file === path ? String(cause.position.line) : undefined;
  const stack = String((cause as Error | undefined)?.stack ?? '');
  const start = stack.indexOf(`${path}:`);
  return start < 0 ? undefined : /^\d+/.exec(stack.slice(start + path.length + 1))?.[0];
}

function formatCurrentLocation({ name, current, unit, sheetNames }: ReadingFile) {
  if (!current || !unit) return undefined;
  const { position, line, sheetNumber } = current;
  const place = decodePosition(encodePosition(position, sheetNumber), sheetNames);
  return formatLocation({ file: name, place: unit, ...place, ...(line !== undefined && { line }) });
}
