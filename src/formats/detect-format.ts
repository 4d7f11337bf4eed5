import { containsBytes } from './contains-bytes.ts';
import { readTextHead } from './decode-text.ts';
import { detectDelimiter, HEAD_CHARACTERS, parseSepLine } from './delimited/read-delimited.ts';
import { type FileFormat, type FileInput, InvalidFileError } from './file-contents.ts';

// Many sites offer pages and XML as .xls, which spreadsheets open anyway.
const RESAVE_HINT = '; if it is a table, open it in a spreadsheet and save it as .xlsx';
const MAGIC_BYTES = 4;
/** Extensions of files that are not text, or whose text begins with a bracket. */
const KNOWN_EXTENSION = /^\.(?:parquet|xlsx?|zip|gz|zst|(?:nd)?json)$/i;
const MAX_FIRST_LINE_CHARACTERS = 16 * 1024 * 1024;

/** Detects the format of a file by its content; rejects formats that hold no data. */
export async function detectFormat(input: FileInput): Promise<FileFormat> {
  const magic = await readMagic(input);
  if (magic === 'PAR1') return 'parquet';
  if (magic === 'PK\x03\x04') return 'xlsx';
  if (magic === '\xd0\xcf\x11\xe0') throw new InvalidFileError(await explainCompoundFile(input));
  if (magic === '%PDF') throw new InvalidFileError('is a PDF file, which has no cells to read');
  const head = await readTextHead(input, HEAD_CHARACTERS);
  const { extension = '' } = input;
  if (head.isBroken && KNOWN_EXTENSION.test(extension) && !/^\s*[[{]/.test(head.text))
    throw new InvalidFileError(`is named ${extension}, and is neither that nor text; get it again`);
  const text = head.text.trimStart();
  if (text === '' && head.isComplete) throw new InvalidFileError('is empty');
  if (/^<!doctype html|^<html/i.test(text))
    throw new InvalidFileError(`is an HTML page, not data${RESAVE_HINT}`);
  if (/^<[a-z!?]/i.test(text))
    throw new InvalidFileError(`is an HTML or XML file, not data${RESAVE_HINT}`);
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('{')) {
    const isLong = !head.isComplete && getFirstOfSeveralLines(text) === undefined;
    const longHead = isLong ? await readTextHead(input, MAX_FIRST_LINE_CHARACTERS) : head;
    return isNdjson(longHead.text) ? 'ndjson' : 'json';
  }
  return (parseSepLine(head) ?? detectDelimiter(head)) === '\t' ? 'tsv' : 'csv';
}

async function readMagic(input: FileInput): Promise<string> {
  let magic = '';
  for await (const chunk of input.readBytes()) {
    magic += Buffer.from(chunk.subarray(0, MAGIC_BYTES)).toString('latin1');
    if (magic.length >= MAGIC_BYTES) break;
  }
  return magic.slice(0, MAGIC_BYTES);
}

/** Whether the first line is a complete value and another line follows. */
function isNdjson(text: string): boolean {
  const line = getFirstOfSeveralLines(text);
  if (line === undefined) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function getFirstOfSeveralLines(text: string): string | undefined {
  return /^([^\n]*)\n\s*\S/.exec(text.trimStart())?.[1];
}

/**
 * Explains what an OLE compound file is, and how to convert it. Excel used them until 2007, and still wraps a
 * password-protected workbook in one.
 */
async function explainCompoundFile(input: FileInput): Promise<string> {
  // The directory, which may be anywhere in the file, names its streams.
  if (await containsBytes(input.readBytes(), Buffer.from('EncryptedPackage', 'utf16le')))
    return 'is protected by a password; open it in a spreadsheet, and save it as .xlsx without one';
  return `is an old Excel workbook (.xls), or another old Office file; ${CONVERT_HINT}`;
}

const CONVERT_HINT =
  'open it in a spreadsheet and save it as .xlsx, or run: soffice --headless --convert-to xlsx FILE';
