import {
  AUDIT_LINE_START,
  type AuditPlace,
  CLOSED_EVENT,
  digestAuditLine,
  OPENED_EVENT,
} from '../shared/audit-line.ts';

/** The lines of one process start that are in the files. */
interface CheckedChain {
  readonly chain: string;
  readonly first: number;
  last: number;
  /** Of the last line, to be compared with a note of it elsewhere. */
  digest: string;
  /** Whether its process was stopped, so that no line is missing at the end. */
  isClosed: boolean;
  location: string;
}

export interface AuditCheck {
  readonly lines: number;
  readonly chains: readonly Omit<CheckedChain, 'location'>[];
  readonly faults: readonly string[];
  readonly faultCount: number;
  readonly warnings: readonly string[];
  readonly warningCount: number;
}

interface AuditLine extends AuditPlace {
  readonly event: string;
  readonly digest: string;
}

/** Between a look at the end of the file and the first line of a chain, others may append. */
const MAX_RECENT_LINES = 1_000;

/** Checks the chains of an audit log, line by line, from the oldest file to the newest. */
export class AuditLogChecker {
  readonly #chains = new Map<string, CheckedChain>();
  readonly #faults = new Findings();
  readonly #warnings = new Findings();
  /** Digests of the last lines, whatever their chains. */
  readonly #recent = new Set<string>();
  #lines = 0;
  #isOfEarlierVersion = false;

  addLine(bytes: Uint8Array, location: string): void {
    if (bytes.length === 0) return;
    const text = Buffer.from(bytes).toString();
    for (const part of splitText(text)) {
      const line = parseLine(part);
      if (line) this.#addToChain(line, location);
      else if (isCut(part)) this.#warnings.add(location, 'cut off, as by a full disk or a kill');
      else if (this.#chains.size === 0 && isObject(part)) this.#warnOfEarlierVersion(location);
      else this.#faults.add(location, 'belongs to no chain: it was put in, or changed');
    }
    this.#remember(digestAuditLine(bytes));
    this.#lines++;
  }

  finish(): AuditCheck {
    const chains = [...this.#chains.values()].map(({ location: _, ...chain }) => chain);
    const [faults, warnings] = [this.#faults, this.#warnings];
    return {
      ...{ lines: this.#lines, chains, faults: faults.listed, faultCount: faults.count },
      ...{ warnings: warnings.listed, warningCount: warnings.count },
    };
  }

  #warnOfEarlierVersion(location: string): void {
    if (!this.#isOfEarlierVersion)
      this.#warnings.add(
        location,
        'lines of an earlier version, which had no chain: nothing proves them',
      );
    this.#isOfEarlierVersion = true;
  }

  #addToChain(line: AuditLine, location: string): void {
    const { chain: name, number, digest, event } = line;
    const chain = this.#chains.get(name);
    if (!chain) this.#checkStart(line, location);
    else this.#checkOrder(line, chain, location);
    this.#remember(digest);
    if (chain && number <= chain.last) return;
    const end = { last: number, digest, isClosed: event === CLOSED_EVENT, location };
    this.#chains.set(name, { chain: name, first: chain?.first ?? number, ...end });
  }

  #checkOrder({ number, previous }: AuditLine, chain: CheckedChain, location: string): void {
    const { chain: name, last, digest } = chain;
    if (number <= last)
      this.#faults.add(location, `number ${number} of chain ${name} was moved here, or copied`);
    else if (number > last + 1)
      this.#faults.add(
        location,
        `chain ${name} goes on from number ${last} with ${number}: lines were cut out, moved, or are in a file that was not given`,
      );
    else if (previous !== digest)
      this.#faults.add(chain.location, `number ${last} of chain ${name} was changed`);
  }

  /** The first line of a chain refers to the last one of the file, or of the chain in another file. */
  #checkStart({ chain, number, previous, event }: AuditLine, location: string): void {
    const isKnown = previous === null || this.#recent.has(previous);
    if (event !== OPENED_EVENT)
      this.#faults.add(location, `the lines of chain ${chain} before it were cut out`);
    else if (number > 1 || (!isKnown && this.#lines === 0))
      this.#warnings.add(location, `chain ${chain} goes on from a file that was not given`);
    else if (!isKnown)
      this.#faults.add(location, `the line before chain ${chain} was changed or cut out`);
  }

  #remember(digest: string): void {
    this.#recent.add(digest);
    const [oldest] = this.#recent;
    if (this.#recent.size > MAX_RECENT_LINES && oldest !== undefined) this.#recent.delete(oldest);
  }
}

/** Parameters of a request may begin as a line does, so that more than one place is tried. */
const MAX_TRIED_STARTS = 32;

/** A line is appended to what a process left of one when it was killed, or when the disk was full. */
function splitText(text: string): string[] {
  if (isObject(text)) return [text];
  let start = text.indexOf(AUDIT_LINE_START, 1);
  for (let tried = 0; start > 0 && tried < MAX_TRIED_STARTS; tried++) {
    if (isObject(text.slice(start))) return [...splitText(text.slice(0, start)), text.slice(start)];
    start = text.indexOf(AUDIT_LINE_START, start + 1);
  }
  return [text];
}

function isCut(text: string): boolean {
  const isBegun = text.startsWith(AUDIT_LINE_START) || AUDIT_LINE_START.startsWith(text);
  return isBegun && !isObject(text);
}

const isObject = (text: string) => parseObject(text) !== undefined;

function parseLine(text: string): AuditLine | undefined {
  const { event, chain, number, previous } = parseObject(text) ?? {};
  if (typeof event !== 'string' || typeof chain !== 'string' || !Number.isSafeInteger(number))
    return undefined;
  const digest = digestAuditLine(text);
  return { event, chain, number: Number(number), previous: previous as string | null, digest };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const MAX_LISTED = 100;

/** Findings with their places, of which the first are listed and all counted. */
class Findings {
  readonly listed: string[] = [];
  count = 0;

  add(location: string, text: string): void {
    this.count++;
    if (this.listed.length < MAX_LISTED) this.listed.push(`${location}: ${text}`);
  }
}
