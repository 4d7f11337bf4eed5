import { expect, test } from 'bun:test';
import { type FoundPattern, findPatterns } from '../support/find-patterns.ts';
import { type Attack, createAttacks } from '../support/pattern-attacks.ts';

/** Patterns that may take long on a long text, and why they get none from outside. */
const BOUNDED: Readonly<Record<string, string>> = {
  [String.raw`clients/typescript/src/copy-file.ts: /[^/\\]*$/`]:
    'the path of a file that a program names',
  [String.raw`src/cli/backups/stored-backups.ts: /\/*$/`]: 'an address that the operator names',
  [String.raw`src/cli/commands/backup.ts: /\/*$/`]: 'an address that the operator names',
  [String.raw`src/client/response-meta.ts: /(%?)"((?:[^"\\]|\\.)*)"/g`]:
    'a header of a response, of 16 KiB at most',
  [String.raw`src/client/response-meta.ts: /"(?:[^"\\]|\\.)*"/g`]:
    'a header of a response, of 16 KiB at most',
  [String.raw`src/explorer/api/aligned.ts: /(?:\([^)]*\)|[^,])+/g`]:
    'the columns that a reader chose in the page',
  [String.raw`src/explorer/embed/declared-entry.ts: /^(.*) \((.*)\)(?:; null .*)?$/`]:
    'the descriptions of the service itself',
  // A raw template would escape its letters.
  'src/explorer/portfolio/parse-positions.ts: /^"?([^\\s,;:"]+)"?[\\s,;:]+"?(\\(?[-−]?\\d[\\d\\s,.\'’_]*\\)?)"?[\\s,;]*$/':
    'a line of 1,000 characters at most',
  [String.raw`src/formats/parquet/columns.ts: /(000)+$/`]: 'the digits of a fraction of a second',
  [String.raw`src/http/request/client-address.ts: new RegExp(PAIR, 'g')`]:
    '1,024 characters of a header at most',
  'src/http/request/client-address.ts: new RegExp(`^\\\\s*${PAIR}(?:; ?(?:${PAIR})?)*\\\\s*$`)':
    '1,024 characters of a header at most',
  [String.raw`src/inspect/start/fill-template.ts: /(?<=\.table\([^){]+)(?:, \{ headerRows: \d+ \})?(?=\))/`]:
    'our own templates',
  [String.raw`src/ledger/read-leaves.ts: /\d+$/`]: 'the digits of an index',
  [String.raw`src/mirror/mirror-target.ts: /^(\w+):\/\/([^/]*)\/*(.*?)\/*$/`]:
    'an address that the operator names',
  [String.raw`src/operations/mcp/call-tool.ts: /[?&]cursor=([^>&]+)[^>]*>; rel="next"/`]:
    'a header that the service writes itself',
  [String.raw`src/publish/quality/period-set-warnings.ts: /(?:\.(\d+)|(0+))$/`]:
    'the digits of a number',
  [String.raw`src/settings.ts: /^(?!\w+:)|^(https?|s3):\/\/[^@/?#]+[^@?#]*$/i`]:
    'a setting, which the operator writes',
  [String.raw`src/settings.ts: /[\r\n]+$/`]: 'a setting, which the operator writes',
  [String.raw`src/settings.ts: /\/\/.*@/s`]: 'a setting, which the operator writes',
  [String.raw`src/settings.ts: /^([!-~]+?)(?::(?!\/\/)(.+=.+))?$/`]:
    'a setting, which the operator writes',
  [String.raw`src/shared/count-decimals.ts: /0+$/`]: 'the digits of a number',
  [String.raw`src/shared/ip-address.ts: /(\d+)\.(\d+)\.(\d+)\.(\d+)$/`]:
    'a text that is an address',
  [String.raw`src/store/postgres/errors.ts: /\S+@(?=\S+:\d)/`]:
    'a message of the database that is configured',
  [String.raw`src/store/postgres/errors.ts: /^(?!ERR_)[A-Z_]*(CERT|CRL|INVALID_CA|INVALID_PURPOSE)[A-Z_]*$/`]:
    'a code of the runtime',
};

