import { type CommandCall, type CommandOption, UsageError } from './command.ts';

/** The options of every command that publishes. */
export const PUBLISH_OPTIONS = {
  'dry-run': { help: 'Check everything, publish nothing, and show what would change' },
  author: { placeholder: 'NAME', help: 'Who publishes (default: the user who runs the command)' },
  wait: {
    placeholder: 'TIME',
    help: 'How long to wait for another publisher (default: 10min; 0s: do not wait)',
  },
  json: { help: 'As JSON' },
} as const satisfies Record<string, CommandOption>;

export function getAuthor({ options }: CommandCall): string {
  const { author } = options;
  if (author === undefined) return process.env.USER || process.env.LOGNAME || getSystemUser();
  if (typeof author === 'string' && author.trim() !== '' && !/\p{Cc}/u.test(author)) return author;
  throw new UsageError('--author must be text without control characters');
}

/** The system's name of the user, else the number: `os.userInfo` of Bun only reads $USER. */
function getSystemUser(): string {
  const { stdout, success } = Bun.spawnSync(['id', '-un'], { stderr: 'ignore' });
  return (success && stdout.toString().trim()) || `user ${process.getuid?.()}`;
}
