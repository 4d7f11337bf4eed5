import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { InvalidSettingError } from '../../settings.ts';
import { explainReadError } from '../../shared/file-error.ts';

/** The paths of PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** A certificate, with those of its issuers, and its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly validFrom: Date;
  readonly expiresAt: Date;
}

/** A certificate that cannot be used; the message is one line that names the file. */
export class InvalidCertificateError extends InvalidSettingError {}

/** Reads a certificate and its key. Throws an InvalidCertificateError if they do not fit. */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = readPem('TLS_CERT', files.cert);
  const key = readPem('TLS_KEY', files.key);
  const certificate = attempt(
    () => new X509Certificate(cert),
    () => `TLS_CERT ${files.cert} ${describeInvalidCertificate(cert)}`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    (cause) => `TLS_KEY ${files.key} ${describeInvalidKey(key, cause)}`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new InvalidCertificateError(
      `TLS_KEY ${files.key} is not the key of the first certificate in TLS_CERT ${files.cert}`,
    );
  // Also looks at the certificates of the issuers.
  attempt(
    () => createSecureContext({ cert, key }),
    ({ message }) => `TLS_CERT ${files.cert} and TLS_KEY ${files.key} cannot be used (${message})`,
  );
  const { validFrom, validTo } = certificate;
  return { cert, key, validFrom: new Date(validFrom), expiresAt: new Date(validTo) };
}

function readPem(variable: string, file: string): string {
  return attempt(
    () => readFileSync(file, 'utf8'),
    (cause) => `${variable} ${file} ${explainReadError(cause)}`,
  );
}

/** The result of a step; if it throws, an InvalidCertificateError says what is wrong. */
function attempt<T>(step: () => T, describe: (cause: NodeJS.ErrnoException) => string): T {
  try {
    return step();
  } catch (cause) {
    throw new InvalidCertificateError(describe(cause as NodeJS.ErrnoException), { cause });
  }
}

function describeInvalidCertificate(pem: string): string {
  return pem.includes('-----BEGIN CERTIFICATE-----')
    ? 'has a damaged certificate'
    : 'has no certificate in PEM (-----BEGIN CERTIFICATE-----)';
}

function describeInvalidKey(pem: string, { code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_MISSING_PASSPHRASE') return 'is encrypted; use a key without a passphrase';
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)
    ? 'has a private key that is damaged, or of a kind that is not supported'
    : 'has no private key in PEM (-----BEGIN PRIVATE KEY-----)';
}
