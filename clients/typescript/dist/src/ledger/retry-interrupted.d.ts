/** Reads a response again if it is interrupted. */
export declare function retryInterrupted<T>(read: () => Promise<T>): Promise<T>;
