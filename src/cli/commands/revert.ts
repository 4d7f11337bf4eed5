import { catalogue } from '../../catalogue/index.ts';
import { revertRevision } from '../../publish/revert-revision.ts';
import { parseRevisionNumber } from '../arguments.ts';
import type { Command } from '../command.ts';
import { PUBLISH_OPTIONS, publishAndPrint } from '../publish-options.ts';
import { STAGE_AT_OPTION } from '../stage-candidate.ts';

export const revertCommand: Command = {
  usage: 'revert N [options]',
  maxArguments: 1,
  summary: 'Undo a revision by publishing a new one',
  options: { ...STAGE_AT_OPTION, ...PUBLISH_OPTIONS },
  async run(call) {
    const revision = parseRevisionNumber(call.positionals[0]);
    await publishAndPrint(call, { kind: 'revert', revision }, (publisher, options) =>
      revertRevision(publisher, catalogue, { revision, ...options }),
    );
  },
};
