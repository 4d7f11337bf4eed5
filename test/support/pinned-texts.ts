import { afterAll, expect } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Texts that a file of `test/fixtures` has by their titles, so that whatever no test states is stated
 * there. After a change that is meant, TENOR_PIN=1 writes them anew.
 */
export function usePinnedTexts(name: string): (title: string, text: string) => void {
  const file = join(import.meta.dirname, '../fixtures', name);
  const isWriting = process.env.TENOR_PIN === '1';
  const sections = isWriting
    ? []
    : readFileSync(file, 'utf8')
        .split(/\n?^=== /m)
        .slice(1);
  const pinned = new Map(sections.map(splitTitle));
  const written = new Map<string, string>();
  afterAll(() => {
    const texts = [...written].map(([title, text]) => `=== ${title}\n${text}\n`);
    if (isWriting) writeFileSync(file, texts.join('\n'));
  });
  return (title, text) => {
    written.set(title, text);
    if (!isWriting) expect(text).toBe(pinned.get(title) ?? '');
  };
}

function splitTitle(section: string): readonly [title: string, text: string] {
  const end = section.indexOf('\n');
  return [section.slice(0, end), section.slice(end + 1).replace(/\n$/, '')];
}

const LINE_WIDTH = 400;
/** An object with more members has records by name. */
const MAX_MEMBERS = 20;

/** JSON with a line for each value that is short, and for each record of a list, however long. */
export function formatRecords(value: unknown, indentation = ''): string {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || text.length < LINE_WIDTH) return text;
  const inner = `${indentation} `;
  const members = Object.entries(value);
  const isList = Array.isArray(value) || members.length > MAX_MEMBERS;
  const lines = members.map(([name, member]) => {
    const prefix = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    return prefix + (isList ? JSON.stringify(member) : formatRecords(member, inner));
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indentation}${close}`;
}
