import { type Catalogue, Catalogues } from '../catalogue/catalogues.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { DatasetFiles, Manifest } from '../client/mirror/mirror-files.ts';
import { ChangeDigest, parseChangeLine } from '../store/change-lines.ts';
import { LogReader } from '../store/log-reader.ts';
import type { NetChanges } from '../store/open-store.ts';
import * as dataPackage from '../tabular/data-package.ts';
import { createScopes } from '../tokens/scopes.ts';
import { buildCutFile, createCutFinder, PAGE_SIZE } from './dataset-cuts.ts';
import {
  createDamageError,
  readCheckpointFiles,
  readTiles,
  readVerifiedEntry,
} from './ledger-files.ts';
import { type FileChunks, MirrorError } from './mirror-target.ts';
import { findMissingRevisions, type MirrorOptions, readLatestRevision } from './resume-mirror.ts';

/** Writes the revisions that a mirror lacks; a revision counts once all of its files are written. */
export async function writeMirror(options: MirrorOptions) {
  const { first, newest, manifest } = await findMissingRevisions(options);
  const writer = new MirrorWriter(options, manifest);
  for (let revision = first; revision <= newest; revision++) {
    options.onProgress?.(`revision ${revision} of ${newest}`);
    await writer.writeRevision(revision);
  }
  return { revision: newest, added: newest - first + 1, ...writer.written };
}

type Cuts = ReadonlySet<string>;
const NO_CUTS: Cuts = new Set();

class MirrorWriter {
  readonly written = { files: 0, bytes: 0 };
  readonly #catalogues: Catalogues;
  readonly #scopes: ReadonlySet<string>;
  readonly #log: LogReader;
  readonly #descriptions = new Map<string, dataPackage.ExportDescription>();

  constructor(
    private readonly options: MirrorOptions,
    /** The manifest of the newest revision in the mirror. */
    private manifest: Manifest | undefined,
  ) {
    this.#catalogues = new Catalogues(options.catalogue, options.reader);
    this.#scopes = createScopes(options.scopes);
    this.#log = new LogReader(options.reader);
  }

  async writeRevision(revision: number): Promise<void> {
    const { reader, scopes, target } = this.options;
    const { revision: before = 0, since } = this.manifest ?? { since: this.options.since };
    const [entry] = await reader.revisions({ before: revision + 1, limit: 1 });
    if (entry?.revision !== revision) throw createDamageError(revision, 'is not in the ledger');
    await this.#catalogues.advanceTo(before);
    const { current: earlier } = this.#catalogues;
    await this.#catalogues.advanceTo(revision);
    const { current } = this.#catalogues;
    const changedCuts = await this.#writeChanges(current, entry.dataset, revision);
    const readable = current.datasets.filter(({ scope }) => this.#scopes.has(scope));
    const datasets: Record<string, DatasetFiles> = {};
    for (const dataset of readable) {
      const { name } = dataset;
      const isChanged = name === entry.dataset;
      // A declaration may add fields, which changes all records.
      const isSame = earlier.find(name) === dataset;
      const files = isSame ? this.manifest?.datasets[name] : undefined;
      if (isChanged || !files) this.#descriptions.delete(name);
      const cuts = isChanged ? changedCuts : NO_CUTS;
      const missing = files ? cuts : await this.#listCuts(dataset, revision);
      datasets[name] = await this.#writeCuts(dataset, revision, missing, files);
    }
    const { publishedAt } = entry;
    const manifest = { revision, publishedAt, scopes, ...(since && { since }), datasets };
    await Promise.all([
      this.#writeDataPackage(manifest, readable),
      this.#writeLedgerFiles(revision, before),
      this.#writeJson(`revisions/${revision}/manifest.json`, manifest),
    ]);
    const { last = revision } = (await reader.ledgerEntry(revision))?.options.release ?? {};
    // Those of a bundle are seen together.
    if (last <= revision && (await readLatestRevision(target)) < revision)
      await this.#writeJson('latest.json', { revision });
    this.manifest = manifest;
  }

  /** Writes the entry of a revision and its changes, if the scopes allow it; returns the changed cuts. */
  async #writeChanges(catalogue: Catalogue, name: string, revision: number) {
    const dataset = catalogue.listWithRetired().find((each) => each.name === name);
    if (!dataset || !this.#scopes.has(dataset.scope)) {
      // Left by a run with other scopes that ended before it wrote latest.json, or after someone removed that
      // file.
      if (await this.options.target.has(`changes/${revision}.ndjson`))
        throw new MirrorError('it has changes that --scopes leaves out: give an empty target');
      return NO_CUTS;
    }
    const entry = await readVerifiedEntry(this.options.reader, revision);
    const { changes } = JSON.parse(entry) as { changes: string };
    const cuts = new Set<string>();
    const lines = this.#readChanges(dataset, revision, changes, cuts);
    await this.#write(`changes/${revision}.ndjson`, lines);
    await this.#write(`revisions/${revision}/entry.json`, [entry]);
    return cuts;
  }

