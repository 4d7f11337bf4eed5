import { SQL } from 'bun';
import { createLookupTable } from '../../shared/lookup-table.ts';
import {
  LockConflictError,
  StoreDamagedError,
  StoreUnavailableError,
  StoreUnusableError,
} from '../errors.ts';

/** The error to throw for a failed statement or connection; what is a bug of ours is unchanged. */
export function toStoreError(cause: unknown): unknown {
  const tlsProblem = describeTlsProblem(cause);
  if (tlsProblem !== undefined) return new StoreUnusableError(tlsProblem, { cause });
  if (!(cause instanceof SQL.PostgresError)) return cause;
  const { errno: state, code, message } = cause;
  // An error without an SQLSTATE is not from the server, but from the connection to it.
  if (state === undefined)
    return new StoreUnavailableError(CONNECTION_ERROR_MESSAGES[code] ?? message, { cause });
  if (UNPREPARED_SQLSTATES.test(state))
    return new StoreUnavailableError(UNPREPARED_MESSAGE, { cause });
  if (PERMANENT_SQLSTATES.test(state)) return new StoreUnusableError(message, { cause });
  const isTransient =
    TRANSIENT_SQLSTATES.test(state) || (state === 'XX000' && WORKER_LOST_PATTERN.test(message));
  // The message of a coordinator about a worker has several lines, and names the role.
  const line = message.replace(/\s+/g, ' ').replace(/\S+@(?=\S+:\d)/, '');
  if (LOCK_CONFLICT_SQLSTATES.test(state))
    return new LockConflictError(`locks of other sessions are in the way (${line})`, { cause });
  if (isDamageError(cause)) return new StoreDamagedError(line, { cause });
  if (isTransient) return new StoreUnavailableError(line, { cause });
  // Any other error that ends a connection is caused by the parameters of the URL.
  return cause.severity === 'FATAL' ? new StoreUnusableError(message, { cause }) : cause;
}

/** Whether a server says that a page, an index or a value in them is damaged. */
function isDamageError({ errno: state = '', message }: SQL.PostgresError): boolean {
  return DAMAGE_SQLSTATES.test(state) || (state === 'XX000' && DAMAGE_PATTERN.test(message));
}

/** Handles the rejection of a statement or connection. */
export function throwStoreError(cause: unknown): never {
  throw toStoreError(cause);
}

export function getSqlState(cause: unknown): string | undefined {
  return cause instanceof SQL.PostgresError ? cause.errno : undefined;
}

const CONNECTION_ERROR_MESSAGES: Readonly<Record<string, string>> = createLookupTable({
  ERR_POSTGRES_CONNECTION_CLOSED: 'the connection to the server was lost',
  ERR_POSTGRES_CONNECTION_REFUSED: 'no such host, or nothing listens on that port',
  ERR_POSTGRES_CONNECTION_TIMEOUT: 'nothing there answers as a PostgreSQL server does',
  ERR_POSTGRES_CONNECTION_FAILED: 'the host is out of reach, or no PostgreSQL server listens there',
});

/** A prepared statement is unknown, or known already, to a connection that a pooler shares. */
const UNPREPARED_SQLSTATES = /^(26000|42P05)$/;
const UNPREPARED_MESSAGE =
  'a connection pooler there does not keep prepared statements; set max_prepared_statements in it, or add prepare=false to the URL';
/** No such role, password or database; no privilege; a program limit is exceeded. */
const PERMANENT_SQLSTATES = /^(28|3D000|42501|54)/;
/** A deadlock, or a lock that was waited for too long. */
const LOCK_CONFLICT_SQLSTATES = /^(40P01|55P03)$/;
/** The connection, replication, resources, starting or stopping, or I/O. */
const TRANSIENT_SQLSTATES = /^(08|25006|25P03|25P04|40001|53|57|58)/;
/** The last one: a damaged page names a block, or a file, that does not exist. */
const DAMAGE_SQLSTATES = /^(XX00[12]|58P01)$/;
/** Internal errors that the length or the place of a damaged value causes. */
const DAMAGE_PATTERN = /^invalid (memory alloc request size|page|varlena)|sibling|re-find/;
/** The message of a Citus coordinator that loses a worker during a statement. */
const WORKER_LOST_PATTERN = /^failure on connection marked as essential/;

/** Explains the problem of an encrypted connection, and what to set; undefined for any other error. */
function describeTlsProblem(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === undefined) return undefined;
  const file = /^(?:Unable to access|Failed to load) (\w+) ?[fF]ile/.exec(message)?.[1];
  if (file !== undefined && FILE_ERROR_CODES.includes(code)) return describeFileProblem(file);
  if (UNTRUSTED_CODES.includes(code)) return UNTRUSTED_MESSAGE;
  const problem = TLS_MESSAGES[code];
  if (problem !== undefined) return problem;
  return CERTIFICATE_CODE_PATTERN.test(code)
    ? `its certificate is rejected: ${message}`
    : undefined;
}

const FILE_ERROR_CODES = ['ERR_INVALID_ARG_TYPE', 'ERR_BORINGSSL'];
const FILE_PARAMETERS: Readonly<Record<string, string>> = createLookupTable({
  ca: 'sslrootcert',
  cert: 'sslcert',
  key: 'sslkey',
});

function describeFileProblem(file: string): string {
  const parameter = FILE_PARAMETERS[file.toLowerCase()] ?? file;
  return `the file that ${parameter} in the URL names is missing, or is not a PEM file; the path is absolute, or relative to the working directory`;
}

const UNTRUSTED_CODES = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const UNTRUSTED_MESSAGE =
  'its certificate is signed by no CA that is trusted here; add sslrootcert= and the path of its CA to the URL';

const TLS_MESSAGES: Readonly<Record<string, string>> = createLookupTable({
  CERT_HAS_EXPIRED: 'its certificate has expired; renew it on the server',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; compare the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host; let the URL name the host as the certificate does, or use sslmode=verify-ca, which does not compare it',
  ERR_POSTGRES_TLS_NOT_AVAILABLE:
    'it offers no encrypted connections, and sslmode in the URL requires one; set ssl = on there, or sslmode=disable here',
});
const CERTIFICATE_CODE_PATTERN = /^(?!ERR_)[A-Z_]*(CERT|CRL|INVALID_CA|INVALID_PURPOSE)[A-Z_]*$/;
