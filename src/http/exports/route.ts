import { ACCEPT_DATETIME } from '../../catalogue/accept-datetime.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { ExportFile } from '../../catalogue/exports.ts';
import { wholeDatasets } from '../../catalogue/exports.ts';
import { representations } from '../../catalogue/representation.ts';
import type { Answer } from '../answers/answer.ts';
import {
  FORBIDDEN,
  mementoAnswer,
  openHeaders,
  PRECONDITION_FAILED,
  refusalAnswer,
} from '../answers/answer.ts';
import { BAD_INSTANT } from '../answers/at-instant.ts';
import { outcomeOf } from '../answers/conditional.ts';
import { isRefusal, refuse } from '../failures.ts';
import type { Service } from '../needs.ts';
import { readQuery } from '../request/query.ts';
import { segmentsOf } from '../request/target.ts';
import type { OperationRoute } from '../route.ts';
import { contentRange, rangeIn } from './range.ts';
import { type Sender, sender } from './sender.ts';
import { type Version, validatorsOf, versionFor, versionHeld } from './version.ts';

/** The operation that sends whole datasets. */
export function exportRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = wholeDatasets(catalogue);
  const files = sender();
  const route: OperationRoute = {
    path: operation.path,
    operation,
    async answer(service, holder, { path, query }, request) {
      const file = segmentsOf(operation, path)?.file as ExportFile;
      if (!holder.scopes.has(file.dataset.scope)) return FORBIDDEN;
      const values = readQuery(query, operation.parameters);
      if (isRefusal(values)) return refusalAnswer(values);
      const version = await versionFor(service, file.dataset, request.headers);
      if (!version) return BAD_INSTANT;
      switch (outcomeOf(request.headers, validatorsOf(version, file.format))) {
        case 'failed':
          return PRECONDITION_FAILED;
        case 'unchanged':
          return answerOf(file, version, { status: 304, body: null });
        case 'send':
          return fileAnswer(files, { service, token: holder.id, file, version, request });
      }
    },
  };
  return [route];
}

interface Asked {
  readonly service: Service;
  readonly token: string;
  readonly file: ExportFile;
  readonly version: Version;
  readonly request: Request;
}

async function fileAnswer(files: Sender, { service, token, file, version, request }: Asked) {
  const { method, headers, signal } = request;
  const { format } = file;
  const wanted = { service, token, version, format, signal };
  if (method === 'HEAD') {
    return withLength(answerOf(file, version, { body: null }), await files.sizeOf(wanted));
  }
  const range = rangeIn(headers.get('range'));
  const ifRange = headers.get('if-range');
  const held =
    range && ifRange !== null
      ? await versionHeld(service.changed, version, format, ifRange)
      : version;
  // Of no use to a client that has a part of something else: it gets the whole.
  const asked = held ? range : undefined;
  const sent = held ?? version;
  const sending = await files.send({ ...wanted, version: sent }, asked);
  if (!sending) return TOO_MANY;
  const { part, ...bytes } = sending;
  if (!part) return answerOf(file, sent, bytes);
  const inAll = { 'Content-Range': contentRange(part.span, part.total) };
  if (!part.span) return refusalAnswer(refuse('range_not_satisfiable', {}, inAll));
  return answerOf(file, sent, { status: 206, ...bytes }, inAll);
}

/** Bun says that the body of a HEAD is empty, unless it is told what GET would send. */
function withLength(answer: Answer, length: number | undefined): Answer {
  if (length === undefined) answer.headers.set('Transfer-Encoding', 'chunked');
  else answer.headers.set('Content-Length', String(length));
  return answer;
}

/** An answer with a file or about one, as that version has it. */
function answerOf(
  { name, format }: ExportFile,
  version: Version,
  answer: Pick<Answer, 'body'> & Partial<Answer>,
  more: Readonly<Record<string, string>> = {},
): Answer {
  const { revision, memento } = version;
  const { etag, modified } = validatorsOf(version, format);
  const headers = openHeaders();
  const told = {
    'Tenor-Revision': String(revision),
    ETag: etag,
    ...(modified && { 'Last-Modified': new Date(modified.atMs).toUTCString() }),
    'Cache-Control': 'private, no-cache',
    Vary: ACCEPT_DATETIME,
    ...(answer.status !== 304 && {
      'Content-Type': representations[format].contentType,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Accept-Ranges': 'bytes',
    }),
    ...more,
  };
  for (const [header, value] of Object.entries(told)) headers.set(header, value);
  const whole = { status: 200, headers, revision, ...answer };
  return memento ? mementoAnswer(whole, memento, `/exports/${name}`) : whole;
}

const TOO_MANY = refusalAnswer(refuse('temporarily_unavailable', {}, { 'Retry-After': '10' }));
