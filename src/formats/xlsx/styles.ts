import { attribute } from './attributes.ts';
import { builtInShows, codeShows } from './number-format.ts';
import { readPart } from './parts.ts';
import type { Shows } from './serial.ts';
import type { Zip } from './unzip.ts';

/** What each cell style of a workbook shows, by the number that cells name it with. */
export async function stylesOf(zip: Zip, part: string): Promise<readonly Shows[]> {
  const own = new Map<number, Shows>();
  const formats: number[] = [];
  await readPart(zip, part, {
    open(name, attributes, parent) {
      // Both names stand elsewhere too, with another meaning.
      if (name === 'numFmt' && parent === 'numFmts') {
        const code = attribute(attributes, 'formatCode') ?? '';
        own.set(Number(attribute(attributes, 'numFmtId')), codeShows(code));
      }
      if (name === 'xf' && parent === 'cellXfs') {
        formats.push(Number(attribute(attributes, 'numFmtId') ?? 0));
      }
    },
  });
  return formats.map((format) => own.get(format) ?? builtInShows(format));
}
