import { join } from 'node:path';
import { helpOf } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { WARNING_RULES } from '../../src/publish/quality/index.ts';

/** The pages of this folder, by file name, made from what the program itself says. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'commands.md': commandsPage(), 'warnings.md': warningsPage() };
}

function commandsPage(): string {
  const sections = Object.entries(commands).map(
    ([name, command]) => `## ${name}\n\n\`\`\`\n${helpOf(command).trim()}\n\`\`\`\n`,
  );
  return ['# Commands\n', ...sections].join('\n');
}

function warningsPage(): string {
  const rows = Object.entries(WARNING_RULES).map(
    ([rule, meaning]) => `| \`${rule}\` | ${meaning} |`,
  );
  const about =
    'What `tenor load` and `tenor check` report. A warning never refuses a file, unless `--strict` is given.';
  return ['# Warnings', '', about, '', '| rule | when it warns |', '|---|---|', ...rows, ''].join(
    '\n',
  );
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(referencePages())) {
    await Bun.write(join(import.meta.dirname, name), text);
  }
}
