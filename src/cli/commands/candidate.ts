import { Catalogue } from '../../catalogue/catalogues.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import { FILE_WRITERS } from '../../formats/writers.ts';
import { countRequired } from '../../publish/desk/approvals.ts';
import { describeHold, describeStale, describeState } from '../../publish/desk/candidate-facts.ts';
import { readPartLines } from '../../publish/desk/candidate-files.ts';
import { type DescribedChanges, describeChanges } from '../../publish/desk/describe-changes.ts';
import { findStale } from '../../publish/desk/find-stale.ts';
import type { ReleaseDesk } from '../../publish/desk/release-desk.ts';
import type { LoadReport } from '../../publish/load/load-report.ts';
import { findControlCharacter } from '../../shared/control-characters.ts';
import type { Candidate, Store } from '../../store/open-store.ts';
import { findStoredDataset, parseNumberOption, parseWholeNumber } from '../arguments.ts';
import { CHANGE_COLUMNS, formatCandidatePage, toCells } from '../candidate-page.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import {
  formatChangeCounts,
  formatColumns,
  formatInteger,
  formatReport,
  pluralize,
} from '../format.ts';
import { formatJson, printJson, printLine, printNote, printOutcome } from '../output.ts';
import { PUBLISH_OPTIONS } from '../publish-options.ts';
import { closeAfter, withDesk } from '../with-store.ts';
import { REPLACE_OPTION, writeOutputFile } from '../write-output-file.ts';

const { wait, 'clock-skew': clockSkew } = PUBLISH_OPTIONS;
const OPTIONS = { wait, json: { help: 'As JSON' } };
const MAX_LISTED = 20;

export const candidateListCommand: Command = {
  usage: 'candidate list [--all] [--json]',
  summary: 'List the releases that wait to be published, which no reader sees',
  options: { all: { help: 'Also those that were published or withdrawn' }, ...OPTIONS },
  async run(call) {
    await withDesk(call, async (desk, store) => {
      await noteStale(desk, store);
      const candidates = await desk.store.list(call.options.all === true);
      if (call.options.json) return printJson(candidates);
      if (candidates.length === 0)
        return printLine('No candidates; --stage of load, retire or revert keeps one.');
      const rows: string[][] = [];
      for (const candidate of candidates) rows.push(await toTableRow(desk, candidate));
      printLine(formatColumns([COLUMN_TITLES, ...rows]));
    });
  },
};

const COLUMN_TITLES = ['candidate', 'dataset', 'changes', 'due', 'bundle', 'by', 'state', 'note'];

async function toTableRow(desk: ReleaseDesk, candidate: Candidate): Promise<string[]> {
  const { id, changes, due, bundle, stagedBy, note } = candidate;
  const total = changes.reduce((sum, each) => sum + each.added + each.corrected + each.retired, 0);
  return [
    String(id),
    getNames(candidate),
    formatInteger(total),
    due ?? '–',
    bundle ?? '–',
    stagedBy,
    await describeProgress(desk, candidate),
    (note ?? '').replaceAll('\n', ' '),
  ];
}

function getNames({ changes, input }: Candidate): string {
  const names = changes.map(({ dataset }) => dataset);
  return names.length > 0 ? names.join(', ') : `${input.kind}`;
}

/** What a candidate waits for, or what became of it. */
async function describeProgress(desk: ReleaseDesk, candidate: Candidate): Promise<string> {
  if (candidate.state !== 'staged') return describeState(candidate);
  const hold = describeHold(candidate);
  if (hold !== undefined) return hold;
  const required = await countRequired(desk.store, candidate);
  const approved = candidate.approvals.map(({ by }) => by);
  const by = approved.length > 0 ? `approved by ${approved.join(', ')}` : 'staged';
  return required > 0 ? `${by} (${pluralize(required, 'approval')} needed)` : by;
}

/** Tells of candidates whose records were changed by others since. */
export async function noteStale(desk: ReleaseDesk, store: Store): Promise<void> {
  const stale = await closeAfter(store.reader(), (reader) => findStale(desk.store, reader));
  for (const candidate of stale)
    printNote(
      `candidate ${candidate.id} is stale: ${describeStale(candidate)}; it needs to be approved anew`,
    );
}

