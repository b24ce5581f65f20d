import { readFileSync } from 'node:fs';

/** Reads the lcov report named by the argument. Fails when a folder is covered by less than this. */
const REQUIRED_PERCENT = 95;
const FOLDERS = ['src/domain/', 'src/contract/', 'src/http/', 'packages/client/src/'];

const report = readFileSync(process.argv[2] ?? 'coverage/lcov.info', 'utf8');
const files = report.split('end_of_record');

for (const folder of FOLDERS) {
  const inFolder = files.filter((file) => file.includes(`SF:${folder}`)).join('');
  const sum = (kind: string) =>
    (inFolder.match(new RegExp(`(?<=^${kind}:)\\d+$`, 'gm')) ?? []).reduce(
      (total, lines) => total + Number(lines),
      0,
    );
  const percent = (100 * sum('LH')) / sum('LF');
  console.log(`coverage of ${folder}: ${percent.toFixed(1)} % of ${sum('LF')} lines`);
  if (!(percent >= REQUIRED_PERCENT)) {
    console.error(`${folder} must be covered to ${REQUIRED_PERCENT} %.`);
    process.exitCode = 1;
  }
}
