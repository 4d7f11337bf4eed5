import { type JsonSchema, schema } from '../model/json-schema.ts';
import type { Operation } from '../model/operation.ts';
import { parameter } from '../model/parameter.ts';
import { REVISION_DETAIL_SCHEMAS, REVISION_EXAMPLE } from './revisions.ts';

const REVISION_PARAMETER = parameter.integer('Number of the revision');

const NOTE = 'tenor/0f1e2d3c\n25\nq1Lz…=\n\n— tenor/0f1e2d3c kz8d…=\n';
const KEY = 'tenor/0f1e2d3c+4a5b6c7d+AeJk…=';

/** An operation on digests of the ledger, which needs no token. */
export type OpenOperation = Omit<Operation, 'dataSchema'> & {
  /** Of its body, where that is no JSON. */
  readonly mediaType?: string;
  readonly dataSchema: JsonSchema;
};

export const checkpointOperation: OpenOperation = {
  name: 'ledger-checkpoint',
  path: '/ledger/checkpoint',
  title: 'Checkpoint of the ledger',
  description:
    'The ledger as a transparency log: its name, how many revisions it has, and the hash over all of them, as a signed note (C2SP tlog-checkpoint). A log that has no entry yet gets 404: the next publication adds all earlier revisions.',
  parameters: {},
  mediaType: 'text/plain',
  dataSchema: { description: 'A signed note' },
  example: NOTE,
};

export const tileOperation: OpenOperation = {
  name: 'ledger-tile',
  path: '/ledger/tile/{path}',
  title: 'Tile of the ledger',
  description:
    'Up to 256 hashes of the tree of the log, by C2SP tlog-tiles: `{level}/{index}`, with `.p/{width}` where the tile is not full, or `entries/{index}` for the digests of revisions. An index of more than three digits is cut into groups: `x001/x234/067`. What is not there, or written in another way, gets 404.',
  pathParameters: { path: parameter.text('Level, index and width of the tile', '0/000.p/1') },
  parameters: {},
  mediaType: 'application/octet-stream',
  dataSchema: { description: 'Hashes of 32 bytes each; of entries, each after its length' },
  example: '…',
};

const HASHES_SCHEMA = schema.array('Hashes, from the bottom of the tree', {
  type: 'string',
  description: 'In base64',
});

export const proofOperation = {
  name: 'ledger-proof',
  path: '/ledger/proof/{n}',
  title: 'Proof that a revision is in the ledger',
  description:
    'The hashes that lead from the entry of a revision to the root of a checkpoint, and with `from` those that show that the log of that size is a part of it (RFC 6962).',
  pathParameters: { n: REVISION_PARAMETER },
  parameters: {
    from: parameter.integer('Size of an earlier log, up to that of the checkpoint'),
  },
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
} as const satisfies OpenOperation;

export const keysOperation: OpenOperation = {
  name: 'ledger-keys',
  path: '/ledger/keys',
  title: 'Keys of the ledger',
  description:
    'The keys that have signed checkpoints, oldest first. Each but the first has a note that the key before it has signed, unless that was lost: it names the key, and the size of the log from which it signs. A key of another name begins a new log; the size is then the last that both have in common.',
  parameters: {},
  dataSchema: schema.object({
    origin: schema.string('Name of the log'),
    key: schema.string('The verifier key of the newest checkpoint: name+id+key'),
    keys: schema.array(
      'All keys, oldest first',
      schema.object({
        key: schema.string('The verifier key'),
        size: schema.integer('The size of the log from which it signs'),
        note: { type: ['string', 'null'], description: 'Signed by the key before it' },
      }),
    ),
  }),
  example: { origin: 'tenor/0f1e2d3c', key: KEY, keys: [{ key: KEY, size: 0, note: null }] },
};

export const OPEN_OPERATIONS: readonly OpenOperation[] = [
  checkpointOperation,
  tileOperation,
  proofOperation,
  keysOperation,
];

export const ledgerEntryOperation = {
  name: 'ledger-entry',
  title: 'Entry of the ledger',
  description:
    'What the log has a digest of: the revision with its report and options, a salt, and the digest of its changes, without the envelope. The digest of the body, byte by byte, is that of the log. `changes` is the SHA-256 over the ascending SHA-256 digests of the lines of `/changes/{dataset}?since=n-1&until=n&as_of=n&as_stored=true` as NDJSON.',
  path: '/ledger/entries/{n}',
  isDocument: true,
  pathParameters: { n: REVISION_PARAMETER },
  parameters: {},
  dataSchema: schema.object({
    ...REVISION_DETAIL_SCHEMAS,
    salt: schema.string('16 random bytes, in hexadecimal'),
    changes: schema.string('The digest of the changes, in hexadecimal'),
  }),
  example: {
    ...REVISION_EXAMPLE,
    report: {},
    options: {},
    salt: '0123456789abcdef'.repeat(2),
    changes: 'e3b0c442'.repeat(8),
  },
} as const satisfies Operation;
