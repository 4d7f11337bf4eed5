import type { Warning } from './warning-rules.ts';

/** The values of a dimension: those of a load, and those that are known. */
export interface DimensionValues {
  readonly field: string;
  readonly loaded: Iterable<string>;
  /** The codes of the declaration, and the values that are published. */
  readonly known: ReadonlySet<string>;
}

/** Warns of values that are another one in other letters, spaces or encoding, and of totals among others. */
export function* findCodeWarnings({ field, loaded, known }: DimensionValues): Generator<Warning> {
  const spellings = new Map<string, string>();
  for (const value of known)
    for (const text of [value.replace(/\.$/, ''), value])
      for (const key of listSpellings(text)) spellings.set(key, value);
  const values = [...loaded];
  for (const value of values) {
    if (known.has(value)) continue;
    const other = [...listSpellings(value), ...listSpellings(removeFootnote(value))]
      .map((key) => spellings.get(key))
      .find((found) => found !== undefined);
    if (other !== undefined) {
      const text = `${field} ${JSON.stringify(value)} differs from ${JSON.stringify(other)} only in letter case, spaces, zeros in front, a mark or encoding`;
      yield { rule: 'code-variant', field, value, text };
    } else if (TOTAL.test(value) && known.size + values.length > 1) {
      const text = `${field} ${JSON.stringify(value)} is the name of a total`;
      yield { rule: 'code-total', field, value, text };
    }
    for (const key of listSpellings(value)) if (!spellings.has(key)) spellings.set(key, value);
  }
}

/** At the end of a value: a star, a full stop, 1/, 2), (3). */
const FOOTNOTE = /(?:(?<![*†‡§#.])[*†‡§#.]+|(?<!\s)\s*\(?\d{1,2}[/)])$/;

function removeFootnote(value: string): string {
  const plain = value.replace(FOOTNOTE, '');
  return /\p{L}/u.test(plain) ? plain : value;
}

const TOTAL =
  /^world$|^of which\b|^(?:sub|grand|net)?[ -]*(?:totals?|sum)\b|\b(?:sub|grand)?[ -]?total$|^(?:gesamt|summe|somme|overall|all (?:banks|items|categories|countries|sectors|funds))\b/i;

/** The forms of a value that are the same for all of its spellings. */
function listSpellings(value: string): string[] {
  const text = repairEncoding(value);
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}|\p{Cf}|\s/gu, '')
    .replace(/[\u2010-\u2015\u2212_]/g, '-')
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\u0410-\u0445]/g, (letter) => LOOKALIKES.get(letter) ?? letter)
    .toLowerCase();
  const number = /^0*(0|[1-9]\d*)(?:\.0+)?$/.exec(plain)?.[1];
  // A letter that was lost has become one sign, or several.
  const isLossy = /\ufffd|\?/.test(text);
  const rest = text
    .replace(/[^ -~]|\?/g, '')
    .replace(/\s/g, '')
    .toLowerCase();
  const isTelling = rest.length >= 3 && (isLossy || /[^ -~]/.test(text));
  return [number ?? plain, ...(isTelling ? [`\0${rest}`] : [])];
}

/** Cyrillic letters that look like Latin ones. */
const LOOKALIKES = new Map(
  Object.entries({
    А: 'A',
    В: 'B',
    Е: 'E',
    К: 'K',
    М: 'M',
    Н: 'H',
    О: 'O',
    Р: 'P',
    С: 'C',
    Т: 'T',
    Х: 'X',
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    х: 'x',
  }),
);

/** Letters of UTF-8 that were read as those of Windows-1252, as they were. */
function repairEncoding(value: string): string {
  return value.replace(MISREAD, (signs) => {
    const bytes = Uint8Array.from([...signs], (sign) => BYTES.get(sign) ?? 0);
    const repaired = new TextDecoder().decode(bytes);
    return repaired.includes('\ufffd') ? signs : repaired;
  });
}

const MISREAD =
  /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2010-\u203a\u20ac\u2122]{1,3}/g;
const WINDOWS_1252 = new TextDecoder('windows-1252');
const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte) => [WINDOWS_1252.decode(Uint8Array.of(byte)), byte]),
);