export const candidateShowCommand: Command = {
  usage: 'candidate show N [--changes] [--csv FILE] [--xlsx FILE] [--html FILE] [--json]',
  maxArguments: 1,
  summary: 'Show what a candidate would change, its report and who approved it',
  options: {
    changes: { help: 'The changes by period and series, and the largest of them' },
    limit: { placeholder: 'N', help: `Maximum number of changes shown (default: ${MAX_LISTED})` },
    csv: { placeholder: 'FILE', help: 'Write all changes to a CSV file' },
    xlsx: { placeholder: 'FILE', help: 'Write all changes to a workbook' },
    html: { placeholder: 'FILE', help: 'Write a page to pass on or print' },
    ...REPLACE_OPTION,
    ...OPTIONS,
  },
  async run(call) {
    const id = parseCandidateNumber(call.positionals[0]);
    const limit = parseNumberOption(call, 'limit', 1, 999_999_999) ?? MAX_LISTED;
    const { changes, csv, xlsx, html, json } = call.options;
    await withDesk(call, async (desk, store) => {
      await noteStale(desk, store);
      const found = await getCandidate(desk, id);
      const wantsChanges = [changes, csv, xlsx, html].some((option) => option !== undefined);
      const isStale = found.staleSince !== undefined || found.problem !== undefined;
      const candidate =
        wantsChanges && found.state === 'staged' && isStale ? await desk.refresh(id) : found;
      const described = wantsChanges ? await describeAll(call, desk, candidate) : [];
      const facts = await listFacts(desk, candidate);
      const page = [formatCandidatePage(facts, candidate, described)];
      if (csv !== undefined)
        await writeOutputFile(call, String(csv), writeTable('csv', id, described));
      if (xlsx !== undefined)
        await writeOutputFile(call, String(xlsx), writeTable('xlsx', id, described));
      if (html !== undefined) await writeOutputFile(call, String(html), page);
      if (json) return printJson(wantsChanges ? { ...candidate, described } : candidate);
      const lines = [`Candidate ${id} of ${getNames(candidate)}`, ...facts];
      lines.push(...formatReport(candidate.report as Partial<LoadReport>));
      for (const each of described) lines.push(...formatDescribed(each, limit));
      printLine(lines.join('\n'));
    });
  },
};

async function getCandidate(desk: ReleaseDesk, id: number): Promise<Candidate> {
  const candidate = await desk.store.find(id);
  if (candidate) return candidate;
  throw new CommandError(`there is no candidate ${id}; tenor candidate list shows which there are`);
}

async function listFacts(desk: ReleaseDesk, candidate: Candidate): Promise<string[]> {
  const { author, stagedBy, stagedAt, base, due, bundle, note, changes } = candidate;
  return [
    `State: ${await describeProgress(desk, candidate)}`,
    `Staged at ${stagedAt} by ${stagedBy} for ${author}, on revision ${base}`,
    ...(due === undefined ? [] : [`Due at ${due}`]),
    ...(bundle === undefined ? [] : [`Bundle: ${bundle}`]),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...changes.map((change) => `${change.dataset}: ${formatChangeCounts(change)}`),
  ];
}

async function describeAll(call: CommandCall, desk: ReleaseDesk, { id, changes }: Candidate) {
  const described: DescribedChanges[] = [];
  for (const { dataset: name } of changes) {
    const dataset =
      new Catalogue(shippedDatasets).find(name) ?? (await findStoredDataset(call, name));
    described.push(
      await describeChanges(dataset, readPartLines(desk.store, id, `changes ${name}`)),
    );
  }
  return described;
}

