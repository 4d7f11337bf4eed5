// The entry point of a bundle; see load-sdk.ts.
export * from '@modelcontextprotocol/server';
