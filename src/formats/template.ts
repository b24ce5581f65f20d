/**
 * Replaces each `{{name}}` in a text by its value. A list becomes one of Markdown. Elements are left to the caller, and
 * so are their placeholders. Throws if a value is missing.
 */
export function fillIn(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`There is no value for ${placeholder}.`);
    if (Array.isArray(value)) return value.map((item) => `- ${item}`).join('\n');
    return typeof value === 'object' ? placeholder : `${value}`;
  });
}
