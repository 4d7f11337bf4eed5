import type { Random } from '../../test/simulation/random.ts';
import { DAYS } from '../../test/support/both-engines/scenarios.ts';
import type { ReleaseRequest } from './release-request.ts';

/** What a database has, for parameters to name. */
export interface DatabaseContent {
  readonly symbols: readonly string[];
  readonly fundIds: readonly string[];
  /** The instant of each revision, oldest first. */
  readonly instants: readonly string[];
  /** The dataset of each revision, oldest first. */
  readonly changedDatasets: readonly string[];
}

/** The operations of a release, as its own document declares them. */
export interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, ParameterSchema>> };
}

interface ParameterSchema {
  readonly enum?: readonly string[];
  /** Leads to one of the schemas that have a name. */
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: ParameterSchema;
  readonly example: unknown;
}

const PROBABILITIES: Readonly<Record<string, number>> = { as_of: 0.8, format: 0.6, cursor: 0 };
const PROBABILITY = 0.3;
const SAMPLE_DAYS = ['2025-06-30', '2026-05-29', '2026-06-17', '2026-06-30'];

/** Draws requests with any parameters of the operations, mostly as of a revision. */
export class RequestGenerator {
  readonly #operations: readonly (readonly [path: string, readonly Parameter[]])[];

  constructor(
    private readonly document: OpenApiDocument,
    private readonly content: DatabaseContent,
    private readonly random: Random,
  ) {
    this.#operations = Object.entries(document.paths)
      .filter(([path, { get }]) => get && !['/events', '/links/{secret}'].includes(path))
      .map(([path, { get }]) => [path, (get?.parameters ?? []).filter((each) => 'in' in each)]);
  }

  draw(): ReleaseRequest {
    const [path, parameters] = this.random.pick(this.#operations);
    const query: string[] = [];
    let target = path;
    for (const parameter of parameters) {
      const { name, required } = parameter;
      if (!required && !this.random.isLikely(PROBABILITIES[name] ?? PROBABILITY)) continue;
      const value = encodeURIComponent(this.#drawValue(parameter));
      if (parameter.in === 'path') target = target.replace(`{${name}}`, value);
      if (parameter.in === 'query') query.push(`${name}=${value}`);
    }
    return {
      method: this.random.isLikely(0.05) ? 'HEAD' : 'GET',
      target: query.length > 0 ? `${target}?${query.join('&')}` : target,
      headers: this.#drawHeaders(),
    };
  }

  #findNamedSchema(reference = ''): ParameterSchema | undefined {
    return this.document.components?.schemas?.[reference.replace('#/components/schemas/', '')];
  }

  #drawValue({ name, description, schema, example }: Parameter): string {
    const { random } = this;
    const values = schema.enum ?? this.#findNamedSchema(schema.$ref)?.enum;
    if (values) return random.pick(values);
    switch (name) {
      case 'symbol':
        return this.#drawSome(this.content.symbols, 3);
      case 'fund_id':
        return random.pick(this.content.fundIds);
      case 'date':
      case 'from':
      case 'to':
        return random.pick([...DAYS, ...SAMPLE_DAYS]);
      case 'as_of':
        return random.isLikely(0.8) ? this.#drawRevision() : this.#drawInstant();
      case 'n':
      case 'before':
      case 'since':
      case 'until':
        return this.#drawRevision();
      case 'limit':
        return random.pick(['1', '2', '7', '50', '1000', '10000']);
      case 'fields':
        return (
          this.#drawSome(/, of ([\w, ]+)\./.exec(description)?.[1]?.split(', ') ?? [], 4) ||
          String(example)
        );
      case 'q':
        return random.pick([...this.content.symbols, ...this.content.fundIds]).slice(0, 3);
      default:
        return String(example);
    }
  }

  #drawHeaders(): Record<string, string> {
    const { random } = this;
    return {
      ...(random.isLikely(0.1) && { 'accept-datetime': this.#drawInstant() }),
      ...(random.isLikely(0.2) && { 'accept-encoding': random.pick(['gzip', 'br', 'zstd']) }),
      ...(random.isLikely(0.2) && { prefer: 'count=exact' }),
      ...(random.isLikely(0.05) && { range: random.pick(['bytes=0-99', 'bytes=50-', 'bytes=-9']) }),
    };
  }

  #drawRevision(): string {
    return String(this.random.integer(1, this.content.instants.length));
  }

  /** At a revision, or just before or after it. */
  #drawInstant(): string {
    const instant = Date.parse(this.random.pick(this.content.instants));
    return new Date(instant + this.random.integer(-1, 1)).toISOString();
  }

  #drawSome(values: readonly string[], most: number): string {
    if (values.length === 0) return '';
    const count = this.random.integer(1, most);
    return [...new Set(Array.from({ length: count }, () => this.random.pick(values)))].join();
  }
}
