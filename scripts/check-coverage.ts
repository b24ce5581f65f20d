import { readFileSync } from 'node:fs';

/** Reads the lcov report named by the argument. Fails when a folder is covered by less than this. */
const REQUIRED_PERCENT = 95;
const FOLDERS = ['src/domain/', 'src/contract/', 'src/http/', 'packages/client/src/'];

const report = readFileSync(process.argv[2] ?? 'coverage/lcov.info', 'utf8');
const lines = new Map(FOLDERS.map((folder) => [folder, { found: 0, hit: 0 }]));

for (const record of report.split('end_of_record')) {
  const file = /^SF:(.+)$/m.exec(record)?.[1]?.replaceAll('\\', '/') ?? '';
  for (const [folder, sum] of lines) {
    if (!file.includes(folder)) continue;
    sum.found += Number(/^LF:(\d+)$/m.exec(record)?.[1] ?? 0);
    sum.hit += Number(/^LH:(\d+)$/m.exec(record)?.[1] ?? 0);
  }
}

for (const [folder, { found, hit }] of lines) {
  const percent = found === 0 ? 0 : (100 * hit) / found;
  console.log(`coverage of ${folder}: ${percent.toFixed(1)} % of ${found} lines`);
  if (percent < REQUIRED_PERCENT) {
    console.error(`${folder} must be covered to ${REQUIRED_PERCENT} %.`);
    process.exitCode = 1;
  }
}
