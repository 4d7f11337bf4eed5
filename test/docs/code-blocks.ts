import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Code between fences in a page. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** What a block of text right behind it says that it prints. */
  readonly prints?: string;
}

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const FENCED = /^```(.*)\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

/** The code of a page, in its order; output is with the block that prints it. */
export function blocksIn(page: string): readonly Block[] {
  return [...pageText(page).matchAll(FENCED)].map(([, language = '', code = '', prints]) => ({
    language,
    code,
    ...(prints !== undefined && { prints }),
  }));
}

/** A page as it is written. */
export function pageText(page: string): string {
  return readFileSync(join(DOCS, page), 'utf8');
}

/** Whether what was printed is what a page says, where `…` stands for anything within a line. */
export function isAsSaid(printed: string, said: string): boolean {
  const pattern = said.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.replaceAll('…', '.*')}$`).test(printed.replaceAll('\r', '').trim());
}
