import { InvalidFileError } from '../file-contents.ts';
import { decodeEntities } from './xml-entities.ts';

/** What is told of an XML file while it is read; names come without their namespace's prefix. */
export interface XmlReader {
  /** `attributes` is their text: see `attribute`. */
  open(name: string, attributes: string, parent: string): void;
  /** A piece of text; one text may come in several. */
  text(chunk: string): void;
  close(name: string, parent: string): void;
}

// No tag that a spreadsheet program writes comes near either.
const MAX_TAG_LENGTH = 262_144;
const MAX_DEPTH = 100;

const CDATA = '<![CDATA[';

/**
 * Reads XML that comes in pieces, cut anywhere. What is not well-formed is refused as damaged, and
 * so is a document type: entities of its own can make little text endless.
 */
export class XmlScanner {
  readonly #reader: XmlReader;
  readonly #part: string;
  readonly #stack: string[] = [];
  /** What could not be read yet, as its end was missing. */
  #rest = '';
  /** Set inside what only this text ends: a comment, an instruction, or CDATA. */
  #until = '';
  #rooted = false;

  /** `part` names the file in refusals. */
  constructor(part: string, reader: XmlReader) {
    this.#part = part;
    this.#reader = reader;
  }

  write(chunk: string): void {
    const text = this.#rest + chunk;
    let at = 0;
    while (at < text.length) {
      const next = this.#until === '' ? this.#step(text, at) : this.#skip(text, at);
      if (next === at) break;
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > MAX_TAG_LENGTH) throw this.#damaged('a tag without end');
  }

  end(): void {
    if (this.#rest.trim() !== '' || this.#stack.length > 0 || !this.#rooted) {
      throw this.#damaged('it ends too early');
    }
  }

  /** Reads one text or tag; gives back where it ended, or `at` itself where the end is missing. */
  #step(text: string, at: number): number {
    if (text.charCodeAt(at) !== LESS) return this.#text(text, at);
    const second = text.charCodeAt(at + 1);
    if (second === QUESTION) return this.#begin('?>', at + 2);
    if (second === EXCLAMATION) return this.#declaration(text, at);
    const end = findTagEnd(text, at + 1);
    if (end < 0) return at;
    if (second === SLASH) this.#close(getLocalName(text.slice(at + 2, end).trimEnd()));
    else this.#open(text, at + 1, end);
    return end + 1;
  }

  #text(text: string, at: number): number {
    const less = text.indexOf('<', at);
    let end = less < 0 ? text.length : less;
    if (less < 0) {
      // An entity or a line end may be cut in two.
      const cut = text.lastIndexOf('&');
      if (cut >= at && end - cut < 12 && text.indexOf(';', cut) < 0) end = cut;
      else if (text.charCodeAt(end - 1) === RETURN) end -= 1;
    }
    if (end > at && this.#stack.length > 0) {
      this.#reader.text(this.#unescaped(text.slice(at, end)));
    }
    return end;
  }

  #open(text: string, start: number, end: number): void {
    const empty = text.charCodeAt(end - 1) === SLASH;
    const tagEnd = empty ? end - 1 : end;
    let nameEnd = start;
    while (nameEnd < tagEnd && text.charCodeAt(nameEnd) > SPACE) nameEnd += 1;
    const name = getLocalName(text.slice(start, nameEnd));
    if (name === '') throw this.#damaged('a tag without a name');
    const parent = this.#stack.at(-1) ?? '';
    if (parent === '' && this.#rooted) throw this.#damaged('it has a second root');
    this.#rooted = true;
    this.#stack.push(name);
    if (this.#stack.length > MAX_DEPTH) throw this.#damaged('it is nested too deep');
    this.#reader.open(name, text.slice(nameEnd, tagEnd), parent);
    if (empty) this.#close(name);
  }

  #close(name: string): void {
    if (this.#stack.pop() !== name) throw this.#damaged(`</${name.slice(0, 40)}> is out of place`);
    this.#reader.close(name, this.#stack.at(-1) ?? '');
  }

  #declaration(text: string, at: number): number {
    const start = text.slice(at, at + CDATA.length);
    if (start.startsWith('<!--')) return this.#begin('-->', at + 4);
    if (start === CDATA) return this.#begin(']]>', at + CDATA.length);
    if (CDATA.startsWith(start) || '<!--'.startsWith(start)) return at;
    throw new InvalidFileError(`is not an Excel workbook: ${this.#part} declares a document type`);
  }

  #begin(until: string, next: number): number {
    this.#until = until;
    return next;
  }

  #skip(text: string, at: number): number {
    const found = text.indexOf(this.#until, at);
    // The last characters may be the beginning of what ends it.
    let end = found < 0 ? Math.max(at, text.length - 2) : found;
    if (this.#until === ']]>') {
      if (found < 0 && text.charCodeAt(end - 1) === RETURN) end -= 1;
      if (end > at) this.#reader.text(normalizeLineEnds(text.slice(at, end)));
    }
    if (found < 0) return Math.max(at, end);
    const next = found + this.#until.length;
    this.#until = '';
    return next;
  }

  #unescaped(text: string): string {
    const plain = decodeEntities(normalizeLineEnds(text));
    if (plain === undefined) throw this.#damaged('a character reference that means nothing');
    return plain;
  }

  #damaged(how: string): InvalidFileError {
    return new InvalidFileError(`is damaged: in ${this.#part}, ${how}`);
  }
}

/** XML has one line end, whatever the file was written on. */
const normalizeLineEnds = (text: string) =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

const SPACE = 0x20;
const EXCLAMATION = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const RETURN = 0x0d;

/** Where the `>` stands; one inside quotes is part of a value. */
function findTagEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === GREATER) return at;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      at = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function getLocalName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
