import { readAttribute } from '../xml/xml-attributes.ts';
import { readPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import type { NumberFormatKind } from './serial-date.ts';

/** The kind of number format of each cell style, by the index of the style. */
export async function readStyles(
  zip: ZipArchive,
  part: string,
): Promise<readonly NumberFormatKind[]> {
  const customFormats = new Map<number, NumberFormatKind>();
  const formatIds: number[] = [];
  await readPart(zip, part, {
    open(name, attributes, parent) {
      // Both elements have other meanings below other parents.
      if (name === 'numFmt' && parent === 'numFmts') {
        const code = readAttribute(attributes, 'formatCode') ?? '';
        customFormats.set(Number(readAttribute(attributes, 'numFmtId')), classifyFormatCode(code));
      }
      if (name === 'xf' && parent === 'cellXfs')
        formatIds.push(Number(readAttribute(attributes, 'numFmtId') ?? 0));
    },
  });
  return formatIds.map((id) => customFormats.get(id) ?? classifyBuiltInFormat(id));
}

/** The kind of a format code, such as `dd/mm/yyyy;@` or `#,##0.00`. */
function classifyFormatCode(code: string): NumberFormatKind {
  const withoutLiterals = code.replaceAll(LITERAL, ' ');
  if (ELAPSED.test(withoutLiterals)) return 'number';
  // Positive numbers, negative numbers, zero and text each have a section.
  const sections = withoutLiterals.split(';').map(classifySection);
  return sections.find((kind) => kind !== 'number') ?? 'number';
}

function classifyBuiltInFormat(id: number): NumberFormatKind {
  if (isBetween(id, 18, 21) || id === 32 || id === 33 || id === 45 || id === 47) return 'time';
  if (id === 9 || id === 10) return 'percent';
  if (isBetween(id, 14, 22) || isBetween(id, 27, 36) || isBetween(id, 50, 58)) return 'date';
  // 46 is [h]:mm:ss, a duration.
  return 'number';
}

const isBetween = (id: number, first: number, last: number) => id >= first && id <= last;

// Quoted text, an escaped character, the width of a character, a character that fills the cell.
const LITERAL = /"[^"]*("|$)|\\.|_.|\*./gs;
const ELAPSED = /\[(h+|m+|s+)\]/i;

function classifySection(section: string): NumberFormatKind {
  // Colours, conditions and languages are in brackets.
  const bare = section.replaceAll(/\[[^[\]]*\]/g, '').toLowerCase();
  const letters = bare.replaceAll(/am\/pm|a\/p/g, 'h');
  // In dates, digits only occur as fractions of a second: an unquoted `0 USD` is a number.
  if (/[0#?]|general/.test(letters.replaceAll(/s[.,]0+/g, 's')))
    return letters.includes('%') ? 'percent' : 'number';
  if (/[dy]/.test(letters)) return 'date';
  if (/[hs]/.test(letters)) return 'time';
  return letters.includes('m') ? 'date' : 'number';
}
