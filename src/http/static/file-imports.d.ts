// An import `with { type: 'file' }` is the path of the file, which the executable has in itself. For
// these files the compiler knows no type, or that of a script.
declare module '*/docs.js' {
  const path: string;
  export default path;
}

declare module '*/swagger-ui-bundle.js' {
  const path: string;
  export default path;
}

declare module '*.css' {
  const path: string;
  export default path;
}

declare module '*.svg' {
  const path: string;
  export default path;
}
