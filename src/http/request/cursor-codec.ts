import { createHmac, timingSafeEqual } from 'node:crypto';
import type { QuoteSelection, SecurityKeyColumn } from '../../store/open-store.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError } from '../http-error.ts';

/** Where a walk through many answers goes on: of which revision and days, behind which record. */
export type CursorState = Required<Pick<QuoteSelection, 'asOf' | 'dateRange' | 'after'>>;

/** Makes cursors, and reads those that it made. */
export interface CursorCodec {
  /** `asked` names the other parameters of the request. */
  encode(asked: string, spot: CursorState): string;
  decode(asked: string, cursor: string): CursorState | HttpError;
}

const SIGNATURE_BYTES = 16;

type CursorPayload = readonly [
  print: string,
  asOf: number,
  from: string,
  to: string,
  date: string,
  symbol: string,
  matchedBy: SecurityKeyColumn | '',
];

/**
 * A cursor is signed: nobody else can make one, and one that was changed is noticed. It names the
 * revision that its walk began with, so that all of its answers fit together.
 */
export function createCursorCodec(secret: Uint8Array): CursorCodec {
  // Each use begins with a word of its own, so that nothing signed for one passes for another.
  const signed = (text: `${'asked' | 'cursor'} ${string}`) =>
    createHmac('sha256', secret).update(text).digest().subarray(0, SIGNATURE_BYTES);
  const fingerprint = (asked: string) => signed(`asked ${asked}`).toString('base64url');
  return {
    encode(asked, { asOf, dateRange, after: { date, symbol, matchedBy } }) {
      const written = [fingerprint(asked), asOf, ...dateRange, date, symbol, matchedBy ?? ''];
      const payload = Buffer.from(JSON.stringify(written));
      return Buffer.concat([signed(`cursor ${payload}`), payload]).toString('base64url');
    },
    decode(asked, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const [signature, payload] = [
        bytes.subarray(0, SIGNATURE_BYTES),
        bytes.subarray(SIGNATURE_BYTES),
      ];
      // Decoding passes over what is no base64url: only the one true spelling counts.
      const isOurs =
        signature.length === SIGNATURE_BYTES &&
        timingSafeEqual(signature, signed(`cursor ${payload}`)) &&
        bytes.toString('base64url') === cursor;
      if (!isOurs) return createHttpError('bad_cursor');
      const [print, asOf, from, to, date, symbol, matchedBy] = JSON.parse(
        payload.toString(),
      ) as CursorPayload;
      if (print !== fingerprint(asked)) return createHttpError('other_cursor');
      const after = { date, symbol, ...(matchedBy && { matchedBy }) };
      return { asOf, dateRange: [from, to], after };
    },
  };
}
