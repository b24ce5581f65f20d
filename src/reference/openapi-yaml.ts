import type { Document } from '../contract/openapi.ts';

/**
 * The document as YAML. Bun refuses bigints, and writes a date without quotes, which parsers of
 * YAML 1.1 do not read as text.
 */
export function documentToYaml(document: Document): string {
  const marked = JSON.stringify(document, (_, value) =>
    typeof value === 'bigint' ? `int64:${value}` : value,
  );
  const yaml = Bun.YAML.stringify(JSON.parse(marked), null, 2)
    .replace(/\bint64:(-?\d+)$/gm, '$1')
    .replace(/: (\d{4}-\d\d-\d\d)$/gm, ': "$1"');
  return `${yaml}\n`;
}
