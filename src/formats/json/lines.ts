import type { Input, Item, Items } from '../format.ts';
import { NotText, textOf } from '../text.ts';
import { isBlank, refuseLong, Value } from './value.ts';

/** The values of an NDJSON file, one on each line; blank lines are left out. */
export function readNdjson(input: Input): Items {
  return { kind: 'items', place: 'line', items: itemsOf(input) };
}

async function* itemsOf(input: Input): AsyncGenerator<readonly Item[]> {
  let line = 1;
  let held = '';
  try {
    for await (const piece of textOf(input.bytes())) {
      const lines = piece.split('\n');
      lines[0] = held + lines[0];
      held = lines.pop() ?? '';
      const items = lines.flatMap((text) => itemOn(line++, text));
      if (items.length > 0) yield items;
      refuseLong(held, line);
    }
  } catch (error) {
    throw error instanceof NotText ? error.refusal(line) : error;
  }
  const last = itemOn(line, held);
  if (last.length > 0) yield last;
}

function itemOn(at: number, text: string): Item[] {
  let start = 0;
  while (isBlank(text.charCodeAt(start))) start++;
  if (start === text.length) return [];
  const value = new Value(at);
  value.endIn(text, start);
  value.hold(text);
  return [{ at, value: value.parsed() }];
}
