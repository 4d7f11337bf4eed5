import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadGenerator } from './load-generator.ts';
import { formatResultTable, type ResultRow } from './result-table.ts';
import { ROOT } from './server-processes.ts';

const PAGE = join(ROOT, 'docs', 'performance.md');

/** Puts the results of a benchmark into docs/performance.md, in place of its earlier ones. */
export async function writeResults(
  name: string,
  rows: readonly ResultRow[],
  allNames: readonly string[],
): Promise<void> {
  const page = await Bun.file(PAGE).text();
  await Bun.write(PAGE, replaceResults(page, name, formatResultTable(rows), allNames));
}

/** Exported for its test. Sections are in the order of the names; unknown ones are dropped. */
export function replaceResults(
  page: string,
  name: string,
  table: string,
  allNames: readonly string[],
): string {
  return replaceMarked(page, 'measured', (results) => {
    const [, ...sections] = results.split(/^(?=### )/m);
    const findSection = (other: string) =>
      other === name
        ? `### ${name}\n\n${table}\n`
        : sections.find((section) => section.startsWith(`### ${other}\n`));
    const text = allNames.map((other) => findSection(other) ?? '').join('');
    return `${describeMachine()}\n\n${text}`;
  });
}

/** Replaces the part of a page between the two comments of a name. */
function replaceMarked(page: string, name: string, replace: (text: string) => string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before = '', marked = ''] = page.split(start);
  const [text = '', after = ''] = marked.split(end);
  return `${before}${start}${replace(text)}${end}${after}`;
}

function describeMachine(): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  const system = `${process.platform} ${process.arch}, ${cpus().length} cores (${model.trim()})`;
  return `Bun ${Bun.version}, ${system}, load by ${loadGenerator.name}.`;
}
