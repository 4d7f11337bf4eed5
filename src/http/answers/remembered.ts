import type { Service } from '../needs.ts';
import type { Answer } from './answer.ts';

/** The answer that was given before, as long as its revision stands, or a new one. */
export function remembered(
  { memory, collect }: Pick<Service, 'memory' | 'collect'>,
  key: string,
  make: () => Promise<Answer>,
): Answer | Promise<Answer> {
  const known = memory.get(key);
  if (known) return known;
  return make().then((answer) => {
    memory.keep(key, answer);
    collect(answer.body?.size ?? 0);
    return answer;
  });
}
