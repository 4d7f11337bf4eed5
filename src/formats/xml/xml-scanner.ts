import { InvalidFileError } from '../file-contents.ts';
import { decodeEntities, SPACE } from './xml-attributes.ts';

/** Callbacks of the scanner; names have no namespace prefix. */
export interface XmlReader {
  /** `attributes` is the text for `readAttribute`. */
  open(name: string, attributes: string, parent: string): void;
  /** Text may come in several chunks. */
  text(chunk: string): void;
  close(name: string, parent: string): void;
}

// Spreadsheet programs stay far below both limits.
const MAX_TAG_LENGTH = 262_144;
const MAX_DEPTH = 100;

const CDATA = '<![CDATA[';

/** Rejects what is not well-formed, and document types, whose entities can expand without end. */
export class XmlScanner {
  readonly #stack: string[] = [];
  /** Text whose end is still to come. */
  #pending = '';
  /** The end marker of the current comment, instruction or CDATA section. */
  #endMarker = '';
  #hasRoot = false;

  /** `part` is the file name for error messages. */
  constructor(
    private readonly part: string,
    private readonly reader: XmlReader,
  ) {}

  write(chunk: string): void {
    const text = this.#pending + chunk;
    let position = 0;
    while (position < text.length) {
      const next =
        this.#endMarker === ''
          ? this.#scanNext(text, position)
          : this.#scanToEndMarker(text, position);
      if (next === position) break;
      position = next;
    }
    this.#pending = text.slice(position);
    if (this.#pending.length > MAX_TAG_LENGTH) throw this.#damaged('a tag without end');
  }

  end(): void {
    if (this.#pending.trim() !== '' || this.#stack.length > 0 || !this.#hasRoot)
      throw this.#damaged('it ends too early');
  }

  /** Scans one text or tag; returns its end, or `position` itself if the end is missing. */
  #scanNext(text: string, position: number): number {
    if (text.charCodeAt(position) !== LESS) return this.#scanText(text, position);
    const second = text.charCodeAt(position + 1);
    if (second === QUESTION) return this.#startSection('?>', position + 2);
    if (second === EXCLAMATION) return this.#scanDeclaration(text, position);
    const end = findTagEnd(text, position + 1);
    if (end < 0) return position;
    if (second === SLASH) this.#close(getLocalName(text.slice(position + 2, end).trimEnd()));
    else this.#open(text, position + 1, end);
    return end + 1;
  }

  #scanText(text: string, position: number): number {
    const less = text.indexOf('<', position);
    let end = less < 0 ? text.length : less;
    if (less < 0) {
      // An entity or a line end may be split between chunks.
      const entity = text.lastIndexOf('&');
      if (entity >= position && end - entity < 12 && text.indexOf(';', entity) < 0) end = entity;
      else if (text.charCodeAt(end - 1) === RETURN) end -= 1;
    }
    if (end > position && this.#stack.length > 0)
      this.reader.text(this.#decode(text.slice(position, end)));
    return end;
  }

  #open(text: string, start: number, end: number): void {
    const isEmpty = text.charCodeAt(end - 1) === SLASH;
    const tagEnd = isEmpty ? end - 1 : end;
    let nameEnd = start;
    while (nameEnd < tagEnd && text.charCodeAt(nameEnd) > SPACE) nameEnd += 1;
    const name = getLocalName(text.slice(start, nameEnd));
    if (name === '') throw this.#damaged('a tag without a name');
    const parent = this.#stack.at(-1) ?? '';
    if (parent === '' && this.#hasRoot) throw this.#damaged('it has a second root');
    this.#hasRoot = true;
    this.#stack.push(name);
    if (this.#stack.length > MAX_DEPTH) throw this.#damaged('it is nested too deep');
    this.reader.open(name, text.slice(nameEnd, tagEnd), parent);
    if (isEmpty) this.#close(name);
  }

  #close(name: string): void {
    if (this.#stack.pop() !== name) throw this.#damaged(`</${name.slice(0, 40)}> is out of place`);
    this.reader.close(name, this.#stack.at(-1) ?? '');
  }

  #scanDeclaration(text: string, position: number): number {
    const start = text.slice(position, position + CDATA.length);
    if (start.startsWith('<!--')) return this.#startSection('-->', position + 4);
    if (start === CDATA) return this.#startSection(']]>', position + CDATA.length);
    if (CDATA.startsWith(start) || '<!--'.startsWith(start)) return position;
    throw new InvalidFileError(`is rejected: ${this.part} declares a document type`);
  }

  #startSection(endMarker: string, next: number): number {
    this.#endMarker = endMarker;
    return next;
  }

  #scanToEndMarker(text: string, position: number): number {
    const markerStart = text.indexOf(this.#endMarker, position);
    // The last characters may be the start of the marker.
    let end = markerStart < 0 ? Math.max(position, text.length - 2) : markerStart;
    if (this.#endMarker === ']]>') {
      if (markerStart < 0 && text.charCodeAt(end - 1) === RETURN) end -= 1;
      if (end > position) this.reader.text(normalizeLineEnds(text.slice(position, end)));
    }
    if (markerStart < 0) return Math.max(position, end);
    const next = markerStart + this.#endMarker.length;
    this.#endMarker = '';
    return next;
  }

  #decode(text: string): string {
    const decoded = decodeEntities(normalizeLineEnds(text));
    if (decoded === undefined) throw this.#damaged('a character reference that means nothing');
    return decoded;
  }

  #damaged(reason: string): InvalidFileError {
    return new InvalidFileError(`is damaged: in ${this.part}, ${reason}`);
  }
}

const normalizeLineEnds = (text: string) =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

const [EXCLAMATION, DOUBLE_QUOTE, SINGLE_QUOTE, RETURN] = [0x21, 0x22, 0x27, 0x0d];
const [SLASH, LESS, GREATER, QUESTION] = [0x2f, 0x3c, 0x3e, 0x3f];

/** The position of the `>`; one inside quotes is part of a value. */
function findTagEnd(text: string, start: number): number {
  for (let position = start; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === GREATER) return position;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      position = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", position + 1);
      if (position < 0) return -1;
    }
  }
  return -1;
}

function getLocalName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