function formatDescribed({ changes, byPeriod, bySeries }: DescribedChanges, limit: number) {
  const groups = [
    ['period', byPeriod],
    ['series', bySeries],
  ] as const;
  const lines = groups.flatMap(([title, list]) => {
    if (list.length < 2) return [];
    const rows = list
      .slice(0, limit)
      .map(({ name, added, corrected, retired }) => [
        name,
        ...[added, corrected, retired].map(formatInteger),
      ]);
    const table = formatColumns([[title, 'added', 'corrected', 'retired'], ...rows]);
    const hidden = list.length - rows.length;
    return ['', table, ...(hidden > 0 ? [`… and ${formatInteger(hidden)} more`] : [])];
  });
  const rows = changes.slice(0, limit).map((change) => toCells(change).map(formatCell));
  lines.push('', formatColumns([[...CHANGE_COLUMNS], ...rows]));
  if (changes.length > limit) lines.push(`… and ${formatInteger(changes.length - limit)} more`);
  return lines;
}

const formatCell = (value: string | number | null) =>
  value === null ? '' : typeof value === 'number' ? String(value) : value;

function writeTable(format: 'csv' | 'xlsx', id: number, described: readonly DescribedChanges[]) {
  const columns = CHANGE_COLUMNS.map((name) => {
    const isNumber = name === 'difference' || name === 'percent';
    return { name, type: isNumber ? 'number' : 'text' } as const;
  });
  const isNumber = (index: number) => columns[index]?.type === 'number';
  const rows = described.flatMap(({ changes }) =>
    changes.map((change) =>
      toCells(change).map((cell, index) =>
        isNumber(index) || cell === null ? cell : String(cell),
      ),
    ),
  );
  return FILE_WRITERS[format]({
    title: `Candidate ${id}`,
    columns,
    rows: (async function* () {
      yield rows;
    })(),
  });
}

export const candidateApproveCommand: Command = {
  usage: 'candidate approve N [--json]',
  maxArguments: 1,
  summary: 'Approve what a candidate would change, as another account than who staged it',
  options: OPTIONS,
  async run(call) {
    const id = parseCandidateNumber(call.positionals[0]);
    const approved = await withDesk(call, async (desk, store) => {
      await noteStale(desk, store);
      return desk.approve(id);
    });
    const by = approved.approvals.at(-1)?.by;
    await printCandidate(call, approved, `Candidate ${id} is approved by ${by}.`);
  },
};

export const candidateWithdrawCommand: Command = {
  usage: 'candidate withdraw N [--json]',
  maxArguments: 1,
  summary: 'Withdraw a candidate; what is said of it stays, its records do not',
  options: OPTIONS,
  async run(call) {
    const id = parseCandidateNumber(call.positionals[0]);
    const withdrawn = await withDesk(call, (desk) => desk.withdraw(id));
    await printCandidate(call, withdrawn, `Candidate ${id} is withdrawn.`);
  },
};

export const candidatePublishCommand: Command = {
  usage: 'candidate publish N [--urgent REASON] [--json]',
  maxArguments: 1,
  summary: 'Publish a candidate now, with all others of its bundle',
  options: {
    urgent: {
      placeholder: 'REASON',
      help: 'Publish it without the approvals that it needs; the ledger keeps the reason',
    },
    'clock-skew': clockSkew,
    ...OPTIONS,
  },
  async run(call) {
    const id = parseCandidateNumber(call.positionals[0]);
    const urgent = parseReason(call);
    const { all: published } = await withDesk(call, async (desk, store) => {
      await noteStale(desk, store);
      await getCandidate(desk, id);
      return desk.publish([id], { urgent });
    });
    const text = call.options.json
      ? formatJson(published)
      : published.map((each) => `Candidate ${each.id} is ${describeState(each)}.`).join('\n');
    await printOutcome(text, `candidate ${id} was published`);
  },
};

function parseReason({ options: { urgent } }: CommandCall): string | undefined {
  if (urgent === undefined) return undefined;
  const reason = String(urgent).trim();
  if (reason !== '' && reason.length <= 500 && !findControlCharacter(reason)) return reason;
  throw new UsageError('--urgent must be a reason of up to 500 characters');
}

function parseCandidateNumber(text: string | undefined): number {
  if (text !== undefined) return parseWholeNumber('N', text, 1, 999_999_999);
  throw new UsageError('the number of a candidate is required; tenor candidate list shows them');
}

async function printCandidate(call: CommandCall, candidate: Candidate, text: string) {
  await printOutcome(call.options.json ? formatJson(candidate) : text, text);
}
