import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createSamplePublications } from '../../scripts/sample/sample-publications.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { anyStepOf, NAMES, type Step } from '../../test/support/both-engines/scenarios.ts';
import { buildCorrection } from '../../test/support/publish-at.ts';
import { formatKey } from '../../test/support/small-dataset.ts';
import type { Release } from './release.ts';

/** Of the sample's quotes those are kept that are of these days; the others have only a past. */
const FIRST_KEPT_DAY = '2026-06-15';
const STEPS_PER_DATASET = 4;

const samples = createSamplePublications();

/**
 * Publishes by the commands of a release: the sample, then of every dataset loads, corrections,
 * retirements, reverts and records that come back. Some commands are rejected, as they should be.
 */
export async function publishHistory(
  release: Release,
  folder: string,
  seed: number,
): Promise<readonly string[]> {
  const server = await release.serve('on');
  await server.stop();
  const names = pickNames(seed);
  const commands = [
    loadCommand(folder, quotes, listNewestSample(quotes, FIRST_KEPT_DAY), true),
    ...catalogue.flatMap((dataset) => listSureCommands(folder, dataset)),
    ...fc
      .sample(anyCommands(names), { seed, numRuns: 1 })
      .flat()
      .map((step) => toCommand(folder, step)),
  ];
  for (const command of commands) await release.attempt(...(await command(release)));
  return names;
}

/** A command line, whose files are written when it is to be run. */
type DeferredCommand = (release: Release) => Promise<string[]>;

/** Odd names, and names that the sample has. */
function pickNames(seed: number): readonly string[] {
  const odd = fc.sample(fc.shuffledSubarray(NAMES, { minLength: 6, maxLength: 6 }), {
    seed,
    numRuns: 1,
  });
  const known = listNewestSample(quotes, FIRST_KEPT_DAY).slice(0, 3);
  return [...odd.flat(), ...known.map(({ symbol }) => String(symbol))];
}

const anyCommands = (names: readonly string[]): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      ...catalogue.map((dataset) =>
        fc.array(anyStepOf(dataset, names), {
          minLength: STEPS_PER_DATASET,
          maxLength: STEPS_PER_DATASET,
        }),
      ),
    )
    .map((lists) => lists.flat())
    .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length }));

/** Corrects records, retires one, publishes it again as it was first, takes that back, and so on. */
function listSureCommands(folder: string, dataset: Dataset): DeferredCommand[] {
  // The sample has none of some.
  const [first = dataset.example as AnyRecord, ...others] = listNewestSample(dataset).slice(0, 2);
  const corrected = [first, ...others].map((record) => buildCorrection(dataset, record));
  return [
    loadCommand(folder, dataset, corrected),
    async () => ['retire', dataset.name, formatKey(dataset, first)],
    loadCommand(folder, dataset, [first]),
    async (release) => ['revert', String(await readNewest(release))],
    loadCommand(folder, dataset, [first, ...others]),
  ];
}

function listNewestSample(dataset: Dataset, from?: string): readonly AnyRecord[] {
  const { records = [] } = samples.findLast((sample) => sample.dataset === dataset) ?? {};
  if (from === undefined) return records;
  const all = samples
    .filter((sample) => sample.dataset === dataset)
    .flatMap((each) => each.records);
  const byKey = new Map(all.map((record) => [formatKey(dataset, record), record]));
  return [...byKey.values()].filter(({ date }) => String(date) >= from);
}

function toCommand(folder: string, step: Step): DeferredCommand {
  const dataset = catalogue.find(({ name }) => name === step.datasetName) as Dataset;
  if (step.action === 'revert')
    return async (release) => ['revert', String((await readNewest(release)) - step.revision + 1)];
  if (step.action === 'retire') {
    const keys = step.records.slice(0, 3).map((record) => formatKey(dataset, record));
    return async () => ['retire', dataset.name, '--', ...keys];
  }
  const terms = dataset === quotes ? step.terms : null;
  const records = step.records.map((record) => ({ ...record, ...terms }));
  return loadCommand(folder, dataset, records, step.replace);
}

function loadCommand(
  folder: string,
  dataset: Dataset,
  records: readonly AnyRecord[],
  replace = false,
): DeferredCommand {
  const permissions = [
    ...(replace ? ['--replace', '--retire-many'] : []),
    ...(dataset.shape === 'reference' ? [] : ['--correct-many', '--future', 'allow']),
  ];
  return async () => {
    const path = join(folder, `${dataset.name}.json`);
    writeFileSync(path, JSON.stringify(records));
    return ['load', dataset.name, path, ...permissions];
  };
}

async function readNewest(release: Release): Promise<number> {
  const { out } = await release.attempt('revisions', '--limit', '1', '--json');
  return JSON.parse(out)[0].revision;
}
