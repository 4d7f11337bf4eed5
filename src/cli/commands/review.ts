import { GuardError } from '../../publish/errors.ts';
import { findStoredDataset, parseWholeNumber } from '../arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { formatColumns, pluralize } from '../format.ts';
import { formatJson, printJson, printLine, printOutcome } from '../output.ts';
import { getAuthor, PUBLISH_OPTIONS } from '../publish-options.ts';
import { stageAndPrint } from '../stage-candidate.ts';
import { withDesk } from '../with-store.ts';

const { author, stage, wait } = PUBLISH_OPTIONS;
const MAX_APPROVALS = 2;

export const reviewRequireCommand: Command = {
  usage: 'review require DATASET 0|1|2 [--stage]',
  maxArguments: 2,
  summary: 'Set how many approvals changes of a dataset need, by others than who stages them',
  options: { stage, author, wait, json: { help: 'As JSON' } },
  details:
    'A dataset that needs approvals is only changed by candidates: load, retire and revert exit 3 without\n--stage. Fewer approvals than before need to be approved themselves, with --stage. It guards against\nmistakes, not against those who can write to the database.',
  async run(call) {
    const dataset = await findStoredDataset(call, call.positionals[0]);
    const [, count] = call.positionals;
    if (count === undefined) throw new UsageError('the number of approvals is required');
    const approvals = parseWholeNumber('the number of approvals', count, 0, MAX_APPROVALS);
    const input = { kind: 'review', dataset: dataset.name, approvals } as const;
    if (call.options.stage) return stageAndPrint(call, getAuthor(call), { input });
    await withDesk(call, async (desk) => {
      const current = (await desk.store.reviews()).get(dataset.name) ?? 0;
      if (approvals < current)
        throw new GuardError(
          'needs-approval',
          `changes of ${dataset.name} need ${pluralize(current, 'approval')}: fewer must be approved as well, with --stage`,
        );
      await desk.store.setReview(dataset.name, approvals);
    });
    const text = `Changes of ${dataset.name} need ${pluralize(approvals, 'approval')}.`;
    await printOutcome(call.options.json ? formatJson(input) : text, text);
  },
};

export const reviewListCommand: Command = {
  usage: 'review list [--json]',
  summary: 'Show how many approvals changes of each dataset need',
  options: { json: { help: 'As JSON' } },
  async run(call) {
    const reviews = await withDesk(call, (desk) => desk.store.reviews());
    if (call.options.json) return printJson(Object.fromEntries(reviews));
    if (reviews.size === 0) return printLine('No dataset needs approvals.');
    const rows = Array.from(reviews, ([name, approvals]) => [name, String(approvals)]);
    printLine(formatColumns([['dataset', 'approvals'], ...rows]));
  },
};
