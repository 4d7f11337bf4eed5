import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

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
export class InvalidCertificateError extends Error {}

/** Reads a certificate and its key. Throws an InvalidCertificateError where they do not fit. */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = readPem('TLS_CERT', files.cert);
  const key = readPem('TLS_KEY', files.key);
  const certificate = parseCertificate(cert, files.cert);
  const isFitting = certificate.checkPrivateKey(parsePrivateKey(key, files.key));
  if (!isFitting)
    throw new InvalidCertificateError(
      `TLS_KEY ${files.key} is not the key of the first certificate in TLS_CERT ${files.cert}`,
    );
  assertUsable(cert, key, files);
  const { validFrom, validTo } = certificate;
  return { cert, key, validFrom: new Date(validFrom), expiresAt: new Date(validTo) };
}

function readPem(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new InvalidCertificateError(`${variable} ${file} cannot be read (${code})`, { cause });
  }
}

function parseCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    const problem = pem.includes('-----BEGIN CERTIFICATE-----')
      ? 'has a damaged certificate'
      : 'has no certificate in PEM (-----BEGIN CERTIFICATE-----)';
    throw new InvalidCertificateError(`TLS_CERT ${file} ${problem}`, { cause });
  }
}

function parsePrivateKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    const isEncrypted = (cause as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    const problem = isEncrypted
      ? 'is encrypted; use a key without a passphrase'
      : /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)
        ? 'has a private key that is damaged, or of a kind that is not supported'
        : 'has no private key in PEM (-----BEGIN PRIVATE KEY-----)';
    throw new InvalidCertificateError(`TLS_KEY ${file} ${problem}`, { cause });
  }
}

/** Also looks at the certificates of the issuers. */
function assertUsable(cert: string, key: string, files: CertificateFiles): void {
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const { message } = cause as Error;
    throw new InvalidCertificateError(
      `TLS_CERT ${files.cert} and TLS_KEY ${files.key} cannot be used (${message})`,
      { cause },
    );
  }
}
