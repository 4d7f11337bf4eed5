import { InvalidFileError } from '../file-contents.ts';
import { decodeEntities } from './xml-entities.ts';

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

// Files have millions of cells with attributes: names are compared without slicing.
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
