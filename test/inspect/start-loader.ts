import { expect } from 'bun:test';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { inspectFile } from '../../src/inspect/inspect-file.ts';
import { createStart } from '../../src/inspect/start/create-start.ts';
import type { Start } from '../../src/inspect/start/start.ts';
import { parseMapping } from '../../src/publish/mapping/mapping.ts';
import { useAdapterLoader } from '../publish/adapter/adapter-loader.ts';
import type { FileContent } from '../support/load-workspace.ts';

/** Writes answers into a start, each in the place of a part of it. */
export const answer =
  (...answers: readonly (readonly [part: string, answer: string])[]) =>
  (text: string): string =>
    answers.reduce((start, [part, value]) => {
      if (!start.includes(part)) throw new Error(`the start has no ${part}:\n${start}`);
      return start.replace(part, () => value);
    }, text);

/** The rejection of an adapter in which something is left open. */
export const OPEN_ADAPTER = [
  expect.stringMatching(/^adapter\.ts line \d+: '\?' is to be filled in/),
];

/** A workspace for files that are loaded with what inspect writes for them. */
export function useStartLoader() {
  const { workspace, load } = useAdapterLoader({ isInProcess: true });

  async function writeStart(name: string, content: FileContent, dataset: Dataset): Promise<Start> {
    const path = workspace.writeFile(name, content);
    const start = createStart(dataset, await inspectFile({ path, name }, {}));
    if (!start) throw new Error(`there is no start for ${name}`);
    return start;
  }

  /** Loads a file with the start that was written for it, edited, and reads what was published. */
  async function loadWithStart(
    name: string,
    content: FileContent,
    dataset: Dataset,
    edit = (text: string) => text,
  ) {
    const start = await writeStart(name, content, dataset);
    const text = edit(start.text);
    if (start.kind === 'mapping')
      await workspace.load(dataset, name, { mapping: parseMapping(text, 'start.json') });
    else await load(name, content, text, dataset);
    return { start, records: await workspace.readRecords(dataset) };
  }

  /** The problems of a file that is loaded with the start as it was written. */
  const loadUnanswered = (...file: Parameters<typeof writeStart>) =>
    workspace.describeRejection(() => loadWithStart(...file));

  return { workspace, load, writeStart, loadWithStart, loadUnanswered };
}
