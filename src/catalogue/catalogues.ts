import { type Awaitable, whenReady } from '../shared/awaitable.ts';
import { memoizeByIdentity } from '../shared/memoize.ts';
import { createDeclaredDataset } from './model/create-dataset.ts';
import type { Dataset } from './model/dataset.ts';
import type { DeclaredDataset } from './model/declaration.ts';

/** The declarations in force at a revision; can be sent between threads. */
export interface DeclaredDatasets {
  /** The last revision that declared or retired a dataset; 0 before the first. */
  readonly since: number;
  readonly declarations: readonly DeclaredDataset[];
  /** The last declarations of retired datasets, whose records are in the history. */
  readonly retired: readonly DeclaredDataset[];
}

export const NONE_DECLARED: DeclaredDatasets = { since: 0, declarations: [], retired: [] };

/** The datasets of the revisions between two declarations. */
export class Catalogue {
  readonly datasets: readonly Dataset[];
  readonly #byName: ReadonlyMap<string, Dataset>;
  #withRetired: readonly Dataset[] | undefined;

  /** Datasets that are also in another catalogue are the same objects. */
  constructor(
    shipped: readonly Dataset[],
    readonly declared = NONE_DECLARED,
    other?: Catalogue,
  ) {
    this.datasets = [
      ...shipped,
      ...declared.declarations.map(({ declaration, ...origin }) => {
        const known = other?.find(declaration.name);
        return known?.declared?.revision === origin.revision
          ? known
          : createDeclaredDataset(declaration, origin);
      }),
    ];
    this.#byName = new Map(this.datasets.map((dataset) => [dataset.name, dataset]));
  }

  /** All datasets, including retired ones, whose records are in the history. */
  listWithRetired(): readonly Dataset[] {
    this.#withRetired ??= [
      ...this.datasets,
      ...this.declared.retired.map(({ declaration, ...origin }) =>
        createDeclaredDataset(declaration, origin),
      ),
    ];
    return this.#withRetired;
  }

  find(name: string): Dataset | undefined {
    return this.#byName.get(name);
  }

  /** A current or retired dataset. Throws if there never was one of that name. */
  get(name: string): Dataset {
    const dataset = this.find(name) ?? this.listWithRetired().find((each) => each.name === name);
    if (!dataset) throw new Error(`no dataset is called ${name}`);
    return dataset;
  }
}

/** The catalogue of the datasets that ship with the program, before anything is declared. */
export const getShippedCatalogue = memoizeByIdentity(
  (shipped: readonly Dataset[]) => new Catalogue(shipped),
);

interface DeclarationReader {
  /** The declarations in force at a revision; `known` ones are returned unchanged if they still are. */
  declarations(revision: number, known?: DeclaredDatasets): Awaitable<DeclaredDatasets>;
}

const MAX_CATALOGUES = 32;

/** The catalogues of one database; revisions between two declarations share an object. */
export class Catalogues {
  /** The catalogues built so far, with the last revision at which each is known to be in force. */
  readonly #built: Map<Catalogue, number>;
  #current: Catalogue;

  constructor(
    private readonly shipped: readonly Dataset[],
    private readonly reader: DeclarationReader,
  ) {
    this.#current = getShippedCatalogue(shipped);
    // Nothing is known about the database yet.
    this.#built = new Map([[this.#current, -1]]);
  }

  /** The catalogue of the revision that the server has moved on to. */
  get current(): Catalogue {
    return this.#current;
  }

  /** The catalogue of a revision, if it is built. */
  at(revision: number): Catalogue | undefined {
    const holds = (catalogue: Catalogue) =>
      catalogue.declared.since <= revision && revision <= (this.#built.get(catalogue) ?? -1);
    return holds(this.#current) ? this.#current : this.#built.keys().find(holds);
  }

  /** Builds the catalogue of a revision, unless that is done already. */
  prepare(revision: number): Awaitable<Catalogue> {
    return (
      this.at(revision) ??
      whenReady(this.reader.declarations(revision, this.#current.declared), (declared) =>
        this.#add(declared, revision),
      )
    );
  }

  /** Makes the catalogue of a revision the current one, unless the current one is later. */
  advanceTo(revision: number): Awaitable<void> {
    return whenReady(this.prepare(revision), (catalogue) => {
      if (catalogue.declared.since >= this.#current.declared.since) this.#current = catalogue;
    });
  }

  /** Two requests may have read the same declarations. */
  #add(declared: DeclaredDatasets, revision: number): Catalogue {
    const built = this.#built;
    const known = built.keys().find((each) => each.declared.since === declared.since);
    const catalogue = known ?? new Catalogue(this.shipped, declared, this.#current);
    built.set(catalogue, Math.max(built.get(catalogue) ?? -1, revision));
    const oldest = built.keys().find((each) => each !== this.#current);
    if (oldest && built.size > MAX_CATALOGUES) built.delete(oldest);
    return catalogue;
  }
}

export async function readNewestCatalogue(
  shipped: readonly Dataset[],
  reader: DeclarationReader & { revision(): Promise<number> },
): Promise<Catalogue> {
  return new Catalogues(shipped, reader).prepare(await reader.revision());
}
