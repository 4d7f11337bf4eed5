import { isInstant } from '../catalogue/model/iso-date-time.ts';
import type { StageRequest } from '../publish/desk/release-desk.ts';
import { system } from '../shared/system.ts';
import { parseWholeNumber } from './arguments.ts';
import { type CommandCall, type CommandOption, UsageError } from './command.ts';
import { formatChangeCounts, formatReport } from './format.ts';
import { formatJson, printOutcome } from './output.ts';
import { parseNote, withDesk } from './with-store.ts';

/** The options of every command that can keep what it would publish. */
export const STAGE_OPTIONS = {
  stage: { help: 'Check everything, and keep it as a candidate that tenor candidate publishes' },
  bundle: {
    placeholder: 'NAME',
    help: 'With --stage: publish it together with all candidates of this name, or none',
  },
  'instead-of': {
    placeholder: 'N',
    help: 'With --stage: withdraw candidate N, whose place this one takes',
  },
} as const satisfies Record<string, CommandOption>;

export const STAGE_AT_OPTION = {
  at: {
    placeholder: 'INSTANT',
    help: 'With --stage: when it is to be published, such as 2026-06-30T09:00:00+05:00',
  },
} as const satisfies Record<string, CommandOption>;

/** The instant of `--at`, which must be in the future. */
export function parseReleaseInstant({ options: { at } }: CommandCall): Date | undefined {
  if (at === undefined) return undefined;
  const now = new Date(system.now());
  const instant = new Date(isInstant(String(at)) ? String(at) : 0);
  if (instant > now) return instant;
  throw new UsageError(
    `--at must be an instant after now (${now.toISOString()}), with Z or an offset, such as 2026-06-30T09:00:00+05:00`,
  );
}

/** Whether a command is to keep what it would publish; rejects options that have no effect then. */
export function isStaging({ options }: CommandCall): boolean {
  if (options.stage) {
    const other = ['dry-run', 'create'].find((option) => options[option]);
    if (other === undefined) return true;
    throw new UsageError(`--stage and --${other} cannot be combined`);
  }
  const lacking = ['bundle', 'instead-of'].find((option) => options[option] !== undefined);
  if (lacking) throw new UsageError(`--${lacking} needs --stage`);
  return false;
}

/** Keeps what a command would publish, and prints the number of the candidate. */
export async function stageAndPrint(
  call: CommandCall,
  author: string,
  {
    input,
    parts = [],
  }: { readonly input: StageRequest['input']; readonly parts?: StageRequest['parts'] },
): Promise<void> {
  const { bundle, 'instead-of': replaces } = call.options;
  const note = parseNote(call);
  const request = {
    input,
    parts,
    author,
    note,
    due: parseReleaseInstant(call)?.toISOString(),
    bundle: parseBundle(bundle),
    replaces:
      replaces === undefined
        ? undefined
        : parseWholeNumber('--instead-of', String(replaces), 1, 999_999_999),
  };
  const candidate = await withDesk(call, (desk) => desk.stage(request));
  if (call.options.json) {
    const status = candidate ? 'staged' : 'unchanged';
    return printOutcome(formatJson({ status, candidate: candidate ?? null }), status);
  }
  if (!candidate)
    return printOutcome('Nothing staged: it would change nothing.', 'nothing was staged');
  const lines = candidate.changes.map(
    (change) => `  ${change.dataset}: ${formatChangeCounts(change)}`,
  );
  const when = candidate.due === undefined ? '' : `, to be published at ${candidate.due}`;
  const text = [
    ...formatReport(candidate.report),
    `Staged candidate ${candidate.id}${when}:`,
    ...lines,
  ];
  await printOutcome(text.join('\n'), `candidate ${candidate.id} was staged`);
}

function parseBundle(bundle: string | boolean | undefined): string | undefined {
  if (bundle === undefined || /^[\w.-]{1,100}$/.test(String(bundle))) return bundle as string;
  throw new UsageError('--bundle must be up to 100 letters, digits, dots, hyphens and underscores');
}
