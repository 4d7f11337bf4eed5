import { once } from 'node:events';
import { escapeControlsInLines, stringifyEscaped } from '../shared/control-characters.ts';

/** Prints lines, with control characters escaped: names, files and settings come from outside. */
export function printLine(text: string): void {
  printStyled(escapeControlsInLines(text));
}

/** Prints styled lines; all other control characters are escaped. */
export function printStyled(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  printStyled(formatJson(value));
}

export function formatJson(value: unknown): string {
  return stringifyEscaped(value, 2);
}

/** An argument of a command line, quoted for a shell. */
export function quoteArgument(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Prints a message on standard error; control characters are escaped, as it may quote arguments, paths or values of files. */
export function printNote(text: string): void {
  printErrorLine(`tenor: ${text}`);
}

export function printErrorLine(text: string): void {
  process.stderr.write(`${escapeControlsInLines(text)}\n`);
}

/** Prints lines, and waits until they are written; rejects if that fails. */
export async function printOrThrow(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  isAwaited = true;
  process.stdout.write(`${escapeControlsInLines(text)}\n`, (cause) =>
    cause ? reject(cause) : resolve(),
  );
  await promise;
  isAwaited = false;
}

let isAwaited = false;

/** Whether a command itself handles failures to write to standard output. */
export const isOutputAwaited = () => isAwaited;

/** Prints a refusal as JSON; if that is lost, standard error and the exit status still report it. */
export async function printRefusal(refusal: object): Promise<void> {
  await printOrThrow(formatJson({ status: 'refused', ...refusal })).catch(() => {});
}

/** Prints the outcome of a command; if that fails, standard error says what has taken effect. */
export async function printOutcome(text: string, effect: string): Promise<void> {
  await printOrThrow(text).catch((cause) => printNote(`${effect}, ${explainLostOutput(cause)}`));
}

export function explainLostOutput({ message }: Error): string {
  return `but standard output cannot be written: ${message}`;
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
 * Ends standard error, and waits until all of it is written: the rest of a full pipe would be lost when the
 * process exits. The wait is limited, because the reader may have stopped.
 */
export async function flushStderr(): Promise<void> {
  const flushed = new Promise<void>((resolve) => process.stderr.end(() => resolve()));
  await Promise.race([flushed, Bun.sleep(FLUSH_TIMEOUT_MS)]);
}
