import { type AuditCheck, AuditLogChecker } from '../check/check-audit-log.ts';
import { type FileInput, InvalidFileError, openFileInput } from '../formats/read-contents.ts';
import { type CommandCall, CommandError } from './command.ts';
import { pluralize } from './format.ts';
import { printJson, printLine } from './output.ts';

/** Checks the files of an audit log, and prints what was found. */
export async function checkAudit(
  paths: readonly string[],
  { json, strict }: CommandCall['options'],
): Promise<void> {
  const isReported = json === true;
  const check = await checkFiles(paths);
  if (isReported) printJson(check);
  else printCheck(check, paths.length);
  const { faultCount, warningCount } = check;
  if (faultCount > 0)
    throw new CommandError(
      `the audit log was changed: ${pluralize(faultCount, 'fault')}`,
      isReported,
    );
  if (strict && warningCount > 0)
    throw new CommandError(pluralize(warningCount, 'warning'), isReported);
}

async function checkFiles(paths: readonly string[]): Promise<AuditCheck> {
  const checker = new AuditLogChecker();
  const files = await Promise.all(paths.map(openAuditFile));
  // By the time of the first line: a pattern of the shell may name the newest file first.
  for (const { path, input } of files.toSorted((a, b) => (a.head < b.head ? -1 : 1))) {
    let number = 0;
    for await (const line of readByteLines(path, input))
      checker.addLine(line, `${path}, line ${++number}`);
  }
  return checker.finish();
}

async function openAuditFile(path: string) {
  const input = await openFileInput(path);
  for await (const line of readByteLines(path, input))
    return { path, input, head: Buffer.from(line).toString() };
  return { path, input, head: '' };
}

const LINE_END = 0x0a;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** The lines of a file as they are, since a line that was cut may be no text. */
async function* readByteLines(path: string, input: FileInput): AsyncGenerator<Uint8Array> {
  let pending = Buffer.alloc(0);
  for await (const chunk of nameErrors(path, input.readBytes())) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      yield Buffer.concat([pending, chunk.subarray(start, end)]);
      pending = Buffer.alloc(0);
      start = end + 1;
    }
    pending = Buffer.concat([pending, chunk.subarray(start)]);
    if (pending.length > MAX_LINE_BYTES) throw new InvalidFileError(`${path} has no lines`);
  }
  if (pending.length > 0) yield pending;
}

async function* nameErrors(path: string, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks;
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new InvalidFileError(`${path} ${cause.message}`, { cause });
  }
}

function printCheck({ lines, chains, ...check }: AuditCheck, files: number): void {
  const { faults, faultCount, warnings, warningCount } = check;
  for (const fault of faults) printLine(`Fault: ${fault}`);
  for (const warning of warnings) printLine(`Warning: ${warning}`);
  const hidden = faultCount + warningCount - faults.length - warnings.length;
  if (hidden > 0) printLine(`… and ${hidden} more`);
  const open = chains.filter(({ isClosed }) => !isClosed).slice(-MAX_LISTED_CHAINS);
  for (const { chain, last, digest } of open)
    printLine(`Chain ${chain} is not closed after number ${last} (${digest}).`);
  const checked = `${pluralize(lines, 'line')} of ${pluralize(chains.length, 'chain')}`;
  const problems = `${pluralize(faultCount, 'fault')}, ${pluralize(warningCount, 'warning')}`;
  printLine(`Checked ${checked} in ${pluralize(files, 'file')}: ${problems}.`);
}

const MAX_LISTED_CHAINS = 10;
