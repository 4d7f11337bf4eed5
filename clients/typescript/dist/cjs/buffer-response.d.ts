/** A response with its whole body, which is requested again if it is interrupted. */
export declare function bufferResponse(open: () => Promise<Response>): Promise<Response>;
