import type { Operations, PATHS } from '../../../src/client/generated.ts';
export type OperationName = keyof Operations;
export type Parameters<N extends OperationName> = Operations[N]['parameters'];
export type OperationData<N extends OperationName> = Operations[N]['data'];
export type OperationRecord<N extends OperationName> = OperationData<N> extends readonly (infer T)[] ? T : never;
/** The names in braces of a path, as parameters. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Readonly<Record<Name, string | number>> & PathParameters<Rest> : unknown;
export type AllParameters<N extends OperationName> = Parameters<N> & PathParameters<(typeof PATHS)[N]>;
/** The parameters of the query, and those of the path. Throws if one of the path is missing. */
export declare function splitPathParameters(path: string, parameters?: object): [query: object, segments: Record<string, string | number>];
/** Rejects unknown names, which the type checker cannot do for JavaScript. */
export declare function assertKnownName<N extends string>(names: readonly string[], name: N): N;
