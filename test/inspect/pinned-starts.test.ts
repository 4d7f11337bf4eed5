import { test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { formatRecords, usePinnedTexts } from '../support/pinned-texts.ts';
import { ROOT, runTenor } from '../support/run-tenor.ts';

// What each example of a file holds, and what `tenor inspect` starts from it for two datasets.
const FOLDER = join(ROOT, 'examples/files');
const pin = usePinnedTexts('starts.txt');

const runs = readdirSync(FOLDER)
  .toSorted()
  .flatMap((file, index) => {
    const name = catalogue[index % catalogue.length]?.name;
    const declare = ['--declare', 'pinned', '--unit', 'points', '--kind', 'index'];
    return [[file], [file, ...declare], [file, '--for', 'quotes'], [file, '--for', `${name}`]];
  });

test.each(runs.map((args) => [args.join(' '), args] as const))(
  'pinned (TENOR_PIN=1 writes anew): tenor inspect %s',
  async (title, [file = '', ...options]) => {
    const { status, out, err } = await runTenor(['inspect', file, ...options], {}, { cwd: FOLDER });
    // With options, what the file holds comes first once more.
    const start = options.length > 0 ? out.slice(out.indexOf('\n\nFor ') + 1) : out;
    const text = `${status}\n${start}${err}`.trimEnd();
    pin(`tenor inspect ${title}`, text.replaceAll(DOCUMENT, shorten));
  },
);

/** A mapping or a declaration. */
const DOCUMENT = /^\{$[\s\S]*?^\}$/gm;

function shorten(document: string): string {
  return formatRecords(JSON.parse(document));
}
