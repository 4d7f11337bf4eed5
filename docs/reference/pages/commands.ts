import { helpOf } from '../../../src/cli/command.ts';
import { commands } from '../../../src/cli/commands.ts';
import { page } from './table.ts';

/** What each command says of itself. */
export function commandsPage(): string {
  const sections = Object.entries(commands).map(
    ([name, command]) => `## ${name}\n\n\`\`\`\n${helpOf(command).trim()}\n\`\`\``,
  );
  return page('Commands', ...sections);
}
