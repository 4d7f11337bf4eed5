import { schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { parameter } from '../../catalogue/model/parameter.ts';
import {
  REVISION_EXAMPLE,
  REVISION_REPORT_SCHEMAS,
  REVISION_SCHEMAS,
} from '../revisions/revisions-operation.ts';

const REVISION_PARAMETER = parameter.integer('Number of the revision');
const NOTE = 'tenor/0f1e2d3c\n25\nq1Lz…=\n\n— tenor/0f1e2d3c kz8d…=\n';
const KEY = 'tenor/0f1e2d3c+4a5b6c7d+AeJk…=';
const HASHES_SCHEMA = schema.array('Hashes in base64', schema.string('A hash'));

export const checkpointOperation: Operation = {
  name: 'ledger-checkpoint',
  path: '/ledger/checkpoint',
  title: 'Checkpoint of the ledger',
  description:
    'The ledger as a transparency log: its name, how many revisions it has, and the hash over all of them, as a signed note (C2SP tlog-checkpoint). A log that has no entry yet gets 404: the next publication adds all earlier revisions. With `size`, the checkpoint as it was when the log had so many revisions.',
  isOpen: true,
  mediaType: 'text/plain',
  parameters: { size: parameter.integer('Size of an earlier log, up to that of the newest') },
  dataSchema: { description: 'A signed note' },
  example: NOTE,
};

export const tileOperation: Operation = {
  name: 'ledger-tile',
  path: '/ledger/tile/{path}',
  title: 'Tile of the ledger',
  description:
    'Up to 256 hashes of the tree of the log, by C2SP tlog-tiles: `{level}/{index}`, with `.p/{width}` if the tile is not full, or `entries/{index}` for the digests of revisions. An index of more than three digits is cut into groups: `x001/x234/067`. What is not there, or written in another way, gets 404.',
  isOpen: true,
  mediaType: 'application/octet-stream',
  pathParameters: { path: parameter.text('Level, index and width of the tile', '0/000.p/1') },
  parameters: {},
  dataSchema: { description: 'Hashes of 32 bytes each; of entries, each after its length' },
  example: '…',
};

export const proofOperation = {
  name: 'ledger-proof',
  path: '/ledger/proof/{n}',
  title: 'Proof that a revision is in the ledger',
  description:
    'The hashes that lead from the entry of a revision to the root of a checkpoint, and with `from` those that show that the log of that size is a part of it (RFC 6962).',
  isOpen: true,
  pathParameters: { n: REVISION_PARAMETER },
  parameters: { from: parameter.integer('Size of an earlier log, up to that of the checkpoint') },
  dataSchema: schema.object(
    {
      revision: schema.integer('Number of the revision', 1),
      checkpoint: schema.string('The checkpoint that the proofs lead to, a signed note'),
      entry: schema.string('SHA-256 of the entry of the revision, in base64'),
      inclusion: HASHES_SCHEMA,
      from: schema.integer('Size of the earlier log', 1),
      consistency: HASHES_SCHEMA,
    },
    ['from', 'consistency'],
  ),
  example: { revision: 7, checkpoint: NOTE, entry: 'n4bQ…=', inclusion: ['yE0h…='] },
} as const satisfies Operation;

export const keysOperation: Operation = {
  name: 'ledger-keys',
  path: '/ledger/keys',
  title: 'Keys of the ledger',
  description:
    'The keys that have signed checkpoints, oldest first. Each but the first has a note that the key before it has signed, unless that was lost: it names the key, and the size of the log from which it signs. A key of another name begins a new log; the size is then the last that both have in common.',
  isOpen: true,
  parameters: {},
  dataSchema: schema.object({
    origin: schema.string('Name of the log'),
    key: schema.string('The verifier key of the newest checkpoint: name+id+key'),
    keys: schema.array(
      'All keys, oldest first',
      schema.object({
        key: schema.string('The verifier key'),
        size: schema.integer('The size of the log from which it signs'),
        note: schema.nullable({ type: 'string' }, 'Signed by the key before it'),
      }),
    ),
  }),
  example: { origin: 'tenor/0f1e2d3c', key: KEY, keys: [{ key: KEY, size: 0, note: null }] },
};

/** Those on digests, which are open to all. */
export const OPEN_OPERATIONS = [checkpointOperation, tileOperation, proofOperation, keysOperation];

export const ledgerEntryOperation = {
  name: 'ledger-entry',
  path: '/ledger/entries/{n}',
  title: 'Entry of the ledger',
  description:
    'What the log has a digest of: the revision with its report and options, a salt, and the digest of its changes, without the envelope. The digest of the body, byte by byte, is that of the log. `changes` is the SHA-256 over the ascending SHA-256 digests of the lines of `/changes/{dataset}?since=n-1&until=n&as_of=n&as_stored=true` as NDJSON.',
  isDocument: true,
  pathParameters: { n: REVISION_PARAMETER },
  parameters: {},
  dataSchema: schema.object({
    ...REVISION_SCHEMAS,
    ...REVISION_REPORT_SCHEMAS,
    salt: schema.string('16 random bytes, in hexadecimal'),
    changes: schema.string('The digest of the changes, in hexadecimal'),
  }),
  example: { ...REVISION_EXAMPLE, report: {}, options: {}, salt: '01', changes: 'e3b0c442' },
} as const satisfies Operation;