  /**
   * The lines of the changes, whose cuts are added to a set. Ends with an error if they differ from the log.
   */
  async *#readChanges(dataset: Dataset, revision: number, expected: string, cuts: Set<string>) {
    const { reader, signal } = this.options;
    const digest = new ChangeDigest(dataset);
    const findCut = createCutFinder(dataset);
    const filter = { since: revision - 1, until: revision, limit: PAGE_SIZE };
    let after: NetChanges['last'];
    do {
      signal?.throwIfAborted();
      const page = await reader.netChanges(dataset, { ...filter, isAsStored: true, after });
      const lines = page.changes.flatMap((change) => digest.add(change));
      for (const line of lines) cuts.add(findCut(parseChangeLine(line).record));
      yield lines.map((line) => `${line}\n`).join('');
      after = page.last;
    } while (after);
    if (digest.hex !== expected)
      throw createDamageError(revision, 'has other changes than its entry in the log');
  }

  async #listCuts(dataset: Dataset, revision: number): Promise<Cuts> {
    const cuts = new Set<string>();
    const findCut = createCutFinder(dataset);
    for await (const batch of this.options.reader.records(dataset, revision))
      for (const text of batch) cuts.add(findCut(JSON.parse(text) as AnyRecord));
    return cuts;
  }

  /** Writes these cuts of a dataset; all others keep their files. */
  async #writeCuts(dataset: Dataset, revision: number, cuts: Cuts, earlier?: DatasetFiles) {
    const { reader, target, signal } = this.options;
    const paths = new Map(
      earlier?.files.map((path, index) => [earlier.months?.[index] ?? '', path] as const),
    );
    for (const cut of cuts) {
      signal?.throwIfAborted();
      const file = await buildCutFile(reader, dataset, cut, revision);
      if (file && !(await target.has(file.path))) await this.#write(file.path, file.chunks);
      if (file) paths.set(cut, file.path);
      else paths.delete(cut);
    }
    const sorted = [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
    const months = sorted.map(([cut]) => cut);
    return { files: sorted.map(([, path]) => path), ...(months[0] && { months }) };
  }

  async #writeDataPackage({ revision, datasets }: Manifest, readable: readonly Dataset[]) {
    const missing = readable.filter(({ name }) => !this.#descriptions.has(name));
    if (missing.length > 0) {
      const { reader } = this.options;
      const { entries } = await dataPackage.describeExports(reader, missing, revision);
      for (const entry of entries) this.#descriptions.set(entry.dataset, entry);
    }
    const exports = readable.flatMap(({ name }) => this.#descriptions.get(name) ?? []);
    const paths = Object.entries(datasets).map(([name, { files }]) => [name, files] as const);
    const files = new Map(paths.map(([name, list]) => [name, list.map((path) => `../../${path}`)]));
    const options = { catalogue: readable, exports, revision, asOf: revision, files };
    const document = dataPackage.buildDataPackage(options);
    await this.#writeJson(`revisions/${revision}/datapackage.json`, document);
  }

  async #writeLedgerFiles(revision: number, before: number): Promise<void> {
    const { reader } = this.options;
    const { checkpoint, keys } = await readCheckpointFiles(reader, revision);
    await this.#write(`revisions/${revision}/checkpoint`, [checkpoint]);
    await this.#writeJson(`revisions/${revision}/keys.json`, keys);
    for await (const [path, bytes] of readTiles(this.#log, before, revision))
      await this.#write(path, [bytes]);
  }

  #writeJson(path: string, value: object): Promise<void> {
    return this.#write(path, [JSON.stringify(value)]);
  }

  async #write(path: string, chunks: FileChunks): Promise<void> {
    const bytes = await this.options.target.write(path, chunks);
    this.written.bytes += bytes;
    this.written.files += 1;
  }
}
