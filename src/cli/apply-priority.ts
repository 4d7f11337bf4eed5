import { constants, setPriority } from 'node:os';
import type { CommandCall, CommandOption } from './command.ts';

export const NICE_OPTION = {
  nice: { help: 'Give way to other programs on busy cores; it may take many times longer' },
} as const satisfies Record<string, CommandOption>;

/** Gives priority to a server on the same machine if `--nice` asks for it. */
export function applyPriority({ options }: CommandCall): void {
  if (!options.nice) return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every system allows this.
  }
}
