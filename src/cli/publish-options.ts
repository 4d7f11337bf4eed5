import type { CandidateInput } from '../publish/desk/run-input.ts';
import type { PublishingOptions } from '../publish/publish-records.ts';
import type { RevertResult } from '../publish/revert-revision.ts';
import { findControlCharacter } from '../shared/control-characters.ts';
import type { Publisher, Revision } from '../store/open-store.ts';
import { type CommandCall, type CommandOption, UsageError } from './command.ts';
import { formatChangeCounts, formatOutcome } from './format.ts';
import { formatJson, printLine, printOutcome } from './output.ts';
import { isStaging, STAGE_OPTIONS, stageAndPrint } from './stage-candidate.ts';
import { withPublisher } from './with-store.ts';

/** The options of every command that publishes. */
export const PUBLISH_OPTIONS = {
  ...STAGE_OPTIONS,
  'dry-run': { help: 'Check everything, publish nothing, and show what would change' },
  author: { placeholder: 'NAME', help: 'Who publishes (default: the user who runs the command)' },
  note: {
    placeholder: 'TEXT',
    help: 'What readers should know of the revision; it is shown wherever the revision is',
  },
  wait: {
    placeholder: 'TIME',
    help: 'How long to wait for another publisher, or retry for locks (default: 10min; 0s: do not wait)',
  },
  'clock-skew': {
    placeholder: 'allow',
    help: 'Publish although the clock differs from that of the database server, is behind the last revision, or is 90 days ahead of everything in the database',
  },
  json: { help: 'As JSON; in a dry run, dryRun is true' },
} as const satisfies Record<string, CommandOption>;

export function getAuthor({ options }: CommandCall): string {
  const { author } = options;
  if (author === undefined) return process.env.USER || process.env.LOGNAME || getSystemUser();
  if (typeof author === 'string' && author.trim() !== '' && !findControlCharacter(author))
    return author;
  throw new UsageError('--author must be text without control characters');
}

/** The licence that a load states: an identifier such as those of SPDX, or a URL. */
export function parseLicence({ options: { licence } }: CommandCall): string | undefined {
  if (licence === undefined) return undefined;
  const text = String(licence);
  if (LICENCE_NAME_PATTERN.test(text) || LICENCE_URL_PATTERN.test(text)) return text;
  throw new UsageError('--licence must be an identifier such as CC-BY-4.0, or an http(s) URL');
}

const LICENCE_NAME_PATTERN = /^[-a-zA-Z0-9._]{1,100}$/;
const LICENCE_URL_PATTERN = /^https?:\/\/[!-~]{1,500}$/;

/** Deprecated: programs should read `dryRun`; the status changes with the next release. */
export const DRY_RUN_STATUS = 'rehearsed';

/** Publishes or stages, and prints the outcome of a retirement or a reversion as a line or as JSON. */
export async function publishAndPrint(
  call: CommandCall,
  input: CandidateInput,
  publish: (publisher: Publisher, options: PublishingOptions) => Promise<PublishedRevisions>,
): Promise<void> {
  if (isStaging(call)) return stageAndPrint(call, getAuthor(call), { input });
  if (call.options.at !== undefined) throw new UsageError('--at needs --stage');
  const isDryRun = call.options['dry-run'] === true;
  const options = { author: getAuthor(call), isDryRun };
  const result = await withPublisher(call, (publisher) => publish(publisher, options));
  const { revision, termsRevision, recordsRevision } = result;
  const { added, corrected, retired, unchanged } = revision;
  const counts = { added, corrected, retired, unchanged };
  const status = isDryRun ? DRY_RUN_STATUS : 'published';
  const outcome = { status, dryRun: isDryRun, ...(isDryRun ? { revision: null } : result), counts };
  const lines = [
    ...(recordsRevision ? [formatFurtherOutcome(recordsRevision, 'its records', isDryRun)] : []),
    formatOutcome(revision, counts, isDryRun),
    ...(termsRevision ? [formatFurtherOutcome(termsRevision, TERMS, isDryRun)] : []),
  ];
  const text = call.options.json ? formatJson(outcome) : lines.join('\n');
  if (isDryRun) printLine(text);
  else await printOutcome(text, `revision ${revision.revision} was published`);
}

/** A retirement or reversion may publish a second revision. */
interface PublishedRevisions extends RevertResult {
  readonly recordsRevision?: Revision | undefined;
}

const TERMS = 'the terms that came with the quotes';

function formatFurtherOutcome(further: Revision, what: string, isDryRun: boolean): string {
  const verb = isDryRun ? 'Would be a revision' : `Published revision ${further.revision}`;
  return `${verb} of ${further.dataset}, ${what}: ${formatChangeCounts(further)}.`;
}

/** The user name that the system reports, else the id: Bun's `os.userInfo` only reads $USER. */
function getSystemUser(): string {
  // Container images have no other program for this.
  const id = Bun.which('id');
  const name = id && Bun.spawnSync([id, '-un'], { stderr: 'ignore' }).stdout.toString().trim();
  return name || `user ${process.getuid?.()}`;
}
