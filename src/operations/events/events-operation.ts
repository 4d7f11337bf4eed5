import type { Operation } from '../../catalogue/model/operation.ts';

/** The media type of server-sent events. */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** A stream that tells of revisions as they are published. */
export const eventsOperation = {
  name: 'events',
  title: 'Revisions as they are published',
  description:
    'Server-sent events: an event `revision` for each new revision of a dataset that the token may read, within a second; its `id` is the number, and its `data` one line of JSON, as `/revisions` has it. `Tenor-Revision` is the newest revision when the stream began. With `Last-Event-ID`, all later revisions come first. A comment comes every 15 seconds. The stream ends when the token is revoked or expires, when the server stops, and when the database is replaced: connect again, with the last `id`. `EventSource` of browsers cannot send a token; `fetch` can, and reads the stream as it comes.',
  path: '/events',
  parameters: {},
  isEventStream: true,
  dataSchema: { type: 'string', description: 'Events' },
  example: ': revisions follow as they are published\n\n',
} as const satisfies Operation;
