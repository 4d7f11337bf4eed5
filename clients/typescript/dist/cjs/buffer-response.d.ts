/** A response with its whole body, which is requested again if it is interrupted. */
export declare function bufferResponse(open: () => Promise<Response>, limit?: import("./bounded-response.ts").BodyLimit): Promise<Response>;
/** Reads a response again if it is interrupted. */
export declare function retryInterrupted<T>(read: () => Promise<T>): Promise<T>;
/** The error of a body that could not be read, unless that says itself what is wrong with it. */
export declare function toInterruptedError({ url, status }: Response, cause: unknown): unknown;
