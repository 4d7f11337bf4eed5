import { readPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/unzip.ts';
import { unescapeFromOffice } from './office-escapes.ts';

/** The texts that the cells of a workbook share, by number. */
export interface SharedStrings {
  at(index: number): string | undefined;
}

/** Reads the shared texts of a workbook: runs joined, pronunciation left out. */
export async function readSharedStrings(zip: ZipArchive, part: string): Promise<SharedStrings> {
  const strings = new PackedStrings();
  let text = '';
  let inText = false;
  await readPart(zip, part, {
    open(name, _, parent) {
      inText = isVisibleText(name, parent);
    },
    text(chunk) {
      if (inText) text += chunk;
    },
    close(name) {
      inText = false;
      if (name !== 'si') return;
      strings.push(text);
      text = '';
    },
  });
  return strings;
}

/** Whether an element holds text that a cell shows; a `t` in `rPh` says how to pronounce it. */
export function isVisibleText(name: string, parent: string): boolean {
  return name === 't' && (parent === 'si' || parent === 'is' || parent === 'r');
}

const STRINGS_PER_BLOCK = 1024;

/** Millions of strings, kept as blocks of bytes: as objects they would take several times as much. */
class PackedStrings implements SharedStrings {
  readonly #blocks: { readonly bytes: Buffer; readonly ends: Uint32Array }[] = [];
  #last: string[] = [];

  push(text: string): void {
    this.#last.push(text);
    if (this.#last.length < STRINGS_PER_BLOCK) return;
    let end = 0;
    const ends = Uint32Array.from(this.#last, (one) => {
      end += Buffer.byteLength(one);
      return end;
    });
    this.#blocks.push({ bytes: Buffer.from(this.#last.join('')), ends });
    this.#last = [];
  }

  at(index: number): string | undefined {
    if (!Number.isInteger(index)) return undefined;
    const place = index % STRINGS_PER_BLOCK;
    const block = this.#blocks[Math.floor(index / STRINGS_PER_BLOCK)];
    const text = block
      ? block.bytes.toString('utf8', block.ends[place - 1] ?? 0, block.ends[place])
      : this.#last[index - this.#blocks.length * STRINGS_PER_BLOCK];
    // Undone only now, as an escape may stand for half a character, which bytes cannot hold.
    return text === undefined ? undefined : unescapeFromOffice(text);
  }
}
