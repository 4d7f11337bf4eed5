import { once } from 'node:events';
import { escapeControlsInLines, stringifyEscaped } from '../shared/control-characters.ts';

/** Prints lines, with control characters escaped: names, files and settings come from others. */
export function printLine(text: string): void {
  printStyled(escapeControlsInLines(text));
}

/** Prints lines that have styles of ours, and whose other control characters are escaped. */
export function printStyled(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  printStyled(stringifyEscaped(value, 2));
}

/** Prints a message on standard error; it may quote an argument, a path or a value of a file. */
export function printNote(text: string): void {
  printErrorLine(`tenor: ${text}`);
}

export function printErrorLine(text: string): void {
  process.stderr.write(`${escapeControlsInLines(text)}\n`);
}

/** Writes to standard output, and waits while its buffer is full. */
export async function writeStdout(chunk: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
}

/** Writes to standard error, and waits until it is written. */
export function writeStderr(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => process.stderr.write(chunk, () => resolve()));
}

export const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Ends standard error, and waits until all of it is written: what a full pipe has not accepted
 * would be lost when the process exits. The wait is bounded, since the reader may have stopped.
 */
export async function flushStderr(): Promise<void> {
  const flushed = new Promise<void>((resolve) => process.stderr.end(() => resolve()));
  await Promise.race([flushed, Bun.sleep(FLUSH_TIMEOUT_MS)]);
}
