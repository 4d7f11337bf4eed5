import { formatHelp } from '../../src/cli/command.ts';
import { importCommands } from '../../src/cli/commands/index.ts';
import { EXIT_STATUSES } from '../../src/cli/find-command.ts';
import { page, table } from './markdown-table.ts';

/** The page with the help of every command. */
export async function commandsPage(): Promise<string> {
  const sections = Object.entries(await importCommands()).map(
    ([name, command]) => `## ${name}\n\n\`\`\`\n${formatHelp(command).trim()}\n\`\`\``,
  );
  return page(
    'Commands',
    '`tenor help COMMAND` prints what is below. In a clone, `npx tenor` runs the command; [how to install it](../how-to/install.md) elsewhere.',
    table(['exit status', 'meaning'], Object.entries(EXIT_STATUSES)),
    ...sections,
  );
}
