import { createLookupTable } from '../../shared/lookup-table.ts';

/** Explains the problem of an encrypted connection, and what to set; undefined for any other error. */
export function describeTlsProblem(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === undefined) return undefined;
  const file = /^(?:Unable to access|Failed to load) (\w+) ?[fF]ile/.exec(message)?.[1];
  if (file !== undefined && FILE_ERROR_CODES.includes(code)) return describeFileProblem(file);
  if (UNTRUSTED_CODES.includes(code)) return UNTRUSTED_MESSAGE;
  const problem = MESSAGES[code];
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

const MESSAGES: Readonly<Record<string, string>> = createLookupTable({
  CERT_HAS_EXPIRED: 'its certificate has expired; renew it on the server',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; compare the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host; let the URL name the host as the certificate does, or use sslmode=verify-ca, which does not compare it',
  ERR_POSTGRES_TLS_NOT_AVAILABLE:
    'it offers no encrypted connections, and sslmode in the URL requires one; set ssl = on there, or sslmode=disable here',
});
const CERTIFICATE_CODE_PATTERN = /^(?!ERR_)[A-Z_]*(CERT|CRL|INVALID_CA|INVALID_PURPOSE)[A-Z_]*$/;
