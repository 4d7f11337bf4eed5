import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/accept-datetime.ts';
import type { Selection } from '../store/index.ts';
import type { Answer } from './answer.ts';
import { dataAnswer, mementoAnswer, refusalAnswer } from './answer.ts';
import { refuse } from './failures.ts';
import type { Service } from './handle.ts';

/**
 * The answer as it stood at the instant that the header names: from the revision that stood then.
 * Before the first revision nothing was known; in the future, what is known now.
 */
export function pastAnswer(
  { reader, memory, collect }: Service,
  target: string,
  selection: Selection,
  header: string,
): Answer | Promise<Answer> {
  const instant = acceptDatetime.read(header);
  if (!instant) return BAD_INSTANT;
  return reader.revisionAt(instant.toISOString()).then(async (stood) => {
    const revision = stood?.revision ?? 0;
    // No target has a space in it, so no key is taken for a target of the present.
    const key = `${target} ${revision}`;
    const known = memory.get(key);
    if (known) return known;
    const reading = await reader.read({ ...selection, asOf: revision });
    const of = stood ? new Date(stood.publishedAt) : instant;
    const answer = mementoAnswer(dataAnswer(selection.dataset, reading), of, target);
    // Before the first revision, the answer names the instant that was asked for.
    if (stood) memory.keepPast(key, answer);
    collect(answer.body?.size ?? 0);
    return answer;
  });
}

const BAD_INSTANT = refusalAnswer(
  refuse('bad_header', { header: ACCEPT_DATETIME, allowed: acceptDatetime.rule }),
);
