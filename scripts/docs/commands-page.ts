import { formatHelp } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { page } from './markdown-table.ts';

/** The page with the help of every command. */
export function commandsPage(): string {
  const sections = Object.entries(COMMANDS).map(
    ([name, command]) => `## ${name}\n\n\`\`\`\n${formatHelp(command).trim()}\n\`\`\``,
  );
  return page('Commands', ...sections);
}
