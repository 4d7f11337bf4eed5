import { createLookupTable } from '../../shared/lookup-table.ts';
import { InvalidFileError } from '../file-contents.ts';

/** The value of an attribute, if there is one; `*:id` finds `id` with any namespace prefix. */
export function readAttribute(attributes: string, name: string): string | undefined {
  let position = 0;
  for (;;) {
    const equals = attributes.indexOf('=', position);
    if (equals < 0) return undefined;
    const start = skipWhitespace(attributes, equals + 1);
    const quote = attributes.charAt(start);
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, start + 1) : -1;
    if (end < 0) return throwDamaged(attributes);
    if (hasName(attributes, skipWhitespace(attributes, position), equals, name))
      return decodeEntities(attributes.slice(start + 1, end)) ?? throwDamaged(attributes);
    position = end + 1;
  }
}

export const SPACE = 0x20;

function skipWhitespace(text: string, start: number): number {
  let position = start;
  while (text.charCodeAt(position) <= SPACE) position += 1;
  return position;
}

// Files have millions of cells with attributes, so names are compared without slicing.
function hasName(text: string, start: number, equals: number, name: string): boolean {
  let end = equals;
  while (text.charCodeAt(end - 1) <= SPACE) end -= 1;
  if (name.startsWith('*')) return text.slice(start, end).endsWith(name.slice(1));
  return end - start === name.length && text.startsWith(name, start);
}

function throwDamaged(attributes: string): never {
  const start = attributes
    .trim()
    .slice(0, 80)
    .replaceAll(/\p{Cc}/gu, ' ');
  throw new InvalidFileError(`is damaged: it has the attributes ${start}`);
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = createLookupTable({
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
});

const REFERENCE = /&(?:([a-z]+)|#([0-9]+)|#x([0-9a-fA-F]+));|&/g;

/** XML text with its references replaced; undefined if one is unknown. */
export function decodeEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let isValid = true;
  const decoded = text.replaceAll(REFERENCE, (_, name?: string, decimal?: string, hex?: string) => {
    const character =
      name === undefined ? toCharacter(Number(decimal ?? `0x${hex}`)) : NAMED_ENTITIES[name];
    if (character === undefined) isValid = false;
    return character ?? '';
  });
  return isValid ? decoded : undefined;
}

function toCharacter(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

export function encodeEntities(text: string): string {
  return text.replaceAll(/[<>&"]/g, (character) => ENTITY_BY_CHARACTER.get(character) ?? character);
}

const ENTITY_BY_CHARACTER = new Map(
  Object.entries(NAMED_ENTITIES).map(([name, character]) => [character, `&${name};`]),
);
