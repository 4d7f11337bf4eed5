import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/accept-datetime.ts';
import type { Revision } from '../../store/index.ts';
import { refuse } from '../failures.ts';
import type { Service } from '../needs.ts';
import type { Answer } from './answer.ts';
import { mementoAnswer, refusalAnswer } from './answer.ts';

/** What is asked for: where, and the key that its answers are remembered by. */
export interface Question {
  readonly target: string;
  readonly key: string;
}

/**
 * The answer as it stood at the instant that the header names, made from the revision that stood
 * then; before the first one, from revision 0.
 */
export function atInstant(
  service: Service,
  question: Question,
  header: string,
  make: (revision: number) => Promise<Answer>,
): Answer | Promise<Answer> {
  const instant = acceptDatetime.read(header);
  if (!instant) return BAD_INSTANT;
  const answer = (stood: Revision | undefined) =>
    remembered(service, question, stood, instant, make);
  const stood = service.stoodAt(header, instant);
  return stood instanceof Promise ? stood.then(answer) : answer(stood);
}

function remembered(
  service: Service,
  { target, key: present }: Question,
  stood: Revision | undefined,
  instant: Date,
  make: (revision: number) => Promise<Answer>,
): Answer | Promise<Answer> {
  const { memory, collect } = service;
  const revision = stood?.revision ?? 0;
  const key = `${present} ${revision}`;
  const known = stood && memory.get(key);
  if (known) return known;
  return make(revision).then(async (made) => {
    if (made.revision === null) return made;
    // A walk stays with the revision that it began with, which may be an earlier one.
    const of = made.revision === revision ? stood : await revisionOf(service, made.revision);
    // Before the first revision, the answer names the instant that was asked for.
    const answer = mementoAnswer(made, of ? new Date(of.publishedAt) : instant, target);
    if (stood) memory.keepPast(key, answer);
    collect(answer.body?.size ?? 0);
    return answer;
  });
}

async function revisionOf({ reader }: Service, number: number): Promise<Revision | undefined> {
  const [revision] = await reader.revisions({ before: number + 1, limit: 1 });
  return revision;
}

/** The answer to a header that names no instant. */
export const BAD_INSTANT = refusalAnswer(
  refuse('bad_header', { header: ACCEPT_DATETIME, allowed: acceptDatetime.rule }),
);
