/** Reads server-sent events from a response body, one block at a time, comments included. */
export function createEventReader(body: ReadableStream<Uint8Array> | null) {
  const blocks = splitIntoBlocks(body ?? new ReadableStream());
  return {
    /** The next block, or undefined at the end of the stream. */
    next: async (): Promise<string | undefined> => (await blocks.next()).value,
    /** The next event that is no comment. */
    async nextEvent(): Promise<ReceivedEvent | undefined> {
      for (;;) {
        const { value } = await blocks.next();
        if (value === undefined) return undefined;
        if (!value.startsWith(':')) return parseEvent(value);
      }
    },
    close: () => blocks.return(undefined),
  };
}

export interface ReceivedEvent {
  readonly event: string;
  readonly id: number;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the tests find out
  readonly data: any;
}

async function* splitIntoBlocks(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
  return undefined;
}

function parseEvent(block: string): ReceivedEvent {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? [line]);
  const { event = '', id, data = 'null' } = Object.fromEntries(fields);
  return { event, id: Number(id), data: JSON.parse(data) };
}
