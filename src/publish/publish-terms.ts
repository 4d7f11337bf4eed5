import { type SecurityRecord, securities } from '../catalogue/datasets/securities.ts';
import type { LedgerEntry, PublishTransaction, Revision } from '../store/open-store.ts';
import { type Publication, publishRecords } from './publish-records.ts';

interface TermsPublication extends Omit<Publication, 'dataset' | 'report'> {
  readonly records: readonly SecurityRecord[];
  /** The revision of the quotes that the terms came with, if they changed. */
  readonly quotesRevision: number | undefined;
}

/** Publishes the terms of securities that came with quotes, and with which revision of them. */
export function publishTerms(
  transaction: PublishTransaction,
  { quotesRevision, ...publication }: TermsPublication,
): Promise<Revision | undefined> {
  const report = quotesRevision === undefined ? {} : { quotesRevision };
  return publishRecords(transaction, {
    ...publication,
    dataset: securities,
    report,
  });
}

/** The revision of the terms that came with a revision of quotes, if any did: the next one. */
export async function findTermsRevision(
  transaction: PublishTransaction,
  quotesRevision: number,
): Promise<LedgerEntry | undefined> {
  const next = await transaction.ledgerEntry(quotesRevision + 1);
  const isOfTerms =
    next?.dataset === securities.name && next.report.quotesRevision === quotesRevision;
  return isOfTerms ? next : undefined;
}
