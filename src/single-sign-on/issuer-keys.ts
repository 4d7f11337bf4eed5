import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { boundResponse } from '../client/bounded-response.ts';
import { isProviderUrl } from '../shared/provider-url.ts';
import { system } from '../shared/system.ts';

/** How long a document of a provider may take. */
const FETCH_TIMEOUT_MS = 5_000;
/** The keys of a provider with dozens of them have a few kilobytes each. */
const DOCUMENT_LIMIT = ['a document of the provider', 262_144] as const;
/** How often keys are fetched for tokens with an unknown key, however many of these there are. */
const MIN_INTERVAL_MS = 60_000;

/** What a provider says of itself at `/.well-known/openid-configuration`. */
export interface ProviderMetadata {
  readonly authorizationEndpoint: string | undefined;
  readonly tokenEndpoint: string | undefined;
}

/**
 * The published keys of an OpenID provider. Those that are known go on being used while it cannot be
 * reached.
 */
export class IssuerKeys {
  metadata: ProviderMetadata | undefined;
  #findKey: JWTVerifyGetKey | undefined;
  #ids: ReadonlySet<string> = new Set();
  #text = '';
  #fetchedMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(
    readonly issuer: string,
    private readonly options: {
      /** Called after keys were added or removed. */
      readonly onChange: () => void;
      /** Called after each fetch: with the cause if it failed. */
      readonly onFetched: (cause: string | undefined) => void;
    },
  ) {}

  /** The key with an identifier, after another fetch if it is unknown; undefined if there is none. */
  async find(id: string): Promise<JWTVerifyGetKey | undefined> {
    const isDue = system.monotonicNow() - this.#fetchedMs >= MIN_INTERVAL_MS;
    if (!this.#ids.has(id)) await (isDue ? this.fetch() : this.#fetching);
    return this.#ids.has(id) ? this.#findKey : undefined;
  }

  /** Fetches the keys; all callers at a time share one fetch. Never rejects. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetch()
      .then(
        () => this.options.onFetched(undefined),
        (cause) => this.options.onFetched(String(cause?.message ?? cause)),
      )
      .finally(() => {
        this.#fetching = undefined;
      });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    this.#fetchedMs = system.monotonicNow();
    const base = this.issuer.replace(/\/$/, '');
    const configuration = JSON.parse(
      await fetchDocument(`${base}/.well-known/openid-configuration`),
    );
    const { issuer, jwks_uri } = configuration;
    if (issuer !== this.issuer)
      throw new Error(`the provider calls itself ${JSON.stringify(issuer)}, not ${this.issuer}`);
    if (!isProviderUrl(jwks_uri)) throw new Error('its jwks_uri is not an https address');
    const text = await fetchDocument(jwks_uri);
    const { keys } = JSON.parse(text) as JSONWebKeySet;
    if (!Array.isArray(keys)) throw new Error('its keys are not a JSON Web Key Set');
    this.metadata = {
      authorizationEndpoint: findUrl(configuration.authorization_endpoint),
      tokenEndpoint: findUrl(configuration.token_endpoint),
    };
    if (text === this.#text) return;
    this.#findKey = createLocalJWKSet({ keys });
    this.#ids = new Set(keys.map(({ kid = '' }) => kid));
    this.#text = text;
    this.options.onChange();
  }
}

function findUrl(text: unknown): string | undefined {
  return isProviderUrl(text) ? text : undefined;
}

async function fetchDocument(url: string): Promise<string> {
  const controller = new AbortController();
  const timer = system.setTimeout(() => controller.abort(), FETCH_TIMEOUT_MS);
  try {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const { signal } = controller;
    const response = await fetch(url, { signal, headers, redirect: 'error' });
    if (!response.ok) throw new Error(`${url} responds with ${response.status}`);
    return await boundResponse(response, url, null, DOCUMENT_LIMIT).text();
  } finally {
    timer.cancel();
  }
}
