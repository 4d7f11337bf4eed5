import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced code block of a page. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The text block that follows it: its expected output. */
  readonly output?: string;
}

const DOCS = join(import.meta.dirname, '../../../docs');
const FENCED = /^```(.*)\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

/** The code blocks of a page, each with its expected output. */
export function findCodeBlocks(page: string): readonly CodeBlock[] {
  return [...readPage(page).matchAll(FENCED)].map(([, language = '', code = '', output]) => ({
    language,
    code,
    ...(output !== undefined && { output }),
  }));
}

export function readPage(page: string): string {
  return readFileSync(join(DOCS, page), 'utf8');
}

/** Whether a text matches the output on a page, where `…` stands for anything within a line. */
export function matchesOutput(printed: string, output: string): boolean {
  const pattern = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.replaceAll('…', '.*')}$`).test(printed.replaceAll('\r', '').trim());
}
