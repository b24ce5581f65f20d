/** The weight of each name in a header such as `Accept: text/html, application/json;q=0.8`. */
export function weightsIn(header: string | null): Readonly<Record<string, number>> {
  const entries = (header ?? '').toLowerCase().split(',');
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', weight] = entry.trim().split(/\s*;(?:.*q=|.*)/);
      return [name, Number(weight || 1)];
    }),
  );
}

/** True for a browser, which asks for HTML by name. Any other client gets JSON. */
export function prefersHtml(accept: string | null): boolean {
  const { 'text/html': html = 0, 'application/json': json = 0 } = weightsIn(accept);
  return html > json && !prefersMarkdown(accept);
}

/** True for a program that asks for Markdown by name, unless it prefers HTML, which it may ask for with `*`. */
export function prefersMarkdown(accept: string | null): boolean {
  const { 'text/markdown': markdown = 0, ...others } = weightsIn(accept);
  const html = others['text/html'] ?? others['text/*'] ?? others['*/*'] ?? 0;
  return markdown > 0 && markdown >= html;
}
