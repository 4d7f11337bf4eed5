import { addressOf } from '../../../clients/typescript/src/address.ts';
import { Connection } from '../../../clients/typescript/src/connection.ts';
import type { Answer } from '../../../clients/typescript/src/meta.ts';
import { settingsOf } from '../../../clients/typescript/src/options.ts';
import { pagesFrom } from '../../../clients/typescript/src/pages.ts';

import { lately } from './lately.ts';
import type { Question } from './question.ts';

export type { Answer } from '../../../clients/typescript/src/meta.ts';
export type { Question } from './question.ts';

/** Asks the service with one token, of one instant. Answers are kept until they are forgotten. */
export interface Api {
  readonly asOf: string | undefined;
  read<T>(question: Question): Promise<Answer<T>>;
  /** Asks the service itself, whatever is kept. */
  fresh<T>(question: Question): Promise<Answer<T>>;
  /** The answer as a file. */
  file(question: Question, mediaType: string): Promise<Response>;
  /** Asks anew from here on; what has not changed costs no more than the question. */
  forget(): void;
}

/** The address that this page came from: the service may stand behind a path of somebody else's. */
export const BASE = new URL('.', location.href.replace(/[?#].*/, ''));

/** How many records are kept, in answers that were given last. */
const MOST_KEPT = 200_000;

export function apiWith(token: string, asOf: string | undefined): Api {
  // The page itself tries again, and says so.
  const settings = settingsOf({ baseUrl: BASE, token, tries: 1, timeoutMs: 20_000 });
  const connection = new Connection(settings, undefined, asOf ?? '');
  const kept = lately<Promise<Answer<unknown>>>(MOST_KEPT);
  const ask = ({ path, parameters, whole }: Question): Promise<Answer<unknown>> => {
    const url = addressOf(BASE, path, parameters);
    return whole ? wholeOf(url, connection) : connection.read(url, {});
  };
  return {
    asOf,
    read<T>(question: Question): Promise<Answer<T>> {
      const key = JSON.stringify(question);
      const known = kept.get(key);
      if (known) return known as Promise<Answer<T>>;
      const asked = ask(question);
      kept.keep(key, asked);
      asked.then(
        ({ data }) => kept.weigh(key, Array.isArray(data) ? data.length : 1),
        () => kept.drop(key),
      );
      return asked as Promise<Answer<T>>;
    },
    fresh: <T>(question: Question) => ask(question) as Promise<Answer<T>>,
    file: ({ path, parameters }, mediaType) =>
      connection.open(addressOf(BASE, path, parameters), mediaType, {}),
    forget: () => kept.clear(),
  };
}

async function wholeOf(first: URL, connection: Connection): Promise<Answer<unknown>> {
  const data: unknown[] = [];
  let last: Answer<unknown> | undefined;
  const read = (url: URL) => connection.read(url, {}) as Promise<Answer<readonly unknown[]>>;
  for await (const page of pagesFrom(first, read)) {
    for (const record of page.data) data.push(record);
    last = page;
  }
  if (!last) throw new TypeError('a walk has at least one page');
  return { data, meta: last.meta };
}
