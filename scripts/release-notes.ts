import { readFileSync } from 'node:fs';
import { version } from '../package.json' with { type: 'json' };

/**
 * Prints the part of CHANGELOG.md about the version that a tag names. Fails if the tag is not of this version, or if the
 * changelog has no date for it yet.
 */
const [, , tag] = process.argv;
if (tag !== `v${version}`) {
  console.error(`package.json has version ${version}, so the tag must be v${version}, not ${tag}.`);
  process.exit(1);
}
const parts = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const part = parts.find((each) => each.startsWith(`${version} - `));
const [heading = '', ...lines] = part?.split('\n') ?? [];
if (!/\d{4}$/.test(heading)) {
  console.error(`CHANGELOG.md has no part for ${version} with a date.`);
  process.exit(1);
}
console.log(lines.join('\n').trim());
