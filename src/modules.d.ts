/** Part of the language since ES2026, and not yet of TypeScript's library. */
interface JSON {
  rawJSON(text: string): unknown;
}

declare module '*.sql' {
  const text: string;
  export default text;
}

declare module '*.lua' {
  const text: string;
  export default text;
}

declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.txt' {
  const text: string;
  export default text;
}

declare module '*.css' {
  const text: string;
  export default text;
}

declare module '*.svg' {
  const text: string;
  export default text;
}

/** A bundle for the browser. */
declare module '*.js' {
  const text: string;
  export default text;
}

declare module '*.tgz' {
  const path: string;
  export default path;
}
