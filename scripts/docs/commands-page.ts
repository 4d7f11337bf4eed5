import { formatHelp } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { page } from './markdown-table.ts';

/** What each command says of itself. */
export function commandsPage(): string {
  const sections = Object.entries(COMMANDS).map(
    ([name, command]) => `## ${name}\n\n\`\`\`\n${formatHelp(command).trim()}\n\`\`\``,
  );
  return page('Commands', ...sections);
}
