/** A response with its whole body, which is requested again if it is interrupted. */
export declare function bufferResponse(open: () => Promise<Response>, limit?: import("./bounded-response.ts").BodyLimit): Promise<Response>;
/** The error of a body that could not be read, unless that says itself what is wrong with it. */
export declare function toInterruptedError({ url, status }: Response, cause: unknown): unknown;
