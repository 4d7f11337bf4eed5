import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadGenerator } from './load-generator.ts';
import { formatResultTable, type ResultRow } from './result-table.ts';
import { ROOT } from './server-processes.ts';

const PAGE = join(ROOT, 'docs', 'performance.md');
const START_MARKER = '<!-- measured -->\n';
const END_MARKER = '<!-- /measured -->';

/** Puts the results of a benchmark into docs/performance.md, in place of its earlier ones. */
export async function writeResults(name: string, rows: readonly ResultRow[]): Promise<void> {
  const page = await Bun.file(PAGE).text();
  await Bun.write(PAGE, replaceResults(page, name, formatResultTable(rows)));
}

/** Exported for its test. */
export function replaceResults(page: string, name: string, table: string): string {
  const [before = '', measured = ''] = page.split(START_MARKER);
  const [results = '', after = ''] = measured.split(END_MARKER);
  const [, ...sections] = results.split(/^### /m);
  const section = `${name}\n\n${table}\n`;
  const index = sections.findIndex((text) => text.startsWith(`${name}\n`));
  sections.splice(index < 0 ? sections.length : index, index < 0 ? 0 : 1, section);
  const text = sections.map((other) => `### ${other}`).join('');
  return `${before}${START_MARKER}${describeMachine()}\n\n${text}${END_MARKER}${after}`;
}

function describeMachine(): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  const system = `${process.platform} ${process.arch}, ${cpus().length} cores (${model.trim()})`;
  return `Bun ${Bun.version}, ${system}, load by ${loadGenerator.name}.`;
}
