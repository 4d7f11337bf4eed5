import { InvalidFileError } from '../file-contents.ts';
import type { ZipArchive } from '../zip/unzip.ts';
import { type XmlReader, XmlScanner } from './xml-scanner.ts';

/** The most that a sheet may hold, and any other part, in bytes of XML. */
export const MAX_SHEET_BYTES = 2 * 1024 ** 3;
export const MAX_PART_BYTES = 64 * 1024 ** 2;

// A row of sixteen thousand cells can be written in forty characters.
const SLICE_CHARACTERS = 4096;

/** Reads one XML file of a workbook; gives a turn after each piece, when what was read can go on. */
export async function* scanPart(
  zip: ZipArchive,
  part: string,
  bound: number,
  reader: XmlReader,
): AsyncGenerator<void> {
  const scanner = new XmlScanner(part, reader);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new InvalidFileError(`is damaged: ${part} is not UTF-8`);
    }
  };
  for await (const piece of zip.readBytes(part, bound)) {
    const text = decode(piece);
    for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
      scanner.write(text.slice(at, at + SLICE_CHARACTERS));
      yield;
    }
  }
  scanner.write(decode());
  scanner.end();
}

/** Reads one small XML file of a workbook to its end. */
export async function readPart(
  zip: ZipArchive,
  part: string,
  reader: Partial<XmlReader>,
): Promise<void> {
  const ignore = () => {};
  const whole = { open: ignore, text: ignore, close: ignore, ...reader };
  for await (const _ of scanPart(zip, part, MAX_PART_BYTES, whole));
}
