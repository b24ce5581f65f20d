/** Part of the language since ES2026, and not yet of TypeScript's library. */
interface JSON {
  rawJSON(text: string): unknown;
}
