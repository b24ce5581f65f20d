/**
 * Replaces each `{{name}}` in a text by its value. A line with a list is repeated for each of its values. An element is
 * left to the caller, and so is its placeholder. Throws if a value is missing.
 */
export function fillIn(template: string, values: Readonly<Record<string, unknown>>): string {
  return template
    .split('\n')
    .flatMap((line) => {
      let filled = [line];
      for (const [placeholder, name = ''] of line.matchAll(/\{\{(\w+)\}\}/g)) {
        const value = values[name];
        if (value === undefined) throw new Error(`There is no value for ${placeholder}.`);
        if (typeof value === 'object' && !Array.isArray(value)) continue;
        const texts = [value].flat();
        filled = filled.flatMap((each) =>
          texts.map((text) => each.replace(placeholder, () => `${text}`)),
        );
      }
      return filled;
    })
    .join('\n');
}
