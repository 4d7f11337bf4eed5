import { InvalidFileError } from '../file-contents.ts';
import { decodeEntities } from './xml-entities.ts';

/**
 * The value of one attribute, from the text of all of them, or undefined without it. The name is
 * the whole name, but `*:id` finds `id` under any prefix. Attributes that are none are refused.
 */
export function readAttribute(attributes: string, name: string): string | undefined {
  let at = 0;
  for (;;) {
    const equals = attributes.indexOf('=', at);
    if (equals < 0) return undefined;
    const start = skipWhitespace(attributes, equals + 1);
    const quote = attributes.charAt(start);
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, start + 1) : -1;
    if (end < 0) return throwDamaged(attributes);
    if (hasName(attributes, skipWhitespace(attributes, at), equals, name)) {
      return decodeEntities(attributes.slice(start + 1, end)) ?? throwDamaged(attributes);
    }
    at = end + 1;
  }
}

const SPACE = 0x20;

function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= SPACE) next += 1;
  return next;
}

// Cells have a few attributes each, and files have millions of cells: nothing is cut out to look.
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
