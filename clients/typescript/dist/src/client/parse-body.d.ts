import { TenorError, type TenorErrorDetails } from './errors.ts';
/** Removes the token from a text. */
type RedactToken = (text: string) => string;
/** The `data` of a success body. Throws for an error body and for any other. */
export declare function parseData(details: TenorErrorDetails, text: string, redact: RedactToken): unknown;
/** The error of a response, with the message of its body if it has one. */
export declare function toTenorError(response: Response, details: TenorErrorDetails, redact: RedactToken): Promise<TenorError>;
export {};
