import { readAttribute } from '../xml/xml-attributes.ts';
import { readPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/unzip.ts';
import { classifyBuiltInFormat, classifyFormatCode } from './number-format.ts';
import type { NumberFormatKind } from './serial-date.ts';

/** What each cell style of a workbook shows, by the number that cells name it with. */
export async function readStyles(
  zip: ZipArchive,
  part: string,
): Promise<readonly NumberFormatKind[]> {
  const own = new Map<number, NumberFormatKind>();
  const formats: number[] = [];
  await readPart(zip, part, {
    open(name, attributes, parent) {
      // Both names stand elsewhere too, with another meaning.
      if (name === 'numFmt' && parent === 'numFmts') {
        const code = readAttribute(attributes, 'formatCode') ?? '';
        own.set(Number(readAttribute(attributes, 'numFmtId')), classifyFormatCode(code));
      }
      if (name === 'xf' && parent === 'cellXfs') {
        formats.push(Number(readAttribute(attributes, 'numFmtId') ?? 0));
      }
    },
  });
  return formats.map((format) => own.get(format) ?? classifyBuiltInFormat(format));
}
