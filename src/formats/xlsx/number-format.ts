import type { NumberFormatKind } from './serial-date.ts';

/** What a number format of its own code shows, such as `dd/mm/yyyy;@` or `#,##0.00`. */
export function classifyFormatCode(code: string): NumberFormatKind {
  const bare = code.replaceAll(LITERAL, ' ');
  if (ELAPSED.test(bare)) return 'number';
  // Positive and negative numbers, zero and text may be shown in ways of their own.
  const sections = bare.split(';').map(classifySection);
  return sections.find((shows) => shows !== 'number') ?? 'number';
}

/** What a number format shows that every workbook has, by its number. */
export function classifyBuiltInFormat(id: number): NumberFormatKind {
  if (isBetween(id, 18, 21) || id === 32 || id === 33 || id === 45 || id === 47) return 'time';
  if (id === 9 || id === 10) return 'percent';
  if (isBetween(id, 14, 22) || isBetween(id, 27, 36) || isBetween(id, 50, 58)) return 'date';
  // 46 is [h]:mm:ss: a length of time, which no date tells.
  return 'number';
}

const isBetween = (id: number, first: number, last: number) => id >= first && id <= last;

// Text in quotes, an escaped character, one whose width is left blank, one that fills the cell.
const LITERAL = /"[^"]*("|$)|\\.|_.|\*./gs;
const ELAPSED = /\[(h+|m+|s+)\]/i;

function classifySection(section: string): NumberFormatKind {
  // Colours, conditions and languages stand in brackets.
  const bare = section.replaceAll(/\[[^\]]*\]/g, '').toLowerCase();
  const letters = bare.replaceAll(/am\/pm|a\/p/g, 'h');
  // Fractions of a second are the only digits in a date: `0 USD` without quotes is none.
  if (/[0#?]|general/.test(letters.replaceAll(/s[.,]0+/g, 's'))) {
    return letters.includes('%') ? 'percent' : 'number';
  }
  if (/[dy]/.test(letters)) return 'date';
  if (/[hs]/.test(letters)) return 'time';
  return letters.includes('m') ? 'date' : 'number';
}
