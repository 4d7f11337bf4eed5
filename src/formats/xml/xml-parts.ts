import { InvalidFileError } from '../file-contents.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { type XmlReader, XmlScanner } from './xml-scanner.ts';

export const MAX_SHEET_BYTES = 2 * 1024 ** 3;
const MAX_PART_BYTES = 64 * 1024 ** 2;

// Small, because a row of sixteen thousand cells can be written in forty characters.
const SLICE_CHARACTERS = 4096;

/** Scans an XML part of a workbook; yields after each slice, when its rows can be taken. */
export async function* scanPart(
  zip: ZipArchive,
  part: string,
  maxBytes: number,
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
  for await (const chunk of zip.readBytes(part, maxBytes)) {
    const text = decode(chunk);
    for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
      scanner.write(text.slice(start, start + SLICE_CHARACTERS));
      yield;
    }
  }
  scanner.write(decode());
  scanner.end();
}

export async function readPart(
  zip: ZipArchive,
  part: string,
  reader: Partial<XmlReader>,
  maxBytes = MAX_PART_BYTES,
): Promise<void> {
  const ignore = () => {};
  const fullReader = { open: ignore, text: ignore, close: ignore, ...reader };
  for await (const _ of scanPart(zip, part, maxBytes, fullReader));
}
