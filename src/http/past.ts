import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/accept-datetime.ts';
import type { Revision, Selection } from '../store/index.ts';
import type { Answer } from './answer.ts';
import { dataAnswer, mementoAnswer, refusalAnswer } from './answer.ts';
import { refuse } from './failures.ts';
import type { Service } from './needs.ts';

/**
 * The answer as it stood at the instant that the header names: from the revision that stood then.
 * Before the first revision nothing was known; in the future, what is known now.
 */
export function pastAnswer(
  service: Service,
  target: string,
  selection: Selection,
  header: string,
): Answer | Promise<Answer> {
  const instant = acceptDatetime.read(header);
  if (!instant) return BAD_INSTANT;
  const answer = (stood: Revision | undefined) =>
    answerOf(service, target, selection, stood, instant);
  const stood = service.stoodAt(header, instant);
  return stood instanceof Promise ? stood.then(answer) : answer(stood);
}

function answerOf(
  { reader, memory, collect }: Service,
  target: string,
  selection: Selection,
  stood: Revision | undefined,
  instant: Date,
): Answer | Promise<Answer> {
  const revision = stood?.revision ?? 0;
  // No target has a space in it, so no key is taken for a target of the present.
  const key = `${target} ${revision}`;
  const known = stood && memory.get(key);
  if (known) return known;
  return reader.read({ ...selection, asOf: revision }).then((reading) => {
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
