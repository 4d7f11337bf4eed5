import type { Answer } from './answer.ts';

/** Answers that were given before, as long as their revision stands. */
export interface Memory {
  get(target: string): Answer | undefined;
  keep(target: string, answer: Answer): void;
  /** Forgets everything when a newer revision is there; true if it was. */
  advance(revision: number): boolean;
}

/**
 * Keeps answers up to so many bytes; the one that was not asked for longest goes first. A revision
 * changes what any target answers, so a new one empties it.
 */
export function memory(mostBytes: number): Memory {
  const answers = new Map<string, Answer>();
  let bytes = 0;
  let newest = -1;
  const advance = (revision: number) => {
    if (revision <= newest) return false;
    answers.clear();
    bytes = 0;
    newest = revision;
    return true;
  };
  return {
    advance,
    get(target) {
      const answer = answers.get(target);
      if (answer) {
        answers.delete(target);
        answers.set(target, answer);
      }
      return answer;
    },
    keep(target, answer) {
      if (answer.revision === null) return;
      advance(answer.revision);
      const size = sizeOf(target, answer);
      // An answer from before the newest revision would bring the past back.
      if (answer.revision < newest || size > mostBytes / 4) return;
      bytes += size - (answers.has(target) ? sizeOf(target, answers.get(target)) : 0);
      answers.set(target, answer);
      for (const [oldest, held] of answers) {
        if (bytes <= mostBytes) break;
        answers.delete(oldest);
        bytes -= sizeOf(oldest, held);
      }
    },
  };
}

/** Roughly what an entry holds on to beside its body. */
const ENTRY_BYTES = 1_000;

function sizeOf(target: string, answer: Answer | undefined): number {
  return ENTRY_BYTES + target.length + (answer?.body?.byteLength ?? 0);
}
