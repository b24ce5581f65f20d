import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { documentToJson, openApiDocument } from '../contract/openapi.ts';
import { writeOut } from './write-out.ts';

export function openapiCommand(): Command {
  return new Command('openapi')
    .description('print the OpenAPI document; PUBLIC_URL and STAGING_URL become its servers')
    .option('--json', 'print JSON (always the case)')
    .action(async () => {
      const { publicUrl, stagingUrl } = readConfig();
      const document = openApiDocument({ production: publicUrl, staging: stagingUrl });
      await writeOut(documentToJson(document));
    });
}
