import { statSync } from 'node:fs';
import type { EmitEvent } from '../../event-log.ts';
import { InvalidSettingError, type Settings } from '../../settings.ts';
import { system } from '../../shared/system.ts';
import { type Certificate, type CertificateFiles, readCertificate } from './certificate.ts';

type TlsSettings = Pick<Settings, 'tlsCert' | 'tlsKey'>;

/** The certificate in use, which may be replaced. */
export class Tls {
  /** The one to start with. */
  readonly certificate: Certificate;
  expiresAt: Date;

  constructor(private readonly files: CertificateFiles) {
    this.certificate = readCertificate(files);
    this.expiresAt = this.certificate.expiresAt;
  }

  /** Calls `replace` when the files have another certificate. Returns what stops it. */
  follow(emit: EmitEvent, replace: (certificate: Certificate) => void): () => void {
    const onChange = (next: Certificate) => {
      replace(next);
      this.expiresAt = next.expiresAt;
    };
    return startCertificateReload({
      files: this.files,
      certificate: this.certificate,
      emit,
      onChange,
    });
  }
}

/** The certificate of the settings; undefined if connections are not to be encrypted. */
export function openTls(settings: TlsSettings): Tls | undefined {
  const files = getCertificateFiles(settings);
  return files && new Tls(files);
}

/** The files of the certificate and its key; undefined if none are set. */
export function getCertificateFiles(settings: TlsSettings): CertificateFiles | undefined {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === '' && tlsKey === '') return undefined;
  if (tlsCert === '' || tlsKey === '') {
    const missing = tlsCert === '' ? 'TLS_CERT' : 'TLS_KEY';
    throw new InvalidSettingError(
      `${missing} must be set too: TLS_CERT and TLS_KEY belong together`,
    );
  }
  return { cert: tlsCert, key: tlsKey };
}

const POLL_INTERVAL_MS = 1_000;
const EXPIRY_CHECK_INTERVAL_MS = 24 * 3_600_000;
/** A certificate should be renewed before less than this part of its lifetime is left. */
const EXPIRING_PART = 1 / 6;

export interface CertificateReloadOptions {
  readonly files: CertificateFiles;
  readonly certificate: Certificate;
  readonly emit: EmitEvent;
  /** Switches to another certificate; throws if that is impossible. */
  readonly onChange: (certificate: Certificate) => void;
  readonly pollIntervalMs?: number;
}

/**
 * Checks the files for another certificate; they may be written, renamed or relinked one after the other.
 * Until they match again, the previous certificate stays in use. Returns a function that stops it.
 */
export function startCertificateReload(options: CertificateReloadOptions): () => void {
  const { files, emit, onChange, pollIntervalMs = POLL_INTERVAL_MS } = options;
  let { certificate } = options;
  let seen = fingerprint(files);
  /** Whether the files were invalid at the last check, which may fall in the middle of a change. */
  let isPending = false;
  let reported = '';
  const takeUp = () => {
    const next = readCertificate(files);
    if (next.cert !== certificate.cert || next.key !== certificate.key) {
      onChange(next);
      certificate = next;
      emit({ event: 'tls.changed', file: files.cert, expiresAt: next.expiresAt.toISOString() });
      warnOfExpiry(files, next, emit);
    }
    isPending = false;
    reported = '';
  };
  const poll = () => {
    const now = fingerprint(files);
    if (now === seen && !isPending) return;
    const isChanging = now !== seen;
    seen = now;
    try {
      takeUp();
    } catch (cause) {
      isPending = true;
      const message = cause instanceof Error ? cause.message : String(cause);
      if (isChanging || message === reported) return;
      reported = message;
      emit({ event: 'tls.failed', cause: message });
    }
  };
  warnOfExpiry(files, certificate, emit);
  const timers = [
    system.setInterval(poll, pollIntervalMs),
    system.setInterval(() => warnOfExpiry(files, certificate, emit), EXPIRY_CHECK_INTERVAL_MS),
  ].map((timer) => timer.unref());
  return () => {
    for (const timer of timers) timer.cancel();
  };
}

/** Changes if one of the files is written or replaced; links are resolved. */
function fingerprint({ cert, key }: CertificateFiles): string {
  return [cert, key].map(fingerprintFile).join(' ');
}

function fingerprintFile(file: string): string {
  try {
    const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs}`;
  } catch (cause) {
    return String((cause as NodeJS.ErrnoException).code);
  }
}

function warnOfExpiry(
  { cert }: CertificateFiles,
  { validFrom, expiresAt }: Certificate,
  emit: EmitEvent,
): void {
  const lifetimeMs = expiresAt.getTime() - validFrom.getTime();
  if (expiresAt.getTime() - system.now() > lifetimeMs * EXPIRING_PART) return;
  emit({ event: 'tls.expiring', file: cert, expiresAt: expiresAt.toISOString() });
}
