import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/accept-datetime.ts';
import type { Revision } from '../store/index.ts';
import type { Answer } from './answer.ts';
import { mementoAnswer, refusalAnswer } from './answer.ts';
import { refuse } from './failures.ts';
import type { Service } from './needs.ts';
import type { Wanted } from './read.ts';
import { keyOf, made } from './read.ts';

/**
 * The answer as it stood at the instant that the header names: from the revision that stood then.
 * Before the first revision nothing was known; in the future, what is known now.
 */
export function pastAnswer(
  service: Service,
  wanted: Wanted,
  header: string,
): Answer | Promise<Answer> {
  const instant = acceptDatetime.read(header);
  if (!instant) return BAD_INSTANT;
  const answer = (stood: Revision | undefined) => answerOf(service, wanted, stood, instant);
  const stood = service.stoodAt(header, instant);
  return stood instanceof Promise ? stood.then(answer) : answer(stood);
}

function answerOf(
  service: Service,
  wanted: Wanted,
  stood: Revision | undefined,
  instant: Date,
): Answer | Promise<Answer> {
  const revision = stood?.revision ?? 0;
  const key = `${keyOf(wanted)} ${revision}`;
  const known = stood && service.memory.get(key);
  if (known) return known;
  return made(service, wanted, revision).then((of) => {
    const memento = stood ? new Date(stood.publishedAt) : instant;
    const answer = mementoAnswer(of, memento, wanted.target);
    // Before the first revision, the answer names the instant that was asked for.
    if (stood) service.memory.keepPast(key, answer);
    return answer;
  });
}

const BAD_INSTANT = refusalAnswer(
  refuse('bad_header', { header: ACCEPT_DATETIME, allowed: acceptDatetime.rule }),
);
