import type { RunningServer } from '../http/server/listen.ts';
import { explainFileError } from '../shared/file-error.ts';
import { type Store, StoreUnavailableError, StoreUnusableError } from '../store/open-store.ts';
import { ensureLocalToken, type LocalToken } from '../tokens/local-token.ts';
import { VERSION } from '../version.ts';
import { CommandError } from './command.ts';
import { quoteArgument } from './output.ts';
import { closeAfter } from './with-store.ts';

export interface TokenNotice {
  /** The token or a placeholder, for a shell command. */
  readonly credential: string;
  readonly message: string;
  /** The token, on a terminal only; the explorer link then contains it. */
  readonly secret?: string;
}

/** Creates the local token if necessary; says how to authenticate with it. */
export async function getLocalTokenNotice(store: Store): Promise<TokenNotice> {
  const file = store.localTokenFile;
  try {
    const token = await closeAfter(store.tokens(), (tokens) => ensureLocalToken(tokens, file));
    if (token) return formatLocalToken(token, file);
    const message = `Token: the local token is revoked; delete ${file} to get a new one, or run tenor token create`;
    return { credential: '<token>', message };
  } catch (cause) {
    // A server that cannot write to the database still serves issued tokens.
    if (cause instanceof StoreUnusableError || cause instanceof StoreUnavailableError) {
      const message = 'Token: use an issued one (tenor token create makes one)';
      return { credential: '<token>', message };
    }
    if (!(cause as NodeJS.ErrnoException).syscall) throw cause;
    const reason = explainFileError(cause as Error, file);
    throw new CommandError(`cannot write the local token ${file}: ${reason}`);
  }
}

/** Shows a new token; later only on a terminal, because other output may be stored in logs. */
function formatLocalToken({ secret, isNew }: LocalToken, file: string): TokenNotice {
  const { isTTY } = process.stdout;
  if (isNew || isTTY) {
    const message = `Token: ${secret}\n       (kept in ${file})`;
    return { credential: secret, message, ...(isTTY && { secret }) };
  }
  return { credential: `$(cat ${quoteArgument(file)})`, message: `Token: kept in ${file}` };
}

/** The text for people who start a server: its URL, a token, and next steps. */
export function formatGreeting(
  { address }: RunningServer,
  { credential, message, secret }: TokenNotice,
  sampleNotice: readonly string[],
): string {
  // Browsers do not send fragments.
  const fragment = secret === undefined ? '' : `#token=${encodeURIComponent(secret)}`;
  const curl = `curl -H "Authorization: Bearer ${credential}" "${address}/2.0/bnb/quote?limit=5"`;
  return [
    `Tenor ${VERSION} listening on ${address}`,
    ...sampleNotice,
    '',
    message,
    `Explorer: ${address}/${fragment}`,
    `Example:  ${curl}`,
    `Docs:     ${address}/docs`,
    `OpenAPI:  ${address}/openapi.json`,
    '',
  ].join('\n');
}
