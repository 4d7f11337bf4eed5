import { readPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { unescapeFromOffice } from './office-escapes.ts';

export type SharedStrings = Pick<readonly string[], 'at'>;

/** Joins the runs of each string, without phonetic hints. */
export async function readSharedStrings(zip: ZipArchive, part: string): Promise<SharedStrings> {
  const strings = new PackedStrings();
  let text = '';
  let isInText = false;
  await readPart(zip, part, {
    open(name, _, parent) {
      isInText = isVisibleText(name, parent);
    },
    text(chunk) {
      if (isInText) text += chunk;
    },
    close(name) {
      isInText = false;
      if (name !== 'si') return;
      strings.push(text);
      text = '';
    },
  });
  return strings;
}

/** Whether an element holds visible text; a `t` in `rPh` is a phonetic hint. */
export function isVisibleText(name: string, parent: string): boolean {
  return name === 't' && (parent === 'si' || parent === 'is' || parent === 'r');
}

const STRINGS_PER_BLOCK = 1024;

/** Packs strings into blocks of bytes: millions of string objects would take several times the memory. */
class PackedStrings implements SharedStrings {
  readonly #blocks: { readonly bytes: Buffer; readonly ends: Uint32Array }[] = [];
  #last: string[] = [];

  push(text: string): void {
    this.#last.push(text);
    if (this.#last.length < STRINGS_PER_BLOCK) return;
    let end = 0;
    const ends = Uint32Array.from(this.#last, (string) => {
      end += Buffer.byteLength(string);
      return end;
    });
    this.#blocks.push({ bytes: Buffer.from(this.#last.join('')), ends });
    this.#last = [];
  }

  at(index: number): string | undefined {
    if (!Number.isInteger(index)) return undefined;
    const blockIndex = index % STRINGS_PER_BLOCK;
    const block = this.#blocks[Math.floor(index / STRINGS_PER_BLOCK)];
    const text = block
      ? block.bytes.toString('utf8', block.ends[blockIndex - 1] ?? 0, block.ends[blockIndex])
      : this.#last[index - this.#blocks.length * STRINGS_PER_BLOCK];
    // Decoded only here, because an escape may be an unpaired surrogate, which UTF-8 cannot hold.
    return text === undefined ? undefined : unescapeFromOffice(text);
  }
}
