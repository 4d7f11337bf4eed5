import { expect, test } from 'bun:test';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { createPublishingWorkspace, ONLINE } from './publishing-workspace.ts';

const { run, workspace, writeYears } = createPublishingWorkspace();

test('load, backup and publish run at the priority of the shell, and below it only with --nice', async () => {
  const before = getPriority();
  const low = Math.max(before, constants.priority.PRIORITY_BELOW_NORMAL);
  // The last, because a process may not raise its own.
  for (const [index, options] of [[], ['--nice']].entries()) {
    const commands = [
      ['load', ONLINE, writeYears(`${index}.csv`, { 2023: index })],
      ['backup', join(workspace.folder, `${index}.db`)],
      ['publish', '--due'],
    ];
    for (const command of commands) {
      expect(await run(...command, ...options)).toMatchObject({ status: 0 });
      expect([command[0], getPriority()]).toEqual([command[0], index === 0 ? before : low]);
    }
  }
});