/** Patterns that are created from others while the program runs, and why these are no danger. */
const CREATED_LATER: Readonly<Record<string, string>> = {
  "src/catalogue/model/schema-problems.ts: new RegExp(`${schema.pattern ?? ''}`)":
    'the patterns of our own schemas, which name sets of characters, each once',
  'src/cli/commands/token.ts: new RegExp(SCOPE_PATTERN)':
    'the pattern that single-sign-on.ts creates at once',
  "src/explorer/embed/declared-entry.ts: new RegExp(properties[periodField]?.pattern?.replace('FY', '') ?? '')":
    'the patterns that period.ts creates at once',
  "src/http/monitoring/server-monitor.ts: new RegExp(`: [0-9A-F]+:${hexPort} [0-9A-F]+:[0-9A-F]{4} 0[18] `, 'g')":
    'applied to what the kernel writes',
  'src/http/pipeline/route.ts: new RegExp(`^${source}$`)':
    'the patterns of routes, which take a name or a number between two slashes',
  "src/inspect/start/fill-template.ts: new RegExp( String.raw`((?:^/\\*\\*.*\\n)?^(?:export )?const ${name}\\b[^=]*= (?:(?:async )?\\(.*?\\)[^=\\n]*=>\\s+)?)(.*(?:\\n[ \\])}].*)*);\\n+`, 'm', )":
    'applied to our own templates',
  "src/inspect/start/fill-template.ts: new RegExp(`\\\\b${exampleName}\\\\b`, 'g')":
    'applied to our own templates',
  'src/publish/mapping/field-expression.ts: new RegExp(`^[^]*?(?:${pattern})[^]*$`)':
    'the patterns that the author of a mapping writes for his own files',
  'src/publish/mapping/mapping.ts: new RegExp(`${new RegExp(pattern).source}|`)':
    'applied to an empty text',
  'src/publish/mapping/mapping.ts: new RegExp(pattern)': 'applied to no text',
  'src/store/sqlite/publisher.ts: new RegExp(`^(CREATE ${type}) "?${name}\\\\b"?`, \'i\')':
    'applied to our own statements',
};

const SIZE = 100_000;
/** A pattern reads a text once, or a few times; one that begins anew at each character reads it 50,000 times. */
const MAX_READINGS = 100;
const MAX_ATTACKS = 400;
const NEVER_SLOW_MS = 20;

/** The processor time of the program, which other programs on the machine do not change. */
function measure(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function apply(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) text.replaceAll(pattern, '');
  else pattern.test(text);
}

function readOnce(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}

/** Whether a pattern takes far longer than it is to read the text, each time that it is tried. */
function isSlow(pattern: RegExp, text: string): boolean {
  for (let attempt = 0; attempt < 3; attempt++) {
    const taken = measure(() => apply(pattern, text));
    if (taken <= NEVER_SLOW_MS || taken <= MAX_READINGS * measure(() => readOnce(text)))
      return false;
  }
  return true;
}

/** The text on which a pattern is slow: a short one if it is far too slow, else the worst one, at full length. */
function findSlowText(pattern: RegExp): string | undefined {
  const all = createAttacks(pattern);
  const step = Math.ceil(all.length / MAX_ATTACKS);
  const attacks = all.filter((_, index) => index % step === 0);
  for (const size of [30, 300])
    for (const attack of attacks) if (isSlow(pattern, attack(size))) return describe(attack, size);
  const timed: { readonly attack: Attack; readonly milliseconds: number }[] = [];
  for (const attack of attacks) {
    const text = attack(2_000);
    const milliseconds = measure(() => apply(pattern, text));
    if (milliseconds > NEVER_SLOW_MS && isSlow(pattern, text)) return describe(attack, 2_000);
    timed.push({ attack, milliseconds });
  }
  const worst = timed.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 3);
  for (const size of [SIZE / 10, SIZE])
    for (const { attack } of worst)
      if (isSlow(pattern, attack(size))) return describe(attack, size);
  return undefined;
}

const describe = (attack: Attack, size: number) => `${JSON.stringify(attack(8))} at ${size}`;

const toKey = ({ file, text }: FoundPattern) => `${file}: ${text.replaceAll(/\s+/g, ' ')}`;

test('no text from outside, such as blanks within a cell, takes a regular expression longer than its length', async () => {
  const found = await findPatterns();
  // Compiles the function that others are compared with.
  for (let count = 0; count < 20; count++) readOnce('a'.repeat(SIZE));
  expect(found.length).toBeGreaterThan(500);
  const created = found.filter(({ patterns }) => patterns.length === 0).map(toKey);
  expect([...new Set(created)].toSorted()).toEqual(Object.keys(CREATED_LATER).toSorted());
  const keys = new Set(found.map(toKey));
  expect(Object.keys(BOUNDED).filter((key) => !keys.has(key))).toEqual([]);
  const slow = found
    .filter((each) => BOUNDED[toKey(each)] === undefined)
    .flatMap((each) => {
      const text = each.patterns.map(findSlowText).find((one) => one !== undefined);
      return text === undefined ? [] : [`${toKey(each)} is slow on ${text}`];
    });
  expect(slow).toEqual([]);
}, 600_000);
