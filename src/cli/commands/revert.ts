import { catalogue } from '../../catalogue/index.ts';
import { revertRevision } from '../../publish/revert-revision.ts';
import { parseRevisionNumber } from '../arguments.ts';
import type { Command } from '../command.ts';
import { PUBLISH_OPTIONS, publishAndPrint } from '../publish-options.ts';

export const revertCommand: Command = {
  usage: 'revert N [options]',
  maxArguments: 1,
  summary: 'Undo a revision by publishing a new one',
  options: PUBLISH_OPTIONS,
  async run(call) {
    const revision = parseRevisionNumber(call.positionals[0]);
    await publishAndPrint(call, (publisher, options) =>
      revertRevision(publisher, catalogue, { revision, ...options }),
    );
  },
};
