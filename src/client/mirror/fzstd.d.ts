declare module 'fzstd' {
  export function decompress(bytes: Uint8Array, into?: Uint8Array): Uint8Array;
}
