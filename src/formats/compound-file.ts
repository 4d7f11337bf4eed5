import type { FileInput } from './file-contents.ts';

/**
 * Says what an OLE compound file is, and how to convert it. Excel used such files until 2007, and
 * wraps a workbook with a password in one to this day.
 */
export async function explainCompoundFile(input: FileInput): Promise<string> {
  if (await hasStream(input, 'EncryptedPackage'))
    return 'is protected by a password; open it in a spreadsheet, and save it as .xlsx without one';
  return `is an old Excel workbook (.xls), or another old Office file; ${CONVERT_HINT}`;
}

const CONVERT_HINT =
  'open it in a spreadsheet and save it as .xlsx, or run: soffice --headless --convert-to xlsx FILE';

/** Whether the directory of the file, which may be anywhere in it, names a stream. */
async function hasStream(input: FileInput, name: string): Promise<boolean> {
  const wanted = Buffer.from(name, 'utf16le');
  let tail = Buffer.alloc(0);
  for await (const chunk of input.readBytes()) {
    const block = Buffer.concat([tail, chunk]);
    if (block.includes(wanted)) return true;
    tail = block.subarray(Math.max(0, block.length - wanted.length));
  }
  return false;
}
